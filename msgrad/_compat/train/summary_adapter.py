"""``mindspore.train.summary._summary_adapter``: names of event files; events of MindInsight's format are left out."""

import platform
import re
import sys

from ...communication import get_rank
from ...engine.refusal import refuse
from ...ops.legacy.left_out import leave_out

MS_IMAGE_TENSOR_FORMAT = "NCHW"
EVENT_FILE_NAME_MARK = ".out.events.summary."
EVENT_FILE_INIT_VERSION_MARK = "MindSpore.Event:"
EVENT_FILE_INIT_VERSION = 1


def get_event_file_name(prefix, suffix, time_second):
    """The name of an event file, with the rank of the process and the name of the machine.

    Args:
        prefix, suffix (str): begin with a letter, a digit or ``_``.
        time_second (object): its text is in the name.
    Raises:
        ValueError: for another prefix or suffix.
    """
    for name, part in (("prefix", prefix), ("suffix", suffix)):
        if not re.fullmatch(r"\w+[0-9a-zA-Z_.]*", part, re.ASCII):
            refuse(ValueError, "get_event_file_name", name, "a str of only letters, digits, '_' and '.'", part)
    return f"{prefix}{EVENT_FILE_NAME_MARK}{time_second}.{get_rank()}.{platform.node()}{suffix}"


_WHY = ("msgrad writes summaries for TensorBoard, not MindInsight's protocol buffers", "Use SummaryRecord.add_value.")
leave_out(
    sys.modules[__name__],
    "train.summary._summary_adapter",
    [
        (text, _WHY)
        for text in (
            "package_init_event()",
            "package_graph_event(data)",
            "package_summary_event(data_list, step, wall_time)",
            "_fill_scalar_summary(tag, np_value, summary)",
            "_fill_tensor_summary(tag, np_value, summary_tensor)",
            "_fill_histogram_summary(tag, np_value, summary)",
            "_fill_image_summary(tag, np_value, summary_image, input_format='NCHW')",
            "_calc_histogram_bins(count)",
        )
    ],
)
