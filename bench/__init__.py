"""Likely beside its peers, on the same data in the same run. Every "faster" in the docs points here."""
