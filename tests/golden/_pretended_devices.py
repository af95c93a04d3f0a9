"""Makes MindSpore's CPU build compile networks for devices that do not exist, as far as its strategies need.

The build has the whole compiler, which refuses semi-automatic parallel mode for the target CPU alone. Two changes in
the memory of the process pretend another target and a number of devices: a target is registered with a function that
does nothing, and the stub of the communication manager, which says that there are 2 048 devices, says another number.
Compiling then checks strategies, shards Parameters and writes strategy files, before it fails for want of the device.
Read in MindSpore 2.10.0 for x86-64: the sixth function of the manager is ``GetRankSize``.
"""

import ctypes
import pathlib
import struct

import mindspore as ms
from mindspore import context
from mindspore._c_expression import ms_ctx_param

LIBRARIES = pathlib.Path(ms.__file__).parent / "lib"
RANK_SIZE, FUNCTIONS = 5, 7
NO_DEVICE = "Create device context failed"  # the error after everything about strategies has passed
NO_NEIGHBOURS = ("send_rank_ids", "recv_rank_ids")  # likewise, of an exchange with neighbours
_kept = []  # memory that MindSpore refers to


def pretend(devices, target="Ascend"):
    """Pretends this number of devices of a kind, in GRAPH_MODE."""
    ms.set_context(mode=ms.GRAPH_MODE)
    core = ctypes.CDLL(str(LIBRARIES / "libmindspore_core.so"))
    register = core._ZN9mindspore9MsContext16RegisterInitFuncERKSsPFvPS0_E
    register.argtypes, register.restype = [ctypes.c_void_p, ctypes.c_void_p], None
    nothing = ctypes.cast(ctypes.CDLL("libc.so.6").getpid, ctypes.c_void_p)  # a function of a library
    register(_string(target), nothing)
    context._context()._context_handle.set_param(ms_ctx_param.device_target, target)
    _set_count(devices)


def _string(text):
    """The address of a ``std::string``, with a reference count that is never used up."""
    data = text.encode()
    memory = ctypes.create_string_buffer(struct.pack("QQi4x", len(data), len(data), 1 << 20) + data + b"\0")
    string = ctypes.c_void_p(ctypes.addressof(memory) + 24)
    _kept.extend([memory, string])
    return ctypes.byref(string)


def _set_count(devices):
    manager = ctypes.CDLL(str(LIBRARIES / "libmindspore_common.so"))._ZN9mindspore11CommManager11GetInstanceEv
    manager.restype = ctypes.c_void_p
    table_address = ctypes.c_void_p.from_address(manager())
    old = table_address.value
    functions = [ctypes.c_void_p.from_address(old + 8 * k).value for k in range(-2, FUNCTIONS)]
    table = (ctypes.c_void_p * len(functions))(*functions)

    @ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32))
    def size(manager, group, result):
        result[0] = devices
        return True

    table[2 + RANK_SIZE] = ctypes.cast(size, ctypes.c_void_p).value
    _kept.extend([table, size])
    table_address.value = ctypes.addressof(table) + 16


def is_accepted(error):
    """Whether compiling has succeeded (None), or has failed only because there are no devices."""
    return error is None or NO_DEVICE in str(error) or any(name in str(error) for name in NO_NEIGHBOURS)
