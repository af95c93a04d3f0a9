"""Schedules of a profiler: which steps it records, and where recordings go."""

import enum

from .._contracts import check
from ..engine.refusal import require


class ProfilerAction(enum.Enum):
    """The action of a profiler in a step. Source: mindspore.profiler.schedule"""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class schedule:  # noqa: N801  MindSpore's name
    """A schedule of rounds: some steps are skipped, some are for warm-up, some are recorded.

    Args:
        wait (int): skipped steps at the beginning of a round.
        active (int): recorded steps, after which the recording is saved.
        warmup (int): steps between them. Default: ``0``.
        repeat (int): rounds; 0: without end. Default: ``0``.
        skip_first (int): steps before the first round. Default: ``0``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> plan = mindspore.profiler.schedule(wait=1, active=2, skip_first=1)
        >>> [plan(step).name for step in range(5)]
        ['NONE', 'NONE', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    Source: mindspore.profiler.schedule
    """

    def __init__(self, *, wait, active, warmup=0, repeat=0, skip_first=0):
        self.wait = check.non_negative_int(wait, "wait", "schedule")
        self.active = check.positive_int(active, "active", "schedule")
        self.warmup = check.non_negative_int(warmup, "warmup", "schedule")
        self.repeat = check.non_negative_int(repeat, "repeat", "schedule")
        self.skip_first = check.non_negative_int(skip_first, "skip_first", "schedule")

    def __call__(self, step):
        length = self.wait + self.warmup + self.active
        round_number, step_in_round = divmod(step - self.skip_first, length)
        if step < self.skip_first or self.repeat and round_number >= self.repeat or step_in_round < self.wait:
            return ProfilerAction.NONE
        if step_in_round < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD if step_in_round < length - 1 else ProfilerAction.RECORD_AND_SAVE


def tensorboard_trace_handler(dir_name=None, worker_name=None, analyse_flag=True, async_mode=False):
    """Makes a handler of saved recordings, which prints the slowest operations.

    Args:
        dir_name (str): the folder of recordings, which TensorBoard reads. Default: ``None``, that of the profiler.
        worker_name (str): a hint for several processes, without effect. Default: ``None``.
        analyse_flag (bool): whether to print. Default: ``True``.
        async_mode (bool): a hint, without effect. Default: ``False``.
    Returns:
        function for ``on_trace_ready``.
    Example:
        >>> handler = mindspore.profiler.tensorboard_trace_handler("./data")
    Source: mindspore.profiler.tensorboard_trace_handler
    """
    require(dir_name, (str, type(None)), "tensorboard_trace_handler", "dir_name")
    require(analyse_flag, bool, "tensorboard_trace_handler", "analyse_flag")

    def handle(profiler):
        if analyse_flag:
            profiler.analyse()

    handle.dir_name = dir_name
    return handle
