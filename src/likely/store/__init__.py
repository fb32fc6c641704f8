"""The model file: one file that holds all that a model knows, and runs nothing when it is read."""

from likely.store.atomic import replacing
from likely.store.container import BadModelFile
from likely.store.model import Origin, Stored, load, save

__all__ = ["BadModelFile", "Origin", "Stored", "load", "replacing", "save"]
