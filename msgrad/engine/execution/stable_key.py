"""Stable keys, the same in every process, by which `stored` finds entries on disk.

A Program is a tree of named operations with static arguments, so a digest of those says what it computes. What only
this process knows has no key: functions of the user's, operations made of them, objects of classes that are not
msgrad's own. Whether something counts is a question of where it is defined, not of what it looks like: a class, a
function or an operation has a key if it is found again under its name in a module of this package.
"""

import enum
import functools
import hashlib
import os
import platform
import sys
import time
import types
import weakref
from typing import Any

import jax
import numpy as np

from .. import _jax_private, jax_options, processor, xla_flags
from ..dtypes import DType
from ..fusion import Fusion
from ..layouts import channels_last
from ..separation import barriers
from ..static import Boxed, Container, Hole
from . import disk_cache

_PACKAGE = __name__.partition(".")[0]
_LIBRARIES = {"builtins", "collections", "numpy", "ml_dtypes"}  # whose classes may be static arguments
_FOLDER = os.path.dirname(sys.modules[_PACKAGE].__file__ or "")
_FORMAT = 1  # of what is stored; raised where its meaning changes
_SIZE = 20  # bytes of a digest
_SOURCES = "sources-"  # begins the names of entries with the digest of this package's files
_SETTLED = 10_000_000_000  # nanoseconds since a file was written, from which on its time tells one content from another

_digests = weakref.WeakKeyDictionary()  # of operations and Programs; None for those without a key


class NoKey(Exception):
    """Raised for a value without a stable key: only this process can tell what it is."""


def key_of(*key_parts):
    """The key of these values, the same in every process, as text; None if one of them has none."""
    try:
        return _digest((environment(), *key_parts)).hex()
    except NoKey:
        return None


def _digest(value):
    parts = []
    _write(value, parts.append)
    return hashlib.blake2b(b"".join(parts), digest_size=_SIZE).digest()


# -- values ------------------------------------------------------------------------------------------------------------


def _write(value, put):
    """Serializes a value through ``put``: prefix-free and injective, so that two values never have the same bytes."""
    # By the exact class: a subclass of int or tuple may mean more than its value, and has no writer.
    writer = _WRITERS.get(type(value))
    if writer is not None:
        writer(value, put)
    elif isinstance(value, np.dtype):
        _write_dtype(value, put)
    elif isinstance(value, (np.ndarray, np.generic)):
        put(b"a")
        _write_dtype(value.dtype, put)
        _write(value.shape, put)
        _write(value.tobytes(), put)
    elif isinstance(value, DType):
        put(b"m")
        _write(value.__reduce__(), put)
    elif isinstance(value, enum.Enum):
        put(b"e")
        _write(type(value), put)
        _write(value.name, put)
    elif isinstance(value, type):
        put(b"c")
        _write(_place(value, _LIBRARIES), put)
    elif isinstance(value, types.FunctionType):
        put(b"f")
        _write(_place(value), put)
    elif isinstance(value, Hole):
        put(b"h")
        _write(type(value), put)
    elif hasattr(type(value), "stable_parts"):
        put(_digest_of(value))
    else:
        raise NoKey


def _write_plain(value, put):
    put(f"{type(value).__name__} {value!r};".encode())  # repr tells every float from every other, and -0.0 from 0.0


def _write_bytes(value, put):
    put(b"b%d:" % len(value))
    put(value)


def _write_text(value, put):
    # Names of files may have lone surrogates, which UTF-8 refuses.
    text = value.encode("utf-8", "surrogatepass")
    put(b"s%d:" % len(text))
    put(text)


def _write_items(value, put):
    # With the count: without it ((1, 2),) and ((1,), 2) were the same bytes.
    put(b"%b%d(" % (b"t" if type(value) is tuple else b"l", len(value)))
    for item in value:
        _write(item, put)


def _write_dict(value, put):
    put(b"d%d(" % len(value))
    for key, item in value.items():
        _write(key, put)
        _write(item, put)


def _write_boxed(value, put):
    put(b"x")
    _write(value.value, put)


def _write_container(value, put):
    put(b"o")
    _write(list(value.key), put)  # its class, its frozen items, and of a dict what makes its missing ones


def _write_dtype(value, put):
    if value.hasobject or value.fields is not None:
        raise NoKey
    put(f"p{value.str} {value.name};".encode())  # `str` alone is the same for all of ml_dtypes' of one width


_WRITERS = {
    **dict.fromkeys([type(None), bool, int, float, complex, type(...), range], _write_plain),
    bytes: _write_bytes,
    str: _write_text,
    tuple: _write_items,
    list: _write_items,
    dict: _write_dict,
    Boxed: _write_boxed,
    Container: _write_container,
}


