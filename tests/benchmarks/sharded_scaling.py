"""What a training step of an encoder computes, keeps and sends on each of many devices, as XLA partitions it.

    python -m tests.benchmarks.sharded_scaling 8 64 512

prints a row for each number of devices and each layout. Nothing runs: the step is recorded and compiled for so many
devices of the host, and read. There are 8 sequences of 128 tokens for each device.
"""

import json
import math
import os
import re
import subprocess
import sys

LAYOUTS = ("data", "data, optimizer", "data x model 4")
_BYTES = {"f32": 4, "s32": 4, "u32": 4, "pred": 1, "s64": 8, "f64": 8, "bf16": 2, "f16": 2}
_COLLECTIVE = re.compile(
    r"= (?P<shapes>\(?[^=]*?) (?P<kind>all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\("
)
_MODEL = {
    r"(query|key|value|up)\.weight": ("model", None),
    r"(query|key|value|up)\.bias": ("model",),
    r"(out|down)\.weight": (None, "model"),
}


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        print(json.dumps(measured(*json.loads(sys.argv[2]))))
        return
    print("| devices | layout | GFlop | MB of Parameters and slots | MB sent by kind |")
    for count in map(int, sys.argv[1:]):
        for layout in LAYOUTS:
            flags = f"--xla_force_host_platform_device_count={count}"
            done = subprocess.run(
                [sys.executable, "-m", "tests.benchmarks.sharded_scaling", "--one", json.dumps([count, layout])],
                env=os.environ | {"XLA_FLAGS": flags, "MSGRAD_CACHE": "off", "MSGRAD_QUIET": "1"},
                capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode:
                sys.exit(done.stderr)
            figures = json.loads(done.stdout.splitlines()[-1])
            sent = ", ".join(f"{kind} {size:.1f}" for kind, size in figures["sent"].items())
            print(f"| {count} | {layout} | {figures['gflop']:.2f} | {figures['kept']:.1f} | {sent} |", flush=True)


def measured(count, layout):
    """Of one device: flops (10^9), megabytes kept from step to step, and megabytes of collectives' results by kind."""
    import jax
    import numpy as np
    from jax.sharding import PartitionSpec

    import msgrad as ms
    from msgrad import Tensor, nn, sharding
    from msgrad.engine.recording.sharding import Active
    from msgrad.nn._cell import calling

    ms.set_context(mode=ms.GRAPH_MODE)
    model = 4 if "model" in layout else 1
    mesh = {"data": count // model, "model": model}
    sharding.use(mesh, _MODEL if model > 1 else None, batch="data", optimizer="optimizer" in layout)
    partition = Active.partition
    net = encoder()
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params()))
    members = {each.name: each for each in step.get_parameters()}
    for name, each in members.items():
        each._sharding = partition._sharding_of(each, members.get(name.partition(".")[2]))
    Active.partition = None  # nothing is moved to so many devices
    step.compile(Tensor(np.zeros((8 * count, 128), np.int32)))
    plan = calling.plan_of(step)
    batch = partition.sharding(PartitionSpec("data"))
    whole = partition.sharding(PartitionSpec())
    sources = [batch] * plan.argument_count
    sources += [each._sharding if isinstance(each, Tensor) else None for each in plan.fixed]
    specs = [
        jax.ShapeDtypeStruct(shape, dtype, sharding=sources[k] or whole)
        for (shape, dtype), k in zip(plan.program.leaves, plan.order, strict=True)
    ]
    compiled = jax.jit(lambda leaves: plan.program.replay(leaves, plan.wanted)).lower(specs).compile()
    kept = sum(math.prod(each._sharding.shard_shape(each.shape)) * each.itemsize for each in members.values())
    sent = {}
    for match in _COLLECTIVE.finditer(re.sub(r"/\*.*?\*/", "", compiled.as_text())):
        sent[match["kind"]] = sent.get(match["kind"], 0) + sum(
            _BYTES[dtype] * math.prod(map(int, filter(None, lengths.split(","))))
            for dtype, lengths in re.findall(r"(\w+)\[([\d,]*)\]", match["shapes"])
        )
    flops = compiled.cost_analysis()["flops"]
    return {"gflop": flops / 1e9, "kept": kept / 1e6, "sent": {kind: size / 1e6 for kind, size in sent.items()}}


def encoder():
    """Four layers of 512 numbers and 8 heads over a vocabulary of 8 192 words; its output is a loss."""
    from msgrad import nn, ops

    class Layer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = [nn.Dense(512, 512) for _ in range(4)]
            self.up, self.down = nn.Dense(512, 2048, activation="gelu"), nn.Dense(2048, 512)
            self.norm, self.second_norm = nn.LayerNorm((512,)), nn.LayerNorm((512,))

        def construct(self, x):
            h = self.norm(x)
            query, key, value = [
                each(h).reshape(*x.shape[:2], 8, 64).transpose(0, 2, 1, 3)
                for each in (self.query, self.key, self.value)
            ]
            scores = ops.softmax(ops.matmul(query, key.swapaxes(-1, -2)) / 8.0)
            x = x + self.out(ops.matmul(scores, value).transpose(0, 2, 1, 3).reshape(x.shape))
            return x + self.down(self.up(self.second_norm(x)))

    class Encoder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(8192, 512)
            self.layers = nn.CellList([Layer() for _ in range(4)])

        def construct(self, words):
            x = self.words(words)
            for layer in self.layers:
                x = layer(x)
            return (x * x).mean()

    return Encoder()


if __name__ == "__main__":
    main()
