"""Compatibility names for old code and libraries: private modules of MindSpore, and hints without effect here."""
