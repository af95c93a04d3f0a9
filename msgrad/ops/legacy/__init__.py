"""Names of MindSpore 1.x and of its internal modules, and unsupported names."""
