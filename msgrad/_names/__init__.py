"""Tables of names: the file that defines each, for imports on demand and for the paths of MindSpore's own files."""
