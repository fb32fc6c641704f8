"""Models: they learn, forget, merge, score, explain and sample. The scikit-learn classes in `estimators` wrap them."""
