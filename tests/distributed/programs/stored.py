"""A training step with collectives in both modes; how often JAX traced it, and what came from the disk."""

import jax
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn
from mindspore.communication import get_group_size, get_rank, init

from msgrad.engine.execution.execute import report

_TRACED = "/jax/core/compile/jaxpr_trace_duration"
events = []
jax.monitoring.register_event_duration_secs_listener(lambda event, duration, **_: events.append(event))


def step(mode):
    ms.set_context(mode=mode)
    net = nn.SequentialCell([nn.Dense(3, 3, "ones", "zeros") for _ in range(2)])
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    x = Tensor(np.full((2, 3), get_rank(), np.float32))
    return [train(x, Tensor(np.ones((2, 3), np.float32))).item() for _ in range(2)]


init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=get_group_size())
losses = step(ms.GRAPH_MODE) + step(ms.PYNATIVE_MODE)
counts = report()
compiled = counts["programs compiled"] + counts["operations compiled"]
print(
    f"rank {get_rank()}: {losses}\nrank {get_rank()}: traced={events.count(_TRACED)} compiled={compiled} "
    f"found={counts['found on disk']}",
    flush=True,
)
