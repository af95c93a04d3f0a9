"""Time of data pipelines, here and in MindSpore, in turns: ``python -m tests.benchmarks.pipelines``."""

import argparse
import atexit
import functools
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL, LARGE = 6000, 600
STATISTICS = [123.0, 117.0, 104.0], [58.0, 57.0, 57.0]


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


def small_images(ds, workers):
    images = np.random.default_rng(0).integers(0, 256, (SMALL, 32, 32, 3)).astype(np.uint8)
    vision = ds.vision
    steps = [vision.RandomCrop((32, 32), (4, 4, 4, 4)), vision.RandomHorizontalFlip(), vision.Rescale(1 / 255, 0)]
    steps += [vision.Normalize([0.49, 0.48, 0.45], [0.2, 0.2, 0.2]), vision.HWC2CHW()]
    dataset = ds.NumpySlicesDataset(images, ["image"], shuffle=False)
    return dataset.map(steps, ["image"], num_parallel_workers=workers).batch(32), SMALL


def jpeg(number, height=256, width=320):
    """A photograph-like image, as the bytes of a JPEG file with colours at half of the resolution."""
    from PIL import Image

    rows, columns = np.mgrid[:height, :width]
    planes = [128 + 100 * np.sin(columns / (9 + number) + rows / 17), 128 + 100 * np.cos(rows / 11 + number)]
    planes.append(60 + columns * 150 / width)
    noise = np.random.default_rng(number).normal(0, 3, (height, width, 3))
    file = io.BytesIO()
    Image.fromarray((np.stack(planes, -1) + noise).clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=90)
    return file.getvalue()


@functools.cache
def photographs():
    """A folder of 30 such files in three classes."""
    root = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for number in range(30):
        path = root / str(number % 3) / f"{number:02}.jpg"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(jpeg(number))
    return str(root)


def folder(ds, steps, workers):
    dataset = ds.ImageFolderDataset(photographs(), shuffle=False).repeat(LARGE // 30)
    return dataset.map(steps, ["image"], num_parallel_workers=workers).batch(32), LARGE


def crops(ds, workers):
    steps = [ds.vision.RandomCropDecodeResize(224), ds.vision.RandomHorizontalFlip()]
    return folder(ds, [*steps, ds.vision.Normalize(*STATISTICS), ds.vision.HWC2CHW()], workers)


def resizes(ds, workers):
    steps = [ds.vision.Decode(), ds.vision.Resize(256), ds.vision.CenterCrop(224)]
    return folder(ds, [*steps, ds.vision.Normalize(*STATISTICS), ds.vision.HWC2CHW()], workers)


def tensors(ds, workers):
    steps = [ds.vision.Decode(), ds.vision.RandomResizedCrop(224), ds.vision.ToTensor()]
    return folder(ds, [*steps, ds.vision.Normalize([0.5], [0.2], is_hwc=False)], workers)


def arrays(ds, workers):
    return ds.GeneratorDataset(Pairs(), ["x", "y"], shuffle=True).batch(64), 20000


def function(ds, workers):
    dataset = ds.GeneratorDataset(Pairs(), ["x", "y"], shuffle=True)
    return dataset.map(lambda x: x * 2, ["x"], num_parallel_workers=workers).batch(64), 20000


PIPELINES = {
    "28x28: resize, rescale, normalize, HWC2CHW": (digits, 1),
    "32x32x3: crop, flip, rescale, normalize, HWC2CHW": (small_images, 1),
    "JPEG: RandomCropDecodeResize, flip, normalize, HWC2CHW": (crops, 2),
    "the same, one worker": (crops, 1),
    "JPEG: Decode, Resize, CenterCrop, normalize, HWC2CHW": (resizes, 2),
    "JPEG: Decode, RandomResizedCrop, ToTensor, normalize": (tensors, 2),
    "GeneratorDataset of arrays": (arrays, 1),
    "a lambda in map": (function, 1),
}


def measure(ds):
    """Rows a second of each pipeline, and microseconds of the processor for a row, once."""
    timings = {}
    for name, (make, workers) in PIPELINES.items():
        _read(make(ds, workers)[0].take(1))  # what is imported or started at the first row is not counted
        dataset, rows = make(ds, workers)
        start, used = time.perf_counter(), time.process_time()
        _read(dataset)
        timings[name] = rows / (time.perf_counter() - start), (time.process_time() - used) / rows * 1e6
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
    results = {name: {} for name in PIPELINES}
    for _ in range(args.rounds):
        for version, python in pythons.items():
            command = [python, __file__, "--worker", version]
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "GLOG_v": "4"}
            ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
            for name, (rate, used) in json.loads(ran.stdout.splitlines()[-1]).items():
                rates, times = results[name].setdefault(version, ([], []))
                rates.append(rate)
                times.append(used)
    write = sys.stdout.write
    write(f"load average {os.getloadavg()[1]:.0f}, {os.cpu_count()} processors; best of {args.rounds}\n\n")
    heads = [f"{version}, {unit}" for unit in ("rows/s", "µs a row") for version in pythons]
    write(f"| | {' | '.join(heads)} |\n|---|{'---:|' * len(heads)}\n")
    for name, by_version in results.items():
        figures = [max(rates) for rates, _ in by_version.values()] + [min(times) for _, times in by_version.values()]
        write(f"| {name} | {' | '.join(f'{each:,.0f}'.replace(',', ' ') for each in figures)} |\n")


if __name__ == "__main__":
    main()
