"""A name of ``train.summary.summary_record`` by which programs read what operations keep for summaries."""

import sys

from ..ops.legacy.left_out import leave_out

leave_out(
    sys.modules[__name__],
    "train.summary.summary_record",
    [
        (
            "_get_summary_tensor_data()",
            ("values are kept only while a SummaryRecord is open, for its files", "Return them from the network."),
        ),
    ],
)
