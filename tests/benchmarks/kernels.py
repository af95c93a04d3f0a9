"""Kernels, forward and by each input: ``python -m tests.benchmarks.kernels --oracle PYTHON --torch PYTHON``.

Each row is a line of a MindSpore program. msgrad runs it compiled, MindSpore in PYNATIVE_MODE, PyTorch eagerly what it
has, in turns, one stopped while the other runs, each on one core and by one thread; the least processor time of each
counts, in milliseconds, and msgrad's as a ratio to the next. A gradient of MindSpore's and PyTorch's has its forward
pass in it.

``--formulations`` adds msgrad with each formulation of products and convolutions in place of the one that it chooses by
shape (`ops/linalg/products.py`, `ops/nn/convolved.py`): so the choice is judged anew for another version of JAX.
"""

import argparse
import json
import math
import os
import re
import sys
import time

ROUNDS = 5
SHORTEST = 0.05  # seconds of calls in a turn, for the best of them

DTYPES = {"b,": "bfloat16", "h,": "float16"}

# The program, and the shapes of x, w and v, after a letter those of a half type; i and j are indices below the bound
# that comes first.
ROWS = [
    ("ops.conv1d(x, w, pad_mode='pad', padding=1)", "x=16,64,512 w=64,64,3"),
    ("ops.conv1d(x, w, dilation=8)", "x=16,32,1024 w=32,32,3"),
    ("ops.conv1d(x, w, stride=4)", "x=16,1,8192 w=64,1,16"),
    ("ops.conv1d(x, w, pad_mode='pad', padding=3, groups=64)", "x=16,64,1024 w=64,1,7"),
    ("ops.conv1d(x, w, stride=2)", "x=1,512,9599 w=512,512,3"),
    ("ops.conv1d(x, w, pad_mode='pad', padding=2)", "x=8,512,300 w=512,512,5"),
    ("ops.conv1d(x, w, pad_mode='pad', padding=8)", "x=32,64,500 w=64,64,16"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=8,32,28,28 w=32,32,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=32,3,32,32 w=32,3,3,3"),
    ("ops.conv2d(x, w)", "x=32,1,28,28 w=6,1,5,5"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=3, stride=2)", "x=4,3,112,112 w=64,3,7,7"),
    ("ops.conv2d(x, w)", "x=16,128,14,14 w=128,128,1,1"),
    ("ops.conv2d(x, w, stride=2)", "x=16,64,28,28 w=128,64,1,1"),
    ("ops.conv2d(x, w)", "x=8,64,56,56 w=256,64,1,1"),
    ("ops.conv2d(x, w)", "x=8,256,56,56 w=64,256,1,1"),
    ("ops.conv2d(x, w)", "x=8,128,28,28 w=512,128,1,1"),
    ("ops.conv2d(x, w)", "x=8,1024,14,14 w=256,1024,1,1"),
    ("ops.conv2d(x, w, stride=2)", "x=8,256,56,56 w=512,256,1,1"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=8,64,56,56 w=64,64,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=8,128,28,28 w=128,128,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=8,256,14,14 w=256,256,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, stride=2)", "x=8,128,56,56 w=128,128,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=3, stride=2)", "x=8,3,224,224 w=64,3,7,7"),
    ("ops.conv2d(x, w, stride=16)", "x=8,3,224,224 w=768,3,16,16"),
    ("ops.conv2d(x, w, stride=2)", "x=8,96,56,56 w=192,96,2,2"),
    ("ops.conv2d(x, w)", "x=8,512,7,7 w=4096,512,7,7"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=64,512,2,2 w=512,512,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=64,512,1,1 w=512,512,3,3"),
    ("ops.conv2d(x, w)", "x=b,8,64,56,56 w=b,256,64,1,1"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=b,8,128,28,28 w=b,128,128,3,3"),
    ("ops.conv2d(x, w)", "x=h,8,64,56,56 w=h,256,64,1,1"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=2, dilation=2)", "x=8,32,28,28 w=32,32,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, stride=2)", "x=8,64,28,28 w=64,64,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=64,1,51,40 w=96,1,3,40"),
    ("ops.conv2d(x, w)", "x=16,8,64,64 w=16,8,1,7"),
    ("ops.conv2d(x, w)", "x=16,8,64,64 w=16,8,7,1"),
    ("ops.conv2d(x, w)", "x=8,16,48,48 w=16,16,11,11"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1)", "x=1,256,14,14 w=256,256,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=32)", "x=16,32,28,28 w=32,1,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=2, groups=96, stride=2)", "x=8,96,28,28 w=96,1,5,5"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=4)", "x=8,64,28,28 w=64,16,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=32)", "x=8,128,14,14 w=128,4,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=128)", "x=8,128,56,56 w=128,1,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=64, stride=2)", "x=8,64,112,112 w=64,1,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=2, groups=240)", "x=8,240,28,28 w=240,1,5,5"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=3, groups=96)", "x=8,96,56,56 w=96,1,7,7"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=32)", "x=8,128,56,56 w=128,4,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=32, stride=2)", "x=8,512,28,28 w=512,16,3,3"),
    ("ops.conv2d(x, w, pad_mode='pad', padding=1, groups=32)", "x=8,1024,7,7 w=1024,32,3,3"),
    ("ops.conv2d(x, w, groups=8)", "x=16,64,28,28 w=64,8,1,1"),
    ("ops.conv3d(x, w, pad_mode='pad', padding=1)", "x=2,16,16,16,16 w=16,16,3,3,3"),
    ("ops.conv3d(x, w)", "x=4,32,16,16,16 w=32,32,1,1,1"),
    ("ops.conv3d(x, w, stride=2)", "x=2,3,16,32,32 w=16,3,3,3,3"),
    ("ops.conv3d(x, w, pad_mode='pad', padding=1)", "x=1,32,32,48,48 w=32,32,3,3,3"),
    ("ops.conv3d(x, w, pad_mode='pad', padding=(1, 3, 3), stride=(1, 2, 2))", "x=1,3,16,112,112 w=64,3,3,7,7"),
    ("ops.conv_transpose2d(x, w)", "x=64,100,1,1 w=100,512,4,4"),
    ("ops.conv_transpose2d(x, w, stride=2, padding=1)", "x=64,128,16,16 w=128,64,4,4"),
    ("ops.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1)", "x=1,256,64,64 w=256,128,3,3"),
    ("ops.Conv2DTranspose(64, 4, 'pad', 1, stride=2)(x, w, (8, 32, 32, 32))", "x=8,64,16,16 w=64,32,4,4"),
    ("ops.Conv2DTranspose(16, 3, 'pad', 1)(x, w, (8, 16, 32, 32))", "x=8,16,32,32 w=16,16,3,3"),
    ("ops.Conv2DTranspose(32, 5, 'valid', stride=2)(x, w, (16, 3, 33, 33))", "x=16,32,15,15 w=32,3,5,5"),
    ("ops.Conv2DTranspose(64, 2, 'valid', stride=2)(x, w, (8, 32, 32, 32))", "x=8,64,16,16 w=64,32,2,2"),
    ("ops.Conv3DTranspose(16, 8, 2, stride=2)(x, w)", "x=2,16,8,8,8 w=16,8,2,2,2"),
    *[("ops.dense(x, w, v)", f"x={rows},768 w=3072,768 v=3072") for rows in (1, 2, 4, 8, 128)],
    *[("ops.dense(x, w, v)", f"x=b,{rows},768 w=b,3072,768 v=b,3072") for rows in (1, 2, 4, 8, 128)],
    *[("ops.dense(x, w, v)", f"x=h,{rows},768 w=h,3072,768 v=h,3072") for rows in (1, 8, 128)],
    ("ops.matmul(x, w.T) + v", "x=1,768 w=3072,768 v=3072"),
    ("ops.matmul(x, w)", "x=1,768 w=768,3072"),
    *[("ops.matmul(x, w)", f"x=b,{rows},2048 w=b,2048,2048") for rows in (8, 128)],
    *[("ops.matmul(x, w.T)", f"x=b,{rows},2048 w=b,2048,2048") for rows in (8, 128)],
    ("ops.max_pool2d(x, 2, 2)", "x=16,32,56,56"),
    ("ops.max_pool2d(x, 3, 2, 1)", "x=16,32,56,56"),
    ("ops.MaxPool(3, 1, 'same')(x)", "x=8,32,28,28"),
    ("ops.avg_pool2d(x, 2, 2)", "x=16,32,56,56"),
    ("ops.avg_pool2d(x, 3, 2)", "x=16,32,56,56"),
    ("ops.max_pool3d(x, 2, 2)", "x=2,16,16,32,32"),
    ("ops.AvgPool3D(2, 2)(x)", "x=2,16,16,32,32"),
    ("ops.avg_pool1d(x, 4, 4)", "x=32,64,1024"),
    ("ops.adaptive_avg_pool2d(x, 7)", "x=8,64,28,28"),
    ("ops.sort(x)[0]", "x=64,4096"),
    ("ops.sort(x)[0]", "x=200000"),
    ("ops.argsort(x)", "x=64,4096"),
    ("ops.topk(x, 8)[0]", "x=64,4096"),
    ("ops.topk(x, 50)[0]", "x=8,32000"),
    ("ops.cumsum(x, 1)", "x=64,4096"),
    ("ops.cumsum(x, 0)", "x=4096,64"),
    ("ops.cumsum(x, 0)", "x=1000000"),
    ("ops.cumprod(x, 1)", "x=64,4096"),
    ("ops.tensor_scatter_add(x, i.reshape(-1, 1), w)", "x=10000,64 w=4096,64 i=10000,4096"),
    ("ops.scatter_nd(i.reshape(-1, 1), w, (10000,))", "w=200000 i=10000,200000"),
    ("ops.index_add(p, i, w, 0)", "p=10000,64 w=4096,64 i=10000,4096"),
    ("ops.unsorted_segment_sum(x, i, 1000)", "x=20000,32 i=1000,20000"),
    ("ops.tensor_scatter_elements(x, j, w, 1)", "x=64,4096 w=64,1024 j=4096,64,1024"),
    ("ops.gather(x, i, 0)", "x=30000,64 i=30000,4096"),
    ("ops.gather(x, i, 1)", "x=64,4096 i=4096,2048"),
    ("ops.gather_elements(x, 1, j)", "x=64,4096 j=4096,64,1024"),
    ("ops.gather_nd(x, j)", "x=512,512 j=512,20000,2"),
    ("x[i]", "x=30000,64 i=30000,4096"),
    ("ops.one_hot(i, 1000, 1.0, 0.0)", "i=1000,4096"),
    ("ops.interpolate(x, size=(64, 64), mode='bilinear', align_corners=False)", "x=4,16,32,32"),
    ("ops.interpolate(x, size=(64, 64), mode='nearest')", "x=4,16,32,32"),
    ("ops.interpolate(x, size=(48, 48), mode='bicubic')", "x=4,16,32,32"),
    ("ops.grid_sample(x, g)", "x=4,16,32,32 g=4,32,32,2"),
]  # fmt: skip


