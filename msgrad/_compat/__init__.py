"""Names that only old code and libraries import: private modules of MindSpore, and hints without effect here."""
