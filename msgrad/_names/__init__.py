"""Names: which file has which, for names that are imported on demand and for the paths of MindSpore's own files."""
