"""Models for scoring elsewhere, one file per format: SQL, JSON, ONNX."""
