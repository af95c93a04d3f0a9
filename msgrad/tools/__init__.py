"""The commands, one per file: ``USAGE`` documents a command's arguments and effect, ``main`` runs it."""
