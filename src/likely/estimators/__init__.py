"""The models as scikit-learn classifiers: thin wrappers such as `NaiveBayes`, `GaussianClassifier` and
`LogisticRegression`."""
