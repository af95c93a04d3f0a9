"""Attention: its formulations, the operations that use them, and how users write it themselves."""
