"""Names of MindSpore's modules for distributed programs, which import them without necessarily using them."""

import sys

from ...ops.legacy.left_out import leave_out

_SPLIT = ("it belongs to programs of several processes", "Call it only where get_group_size() is more than 1.")

leave_out(
    sys.modules[__name__],
    "parallel",
    [
        ("_DistributedTensorInfo(distributed_info)", _SPLIT),
        ("_MicroBatch(micro_size)", _SPLIT),
        ("_TrainPipelineAccuStepCell(network, optimizer, sens=1.0)", _SPLIT),
        ("_TrainPipelineWithLossScaleCell(network, optimizer, scale_sense)", _SPLIT),
        ("enable_save_strategy_online()", _SPLIT),
        ("flops_collection(phase='train')", (_SPLIT[0], "Use mindspore.train.FlopsUtilizationCollector.")),
        ("get_current_strategy_metadata(network)", _SPLIT),
        ("get_squared_device_local_norm_param()", _SPLIT),
        ("get_strategy_metadata(network, rank_id=None)", _SPLIT),
    ],
)
