"""Fitting models to rows that lie in parts: a stream of batches on one machine, or partitions of a cluster."""
