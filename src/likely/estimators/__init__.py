"""scikit-learn's faces of the models, thin: `NaiveBayes`, `GaussianClassifier` and `LogisticRegression` of `likely`."""
