"""Where counting runs: rows in parts, counted where they lie, and added. `engine.py` is the contract of all."""
