"""Compiled functions on disk, called without being traced or lowered.

JAX keeps the code of what it compiles in files that it finds by the lowered program. An entry of ours (`stored`) names
such a file, with its checksum and with what JAX knows about the arguments and results; so the code is there once, and
outlives a change of msgrad's own source. (`jax.experimental.serialize_executable` would write it again, and what it
writes of code that came from such a file fails with "Function not found" or crashes, in jaxlib 0.10.2.)

If a backend cannot do that, nothing is kept: JAX traces, lowers, and finds its file itself.
"""

import functools
import io
import logging
import pickle
import threading
from typing import Any

import jax

from .. import _jax_private, jax_options
from .._jax_private import compilation_cache
from . import disk_cache, stored

_FILE = "code-{}-cache"  # the name of the entry with what JAX keeps under a key
_CODE, _CLIENT = "code", "client"  # their names in entries

logger = logging.getLogger("msgrad")
_seen = threading.local()  # `file`: the name and content of the file of JAX's that this thread has read or written last


class _Noting(getattr(compilation_cache, "CacheInterface", object)):
    """JAX's file cache, extended to note which file was last read or written."""

    def __init__(self, cache):
        self._cache, self._path = cache, cache._path
        # JAX warns of a file that another process is just writing, or that is damaged, and keeps the latter. So what it
        # compiles are entries of ours, under names of ours; what it wrote before this object was there is read, too.
        self._is_private = disk_cache.Private.folder == str(self._path)

    def get(self, key):
        value = (disk_cache.read(_FILE.format(key)) if self._is_private else None) or self._cache.get(key)
        _seen.file = None if value is None else (key, value)
        return value

    def put(self, key, value):
        if self._is_private:
            disk_cache.write(_FILE.format(key), value)
        else:
            self._cache.put(key, value)
        _seen.file = key, value


@functools.lru_cache(4)
def _cache_in(folder):
    return _Noting(compilation_cache.get_file_cache(folder)[0])


def _cache() -> Any:
    """The cache of msgrad's compiled code; None if there is none."""
    # `get_file_cache`, and the `_path` above, are private, read in JAX 0.10.2.
    is_kept = _jax_private.KEEPS_CODE and disk_cache.Code.folder is not None
    return _cache_in(disk_cache.Code.folder) if is_kept else None


# What a thread compiles for the user goes the way that JAX's own options say.
_jax_private.keep_apart(lambda: _cache() if jax_options.is_own() else None)


def compiled(name, jitted, operands, about: Any = tuple):
    """Compiles ``jitted`` for ``operands`` and returns its launcher; the entry ``name`` lets the next process find it.

    None if there can be no such entry. ``about()`` is kept in it, asked when ``jitted`` is traced.
    """
    # An entry is for the one device of a process, and those of the others with which it exchanges values.
    if jax.local_device_count() > 1 or _cache() is None:
        return None
    lowered = jitted.lower(*operands)
    if _has_custom_calls(lowered):
        return None
    # First none, so that a program that JAX compiles without its cache is not taken for the one before.
    _seen.file = None
    executable = lowered.compile()
    try:
        call = _call_of(executable)
        if call is not None and _seen.file is not None:
            key, value = _seen.file
            stored.save(name, (key, disk_cache.checksum(value), _call_info(executable), about()))
    except Exception:  # any error of another version of JAX: this is only a cache
        logger.debug("a compiled program is not kept on disk", exc_info=True)
        return None
    finally:
        _seen.file = None
    return call


def load(name, devices=()):
    """The launcher of the compiled function of an entry, and what is known about it (`compiled`).

    None if there is no entry, or its file is missing or has changed. ``devices`` are those of the processes that launch
    it together, in order; none for a program that this process runs alone.
    """
    entry = stored.load(name)
    if entry is None:
        return None
    key, checksum, call_info, about = entry
    try:
        value = _cache().get(key)
        is_whole = value is not None and disk_cache.checksum(value) == checksum
        devices = tuple(devices or jax.local_devices())
        call = _call_of(_restored(call_info, value, devices)) if is_whole else None
        return call and (call, about)
    except Exception:  # as above
        logger.debug("a compiled program on disk cannot be used", exc_info=True)
        return None
    finally:
        _seen.file = None


def _has_custom_calls(lowered):
    """Whether a program has custom calls (LAPACK, ...), which JAX registers when it lowers a program."""
    custom_calls = []

    def look(operation):
        if operation.name == "stablehlo.custom_call":
            custom_calls.append(operation)
            return _jax_private.WalkResult.INTERRUPT
        return _jax_private.WalkResult.ADVANCE

    lowered.compiler_ir().operation.walk(look)
    return bool(custom_calls)


def _call_of(executable):
    """The launch of a ``jax.stages.Compiled`` in C++, as fast as that of ``jax.jit``; None for one with callbacks."""
    # Private, read in JAX 0.10.2: what the `Compiled` itself calls, except for a Python frame around it.
    return executable._executable.create_cpp_call(executable._params)


def _call_info(executable):
    """A ``jax.stages.Compiled`` as bytes, without its code."""
    # Such constants are arguments of the launch, and the next process has none of them.
    if executable._params.const_args:
        raise ValueError("constants as arguments")
    arguments, tree = jax.tree.flatten(executable.args_info)
    file = io.BytesIO()
    _Pickler(file).dump(
        (executable._executable._unloaded_executable, arguments, tree, executable.out_tree, executable._no_kwargs)
    )
    return file.getvalue()


def _restored(call_info, value, devices):
    """The ``jax.stages.Compiled`` that `_call_info` describes, with the code from the content of a file of JAX's."""
    code, _ = compilation_cache.extract_executable_and_time(compilation_cache.decompress_executable(value))
    unloaded, arguments, tree, out_tree, no_kwargs = _Unpickler(io.BytesIO(call_info), code, devices).load()
    return jax.stages.Compiled(unloaded.load(), [], tree.unflatten(arguments), out_tree, no_kwargs=no_kwargs)


class _Pickler(pickle.Pickler):
    """A pickler that replaces code, devices and client by names, since the next process has its own.

    A device's name is the rank of its process: `compiled` is for one device of each.
    """

    def persistent_id(self, value):
        if isinstance(value, jax.Device):
            return value.process_index
        if isinstance(value, _jax_private.CODE):
            return _CODE
        return _CLIENT if isinstance(value, _jax_private.Client) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, code, devices):
        super().__init__(file)
        self.code, self.devices = code, devices

    def persistent_load(self, name):
        client = self.devices[0].client
        if name == _CODE:
            return client.deserialize_executable(self.code, executable_devices=_jax_private.DeviceList(self.devices))
        if name == _CLIENT:
            return client
        return next(device for device in self.devices if device.process_index == name)
