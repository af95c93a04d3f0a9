"""Names of MindSpore's private modules that public programs read. The rows of `alias` say which module has them."""