def _is_own(module):
    return module == _PACKAGE or module.startswith(_PACKAGE + ".")


def _place(value, libraries=()):
    """The module and name under which a class or function is found.

    Raises:
        NoKey: if it is not found there, or the module is neither msgrad's own nor one of ``libraries``.
    """
    module, name = value.__module__, value.__qualname__
    if not _is_own(module) and module.partition(".")[0] not in libraries:
        raise NoKey
    try:
        named = functools.reduce(getattr, name.split("."), sys.modules[module])
    except (AttributeError, KeyError):
        raise NoKey from None
    # Its name refers to another object, such as a decorator's wrapper: the key would be that object's.
    if named is not value:
        raise NoKey
    return module, name


# -- operations and Programs -------------------------------------------------------------------------------------------


def _digest_of(value):
    """The digest of an operation, a Program or another object with ``stable_parts``."""
    try:
        digest = _digests[value]
    except KeyError:
        try:
            digest = _digest((_place(type(value)), _parts_of(value)))
        except NoKey:
            digest = None
        # None as well: finding out that there is no key takes as long as making one.
        _digests[value] = digest
    if digest is None:
        raise NoKey
    return digest


def _parts_of(value):
    parts = value.stable_parts()
    if parts is None:  # what has no parts has a name
        module = vars(sys.modules[type(value).__module__])
        parts = next((name for name, each in module.items() if each is value), None)
        if parts is None:
            raise NoKey
    return parts


# -- the environment ---------------------------------------------------------------------------------------------------


class _Last:
    """The environment of the last key: JAX's configuration, and the digest."""

    config: Any = None
    digest: Any = None


def environment():
    """A digest of everything else that a compiled program depends on: versions, sources, configuration, processor."""
    # Without the options that msgrad sets itself: the user's values of these do not matter, and are not there in scope.
    options = jax.config.values
    for name in jax_options.SCOPED:
        options.pop(name, None)
    if jax_options.Device.chosen is not None:
        options["jax_default_device"] = jax_options.Device.chosen
    config = options, jax.default_backend(), jax.sharding.get_abstract_mesh(), Fusion.allowed
    # Compared at each key, in 8 us: the user may configure jax between two calls. Describing it takes 0.2 ms.
    if config != _Last.config:
        values, *others = config
        described = [sorted((name, repr(value)) for name, value in values.items()), *map(str, others), *_machine()]
        _Last.config, _Last.digest = config, _digest(described)
    return _Last.digest


@functools.cache
def _machine():
    device = jax.devices()[0]
    return (
        _FORMAT,
        _known_sources(_FOLDER),
        *(sys.version, jax.__version__, _jax_private.JAXLIB_VERSION, np.__version__),
        *(platform.system(), platform.machine(), processor.description(), _processors()),
        *(device.platform, device.device_kind, device.client.platform_version),
        *(jax.local_device_count(), jax.device_count(), jax.process_count(), jax.process_index()),
        *(os.environ.get("XLA_FLAGS", ""), xla_flags.Added.flags, barriers.ALLOWED, channels_last.ALLOWED),
    )


def _known_sources(folder):
    """`sources`, which an earlier process kept on disk for files of these sizes and times: in 4 ms of the 14.

    By size and time Python too decides whether bytecode is that of a file.
    """
    if disk_cache.Private.folder is None:
        return sources(folder)
    contents, newest = hashlib.blake2b(digest_size=_SIZE), 0
    for entry in _files(folder):
        status = entry.stat()
        contents.update(f"{entry.path} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}\n".encode())
        newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
    name = f"{_SOURCES}{contents.hexdigest()}"
    digest = disk_cache.read(name)
    if digest is None:
        digest = sources(folder)
        # Not of a file that may be written again within the resolution of its time.
        if time.time_ns() - newest > _SETTLED:
            disk_cache.write(name, digest)
    return digest


def sources(folder):
    """A digest of the Python files in a folder and below."""
    digest = hashlib.blake2b(digest_size=_SIZE)
    for entry in _files(folder):
        with open(entry.path, "rb") as file:
            content = file.read()
        digest.update(f"{os.path.relpath(entry.path, folder)} {len(content)}\n".encode())
        digest.update(content)
    return digest.digest()


def _files(folder):
    """The Python files in a folder and below, as ``os.DirEntry``, in an order that depends on their names alone."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.is_dir() and entry.name != "__pycache__":
                yield from _files(entry.path)
            elif entry.name.endswith(".py"):
                yield entry


def _processors():
    """Number of processors of this process, among which compiled programs divide their loops."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
