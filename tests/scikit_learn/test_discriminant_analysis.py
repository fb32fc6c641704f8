"""scikit-learn's tests of discriminant analysis."""

from .borrowed import borrowed
from .shims import SHIMS

NAMES = ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis")
NO_TRANSFORM = "Gaussian classifiers classify; they are no projection"
ESTIMATOR = "the covariance is estimated by counting, with a prior and shrinkage, and not by an object that is given"
SENTENCE = "the same rows are refused, with another sentence"
SKIPPED = {
    "test_lda_transform": NO_TRANSFORM,
    "test_lda_solver_agreement": NO_TRANSFORM,
    "test_lda_explained_variance_ratio": NO_TRANSFORM,
    "test_lda_orthogonality": NO_TRANSFORM,
    "test_lda_dimension_warning": NO_TRANSFORM,
    "test_get_feature_names_out": NO_TRANSFORM,
    "test_lda_predict": "asks which solvers shrink",
    "test_lda_priors": "probabilities that do not sum to 1 are refused, and not made to",
    "test_lda_store_covariance": "covariances are always there",
    "test_qda_store_covariance": "covariances are always there",
    "test_lda_shrinkage": "a covariance is shrunk to its own diagonal, and not to a multiple of the identity",
    "test_qda_shrinkage_performance": "covariances are shrunk to the tied one, and not to a multiple of the identity",
    "test_qda_regularization": "as above; what has no covariance is refused, with another class of error",
    "test_lda_ledoitwolf": ESTIMATOR,
    "test_qda_covariance_estimator": ESTIMATOR,
    "test_lda_dtype_match": "sums and parameters are of float64",
    "test_qda_coefs": "asks for an attribute inside scikit-learn's class",
    "test_raises_value_error_on_same_number_of_classes_and_samples": SENTENCE,
    "test_raises_value_error_on_one_sample_per_class": SENTENCE,
}

globals().update(
    borrowed(
        "sklearn.tests.test_discriminant_analysis",
        "sklearn.discriminant_analysis",
        {name: SHIMS[name] for name in NAMES},
        SKIPPED,
    )
)
