"""Multi-head attention and transformers."""