def cases():
    """A name, the row and the position of the input of the gradient (None: forward) for each case."""
    for program, shapes in ROWS:
        names = [each.partition("=")[0] for each in shapes.split()]
        yield f"{program} {shapes}", program, shapes, None
        for position, name in enumerate(names):
            if name in "xwg" and not program.startswith(("ops.argsort", "ops.one_hot")):
                yield f"  by {name}: {program} {shapes}", program, shapes, position


# -- in a process of one of the two ---------------------------------------------------------------------------------


FORMULATIONS = ("own", "whole", "parts")


def use(formulation):
    """Makes msgrad compute all products and convolutions in one formulation, whatever their shapes.

    - ``own``: XLA's convolutions, and products with transposed weights;
    - ``whole``: one product for all images, and XLA's gradients by weights;
    - ``parts``: a product for each image, gradients by windows, and products of rows with rows.
    """
    from msgrad.ops.linalg import products
    from msgrad.ops.nn import convolution_products, convolved

    convolution_products._LARGER_BY = 0 if formulation == "parts" else math.inf
    convolved._has_slow_gradient = products.contracts_rows = lambda *_: formulation == "parts"
    if formulation == "own":
        convolved._is_on_cpu = lambda _: False


def of_torch():
    """A function that prepares a case for PyTorch: a program of operations that have the same arguments there."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)

    class ops:
        matmul, dense = torch.matmul, functional.linear
        conv1d, conv2d, conv3d = [
            lambda x, w, pad_mode="", name=name, **settings: getattr(functional, name)(x, w, **settings)
            for name in ("conv1d", "conv2d", "conv3d")
        ]
        conv_transpose2d = functional.conv_transpose2d

    def prepare(program, shapes, position):
        generator, inputs = torch.Generator().manual_seed(0), {}
        for each in shapes.split():
            name, lengths = each.split("=")
            dtype = DTYPES.get(lengths[:2], "float32")
            lengths = [int(length) for length in lengths.split(",") if length.isdigit()]
            inputs[name] = torch.rand(lengths, generator=generator).to(getattr(torch, dtype))
        code = compile(program, __file__, "eval")
        if position is None:
            return lambda: eval(code, {"ops": ops}, inputs)
        wanted = list(inputs.values())[position].requires_grad_()
        return lambda: torch.autograd.grad(eval(code, {"ops": ops}, inputs).sum(), wanted)

    return prepare


def of_mindspore():
    """A function that prepares a case for MindSpore or msgrad."""
    import mindspore as ms
    import numpy as np
    from mindspore import ops

    ms.set_context(mode=ms.PYNATIVE_MODE, runtime_num_threads=1)

    def prepare(program, shapes, position):
        random, inputs = np.random.RandomState(0), {}
        for each in shapes.split():
            name, lengths = each.split("=")
            dtype = getattr(ms, DTYPES.get(lengths[:2], "float32"))
            lengths = [int(length) for length in lengths.split(",") if length.isdigit()]
            if name in "ij":
                inputs[name] = ms.Tensor(random.randint(0, lengths[0], lengths[1:]), ms.int32)
            else:
                inputs[name] = ms.Tensor(random.uniform(-1, 1, lengths).astype(np.float32)).astype(dtype)
        if "p" in inputs:
            inputs["p"] = ms.Parameter(inputs["p"], name="p")
        code = compile(f"lambda {', '.join(inputs)}: {program}", __file__, "eval")
        run = eval(code, {"ops": ops, "__name__": __name__})  # MindSpore asks for a file and a module
        if position is not None:
            run = ms.grad(run, position)
        if dtype == ms.bfloat16:  # NumPy has none
            return lambda: run(*inputs.values()).astype(ms.float32).asnumpy()
        return lambda: run(*inputs.values()).asnumpy()

    return prepare


def work(library):
    """Answers each name on standard input with the best seconds of a call, or with the error."""
    if library in FORMULATIONS:
        use(library)
    prepare, ready = of_torch() if library == "torch" else of_mindspore(), {}
    for line in sys.stdin:
        name, *case = json.loads(line)
        try:
            if name not in ready:
                ready[name] = prepare(*case)
                ready[name]()
            answer = _best(ready[name])
        except Exception as error:
            answer = f"{type(error).__name__}: {error}".partition("\n")[0][:80]
        print(json.dumps(answer), flush=True)


def _best(run):
    start, best = time.process_time(), 1e9
    while time.process_time() - start < SHORTEST or best == 1e9:
        before = time.process_time()
        run()
        best = min(best, time.process_time() - before)
    return best


# -- in the process that compares them ------------------------------------------------------------------------------


def measure(case, workers, rounds):
    """The best seconds of a case in each worker, or its error."""
    best = {}
    for _ in range(rounds):
        for title, worker in workers.items():
            taken = worker.ask(case)
            taken = "the process has ended" if taken is None else taken
            best[title] = taken if isinstance(taken, str) else min(taken, best.get(title, taken))
    return best


def main():
    from tests.benchmarks.turns import Process  # the workers are run as a file

    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.kernels", description=__doc__.partition(":")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--formulations", action="store_true", help="add all formulations of products and convolutions")
    parser.add_argument("--only", default="", help="a regular expression that the names of cases match")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of each case (default: {ROUNDS})")
    args = parser.parse_args()
    msgrad = [sys.executable, "-m", "msgrad", "run"]
    commands = {"msgrad": msgrad, "MindSpore": [args.oracle], "torch": [args.torch]}
    commands |= dict.fromkeys(FORMULATIONS if args.formulations else (), msgrad)
    settings = {
        "MSGRAD_TIERS": "off",
        "MSGRAD_CACHE": "off",
        "MSGRAD_QUIET": "1",
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "passive",
    }
    workers = {
        title: Process([*command, os.path.abspath(__file__), "--worker", title], settings, processor=0)
        for title, command in commands.items()
        if command != [None]
    }
    print("".join(f"{title:>10}" for title in workers), " ratio")
    try:
        for case in cases():
            if re.search(args.only, case[0]):
                best = measure(case, workers, args.rounds)
                errors = [f": {title}: {taken}" for title, taken in best.items() if isinstance(taken, str)]
                times = "".join([f"{1e3 * t:>10.2f}" if isinstance(t, float) else " " * 10 for t in best.values()])
                ours, *others = [each for each in best.values() if isinstance(each, float)] or [0]
                ratio = f"{ours / others[0]:>6.2f}" if others else " " * 6
                print(f"{times}{ratio} {case[0]}{''.join(errors)}", flush=True)
    finally:
        for worker in workers.values():
            worker.end()


if __name__ == "__main__":
    work(sys.argv[-1]) if "--worker" in sys.argv else main()
