"""``mindspore.communication._comm_helper``: queries about the processes, for programs of one process."""

from ...communication.management import GlobalComm
from ...engine.refusal import refuse, require


def _is_initialized():
    """Whether ``mindspore.communication.init`` has been called."""
    return GlobalComm.INITED


def _is_available():
    """Whether communication is available: always."""
    return True


def _get_group_map():
    """MindSpore's short names for groups with long names (dict of str): empty."""
    return {}


def _remove_group_info(group_name):
    """Does nothing: no information is stored about groups."""


class Backend:
    """The name of a communication library: ``Backend("hccl")`` is the str ``"hccl"``.

    Args:
        name (str): ``"hccl"``, ``"nccl"`` or ``"mccl"``.
    Raises:
        TypeError: if ``name`` is not a str.  ValueError: for another name.
    """

    UNDEFINED, HCCL, NCCL, MCCL = "undefined", "hccl", "nccl", "mccl"

    def __new__(cls, name):
        backends = (cls.HCCL, cls.NCCL, cls.MCCL)
        if require(name, str, "Backend", "name").lower() not in backends:
            refuse(ValueError, "Backend", "name", f"one of {backends}", name)
        return name.lower()
