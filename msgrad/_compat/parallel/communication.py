"""``mindspore.communication._comm_helper``: what modules ask about the processes: there is one."""

from ...communication.management import GlobalComm


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
