"""The oldest versions that pyproject.toml allows of what Likely depends on, as requirements for pip."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
for requirement in project["dependencies"]:
    name, least = requirement.split(">=")
    print(f"{name}=={least}.*")
