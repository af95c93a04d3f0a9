"""The commands, a file each: ``USAGE`` is what a command is told and what it then does, ``main`` does it."""
