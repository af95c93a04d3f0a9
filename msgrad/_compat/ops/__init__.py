"""Private names of ``mindspore.ops``: gradient and other internal Primitives."""
