"""Names of MindSpore's compiler and C++ extension: executors, decorators, hints without effect here."""
