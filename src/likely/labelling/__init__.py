"""Labelling rows by hand: which row comes next, the labels in SQLite, and the model with its error."""
