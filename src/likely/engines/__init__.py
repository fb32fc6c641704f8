"""Engines run work on rows in parts: each part is counted where it is stored, and the results are added. `engine.py` is
their contract."""
