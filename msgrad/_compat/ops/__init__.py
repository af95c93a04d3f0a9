"""Names of ``mindspore.ops`` from inside of it: gradient and other inner Primitives."""
