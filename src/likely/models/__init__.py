"""Models: learn, forget, merge, score, explain and sample. What scikit-learn's faces in `estimators` stand on."""
