"""scikit-learn's tests of logistic regression."""

from .borrowed import borrowed
from .shims import SHIMS

REASONS = {
    "numpy and what becomes it, and no other array library": [
        "test_logistic_regression_array_api_compliance",
        "test_logistic_regression_array_api_warm_start",
    ],
    "callbacks of scikit-learn's": [
        "test_logistic_regression_callback_support",
        "test_logistic_regression_callback_fitted_estimator",
        "test_logistic_regression_callback_support_warning",
    ],
    "warnings and options of scikit-learn's own": [
        "test_penalty_none",
        "test_zero_max_iter",
        "test_lr_cv_scores_without_enabling_metadata_routing",
        "test_passing_params_without_enabling_metadata_routing",
        "test_penalty_deprecated",
        "test_logisticregressioncv_warns_with_use_legacy_attributes",
        "test_l1_ratio_None_deprecated",
        "test_logisticregression_warns_with_n_jobs",
        "test_lr_penalty_l1ratio_incompatible",
        "test_lr_scoring_warns",
        "test_get_default_scorer",
    ],
    'a class of scikit-learn\'s that is not ours: C is chosen by LogisticRegression(C="auto")': [
        "test_check_solver_option",
        "test_logistic_cv",
        "test_logistic_cv_refit_false_non_elasticnet",
        "test_logistic_cv_mock_scorer",
        "test_logistic_cv_multinomial_score",
        "test_multinomial_cv_iris",
        "test_logistic_cv_folds_with_classes_missing",
        "test_logistic_cv_sparse",
        "test_logistic_regressioncv_class_weights",
        "test_logistic_regression_cv_refit",
        "test_LogisticRegressionCV_GridSearchCV_elastic_net",
        "test_LogisticRegressionCV_no_refit",
        "test_LogisticRegressionCV_elasticnet_attribute_shapes",
        "test_LogisticRegressionCV_on_folds",
        "test_scores_attribute_layout_elasticnet",
        "test_lr_cv_scores_differ_when_sample_weight_is_requested",
        "test_newton_cholesky_fallback_to_lbfgs",
        "test_liblinear_multiclass_raises",
    ],
    "sums and weights are of float64": ["test_dtype_match"],
    "a sparse matrix is read whatever the type of its indices": ["test_large_sparse_matrix"],
    "a missing cell is no error: it has an indicator, unless missing='refuse'": ["test_nan"],
    "what a model shows is read-only": ["test_write_parameters", "test_sparsify"],
    "rows of 1e100 are within rounding, and warned of": ["test_liblinear_with_large_values"],
    "asks for a function inside scikit-learn": [
        "test_logreg_predict_proba_multinomial",
        "test_consistency_path",
        "test_logistic_regression_path_convergence_fail",
        "test_logistic_regression_path_coefs_multinomial",
        "test_logistic_regression_path_init_coefs",
    ],
    "no L1 or elastic penalty: see docs/logistic.md": [
        "test_elasticnet_l1_ratio_err_helpful",
        "test_logreg_l1",
        "test_saga_vs_liblinear",
        "test_elastic_net_coeffs",
        "test_elastic_net_l1_l2_equivalence",
        "test_elastic_net_vs_l1_l2",
        "test_LogisticRegression_elastic_net_objective",
        "test_l1_ratio_non_elasticnet",
        "test_elastic_net_versus_sgd",
    ],
    "options of solvers that we have not: the solver is chosen by the shape of the data": [
        "test_liblinear_dual_random_state",
        "test_liblinear_decision_function_zero",
        "test_logreg_intercept_scaling_zero",
        "test_max_iter",
        "test_warm_start",
        "test_warm_start_newton_solver",
        "test_warm_start_converge_LR",
        "test_logisticregression_liblinear_sample_weight",
    ],
}
SKIPPED = {name: reason for reason, names in REASONS.items() for name in names}

globals().update(
    borrowed(
        "sklearn.linear_model.tests.test_logistic",
        "sklearn.linear_model",
        {"LogisticRegression": SHIMS["LogisticRegression"]},
        SKIPPED,
    )
)
