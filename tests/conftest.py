"""How hypothesis runs: the same examples every time, few enough for one core."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "likely",
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("likely")
