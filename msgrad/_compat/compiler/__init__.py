"""Names of MindSpore's compiler and of its compiled part: executors, decorators, hints without effect here."""
