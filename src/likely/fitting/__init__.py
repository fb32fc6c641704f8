"""Fitting models to rows in parts: batches of a stream on one machine, or partitions of a cluster."""
