"""Bayes networks: `model` (a frozen value, as the others), `pairs` (what pairs of columns show beyond the class),
`search` (how bins and a graph are chosen), `numbers` (which numbers have a density instead), `loss` (by what),
`elimination` (posteriors of any column), `separation` (independence), `graph` (the network itself, in print and as a
value), `graphs` (those of a model: one, or the mean of several), `bif` (its file)."""
