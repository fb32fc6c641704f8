"""Benches: Likely compared with its peers, on the same data in the same run. Every "faster" in the docs refers to
one."""
