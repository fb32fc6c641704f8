"""scikit-learn's tests of naive Bayes."""

from .borrowed import borrowed
from .shims import SHIMS

NAMES = ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB")
INSIDE = "asks for a method or an attribute inside scikit-learn's class"
GROWS = "classes that nobody named may arrive at any time, so the first rows need not name them"
NO_FLOOR = "maximum likelihood of a column that is constant in a class is refused: a prior is to be given, not a floor"
SKIPPED = {
    "test_gnb": GROWS,
    "test_NB_partial_fit_no_first_classes": GROWS,
    "test_discretenb_provide_prior": GROWS,
    "test_gnb_check_update_with_no_data": INSIDE,
    "test_check_alpha": INSIDE,
    "test_categoricalnb": INSIDE,
    "test_gnb_priors_sum_isclose": NO_FLOOR,
    "test_check_accuracy_on_digits": NO_FLOOR,
    "test_predict_joint_proba": NO_FLOOR,
    "test_categoricalnb_with_min_categories": "a category never seen has its share of the prior, and no number",
    "test_categoricalnb_min_categories_errors": "as above",
    "test_alpha": "a pseudo-count of 0 is maximum likelihood, and is not raised to 1e-10",
    "test_alpha_vector": "as above",
    "test_gnb_array_api_compliance": "numpy and what becomes it, and no other array library",
}

globals().update(
    borrowed("sklearn.tests.test_naive_bayes", "sklearn.naive_bayes", {name: SHIMS[name] for name in NAMES}, SKIPPED)
)
