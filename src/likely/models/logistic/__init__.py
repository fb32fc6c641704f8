"""Logistic regression of tables: features, the choice of C, constraints, standard errors, odds ratios and reasons."""
