"""Exports models, so that other programs can score rows. There is one file per format: SQL, JSON, ONNX."""
