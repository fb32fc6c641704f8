"""The model file: a single file with everything that a model has learned. Reading it runs no code."""

from likely.store.atomic import replacing
from likely.store.container import BadModelFile
from likely.store.model import Origin, Stored, load, save

__all__ = ["BadModelFile", "Origin", "Stored", "load", "replacing", "save"]
