"""The commands, one per file: ``main`` takes the arguments, and returns the exit status or an error text."""
