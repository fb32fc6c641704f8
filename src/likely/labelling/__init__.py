"""Labels rows by hand: chooses the next row, stores the labels in SQLite, and keeps a model with its error."""
