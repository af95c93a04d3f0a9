"""Results of tracing and compiling on disk, which a later process reads instead of doing either again.

| entry | what it holds |
|---|---|
| of an operation at some shapes | the shapes of its results, and NumPy's plan for it |
| of a shape operation on a view | the layout of its result |
| of a transformed Program | NumPy's plan for it |
| of a compiled function | how it is called, and which of JAX's files holds its code |

Entries are found by stable keys (`stable_key`), so an entry that is found needs no further check. They are pickles,
which could run any code, so they are kept in the private folder only (`disk_cache`).
"""

import pickle

from . import disk_cache, stable_key

_NAME = "msgrad-"  # begins the names of entries


def is_on():
    """Whether there is a folder for entries."""
    return disk_cache.Private.folder is not None


def name_of(*key_parts):
    """The name of the entry for ``key_parts``; None if it has no stable key."""
    if disk_cache.Private.folder is None:
        return None
    # All that the entry depends on is in the key, so an entry is never out of date: another source has another key.
    key = stable_key.key_of(*key_parts)
    return None if key is None else _NAME + key


def load(name):
    """Reads the tuple stored under a name; None if there is none."""
    payload = None if name is None else disk_cache.read(name)
    return None if payload is None else pickle.loads(payload)


def save(name, entry):
    """Stores a tuple under a name, for other processes."""
    disk_cache.write(name, pickle.dumps(entry, pickle.HIGHEST_PROTOCOL))
