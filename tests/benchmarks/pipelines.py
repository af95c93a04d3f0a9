"""Rows a second of data pipelines, here and in MindSpore, in turns: ``python -m tests.benchmarks.pipelines``."""

import argparse
import io
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL, LARGE = 6000, 600


class Pairs:
    """A source of arrays of 16 numbers and labels."""

    def __init__(self, count=20000):
        self.values = np.random.default_rng(0).random((count, 16)).astype(np.float32)
        self.labels = np.arange(count)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.values[index], self.labels[index]


def digits(ds, workers):
    images = np.random.default_rng(0).integers(0, 256, (SMALL, 28, 28, 1)).astype(np.uint8)
    vision = ds.vision
    steps = [vision.Resize((32, 32)), vision.Rescale(1 / 255, 0), vision.Normalize([0.13], [0.31]), vision.HWC2CHW()]
    dataset = ds.GeneratorDataset([(image,) for image in images], ["image"], shuffle=False)
    return dataset.map(steps, ["image"], num_parallel_workers=workers).batch(32), SMALL


def photographs(ds, workers):
    from PIL import Image

    rows, columns = np.mgrid[:256, :320]
    files = []
    for k in range(30):
        planes = [128 + 100 * np.sin(columns / (9 + k) + rows / 17), 128 + 100 * np.cos(rows / 11 + k), columns % 255]
        noise = np.random.default_rng(k).normal(0, 6, (256, 320, 3))
        file = io.BytesIO()
        Image.fromarray((np.stack(planes, -1) + noise).clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=90)
        files.append((np.frombuffer(file.getvalue(), np.uint8),))
    vision = ds.vision
    steps = [vision.RandomCropDecodeResize(224), vision.RandomHorizontalFlip()]
    steps += [vision.Normalize([123.0, 117.0, 104.0], [58.0, 57.0, 57.0]), vision.HWC2CHW()]
    dataset = ds.GeneratorDataset(files * (LARGE // 30), ["image"], shuffle=False)
    return dataset.map(steps, ["image"], num_parallel_workers=workers).batch(32), LARGE


def arrays(ds, workers):
    return ds.GeneratorDataset(Pairs(), ["x", "y"], shuffle=True).batch(64), 20000


def function(ds, workers):
    dataset = ds.GeneratorDataset(Pairs(), ["x", "y"], shuffle=True)
    return dataset.map(lambda x: x * 2, ["x"], num_parallel_workers=workers).batch(64), 20000


PIPELINES = {
    "28x28: resize, rescale, normalise, HWC2CHW, batch 32": (digits, 1),
    "JPEG 320x256: crop, decode, resize, flip, normalise, HWC2CHW, one worker": (photographs, 1),
    "the same, two workers": (photographs, 2),
    "GeneratorDataset of arrays, batch 64": (arrays, 1),
    "a lambda in map, batch 64": (function, 1),
}


def measure(ds):
    """Rows a second of each pipeline, once."""
    timings = {}
    for name, (make, workers) in PIPELINES.items():
        _read(make(ds, workers)[0].take(1))  # what is imported or started at the first row is not counted
        dataset, rows = make(ds, workers)
        start = time.perf_counter()
        _read(dataset)
        timings[name] = rows / (time.perf_counter() - start)
    return timings


def _read(dataset):
    for _ in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        pass


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pipelines", description=__doc__.partition(":")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter that has MindSpore 2.10")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts (default: 3)")
    parser.add_argument("--worker", choices=["msgrad", "mindspore"], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        module = __import__(f"{args.worker}.dataset").dataset
        sys.stdout.write(json.dumps(measure(module)) + "\n")
        return
    pythons = {"msgrad": sys.executable} | ({"mindspore": os.path.abspath(args.oracle)} if args.oracle else {})
    best = {name: {} for name in PIPELINES}
    for _ in range(args.rounds):
        for version, python in pythons.items():
            command = [python, __file__, "--worker", version]
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "GLOG_v": "4"}
            ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
            for name, rate in json.loads(ran.stdout.splitlines()[-1]).items():
                best[name][version] = max(rate, best[name].get(version, 0))
    for name, rates in best.items():
        figures = ", ".join(f"{version} {rate:,.0f}" for version, rate in rates.items())
        sys.stdout.write(f"{name}: {figures} rows a second\n")


if __name__ == "__main__":
    main()
