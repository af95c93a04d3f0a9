"""Names of MindSpore 1.x and of its inner modules, and what is left out."""
