"""``mindspore.communication._comm_helper``: what modules ask about the processes: there is one."""

from ...communication.management import GlobalComm
from ...engine.refusal import refuse, require


def _is_initialized():
    """Whether ``mindspore.communication.init`` has been called."""
    return GlobalComm.INITED


def _is_available():
    """Whether processes can talk to each other: always, there is one."""
    return True


def _get_group_map():
    """The short names that MindSpore makes for groups with long ones (dict of str): there are none."""
    return {}


def _remove_group_info(group_name):
    """Does nothing: nothing is kept about a group."""


class Backend:
    """The name of a library for exchanges between devices: ``Backend("hccl")`` is the str ``"hccl"``.

    Args:
        name (str): ``"hccl"``, ``"nccl"`` or ``"mccl"``.
    Raises:
        TypeError: if it is no str.  ValueError: if it is none of these.
    """

    UNDEFINED, HCCL, NCCL, MCCL = "undefined", "hccl", "nccl", "mccl"

    def __new__(cls, name):
        known = (cls.HCCL, cls.NCCL, cls.MCCL)
        if require(name, str, "Backend", "name").lower() not in known:
            refuse(ValueError, "Backend", "name", f"one of {known}", name)
        return name.lower()
