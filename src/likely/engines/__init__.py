"""Where counting runs: rows in pieces, side by side, and added."""
