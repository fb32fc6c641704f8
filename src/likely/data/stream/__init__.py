"""Tables in files, a batch of rows at a time: larger than memory, and in any of several formats."""
