"""Writes ``dataset_drawing.json``: what MindSpore's random transforms of images make, by seed and count of workers.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_drawing_transforms.py``.
A row is ``[source of the transform, seed, workers, checksums of the rows of two epochs]``; ``least_squares`` says by
which last digits of NumPy's the perspectives were made (`_least_squares`). Transforms of Pillow images draw from
Python's ``random``: one row after the other where there is one worker.
"""

import json
import pathlib
import zlib

import _least_squares
import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import audio, transforms, vision

SCOPE = {"vision": vision, "transforms": transforms, "audio": audio, "np": np}
FILE = pathlib.Path(__file__).with_name("dataset_drawing.json")
IMAGES = [
    "vision.RandomCrop(8)",
    "vision.RandomCrop((20, 18), padding=4)",
    "vision.RandomCrop((20, 24))",
    "vision.RandomHorizontalFlip(0.3)",
    "vision.RandomVerticalFlip(0.6)",
    "vision.RandomResizedCrop(10)",
    "vision.RandomResizedCrop((6, 9), (0.5, 1.0), (0.2, 5.0), max_attempts=3)",
    "vision.RandomResizedCrop(10, (0.9, 1.0), (3.0, 4.0), max_attempts=1)",
    "vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1)",
    "vision.RandomColorAdjust(brightness=(0.5, 1.5))",
    "vision.RandomRotation(30)",
    "vision.RandomRotation((10, 80), vision.Inter.BILINEAR, True)",
    "vision.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 10)",
    "vision.RandomAffine((5, 30), (0.1, 0.2, 0.1, 0.3), None, (1, 5, 2, 8))",
    "vision.RandomSharpness()",
    "vision.RandomColor((0.2, 1.8))",
    "vision.RandomPosterize((2, 6))",
    "vision.RandomPosterize(3)",
    "vision.RandomSolarize((20, 200))",
    "vision.RandomLighting(0.2)",
    "vision.RandomInvert(0.4)",
    "vision.RandomEqualize(0.4)",
    "vision.RandomAutoContrast(prob=0.4)",
    "vision.RandomAdjustSharpness(2.0, 0.4)",
    "vision.RandomResize((9, 7))",
    "vision.CutOut(7, 2)",
    "vision.UniformAugment([vision.RandomHorizontalFlip(), vision.VerticalFlip(), vision.RandomColor()], 2)",
    "vision.RandomSelectSubpolicy([[(vision.RandomHorizontalFlip(0.5), 0.7), (vision.VerticalFlip(), 0.4)], "
    "[(vision.Invert(), 0.5)], [(vision.RandomCrop(9), 1), (vision.RandomRotation(20), 0.2)]])",
    "transforms.RandomApply([vision.RandomCrop(8), vision.RandomHorizontalFlip()], 0.6)",
    "transforms.RandomChoice([vision.RandomCrop(8), vision.CenterCrop(4), vision.VerticalFlip()])",
    "transforms.Compose([vision.RandomCrop(12), vision.RandomHorizontalFlip()])",
]
PICTURES = [
    "vision.RandomHorizontalFlip(0.4)",
    "vision.RandomVerticalFlip(0.6)",
    "vision.RandomCrop(8)",
    "vision.RandomCrop((30, 12), pad_if_needed=True)",
    "vision.RandomResizedCrop(10)",
    "vision.RandomResizedCrop(10, (0.9, 1.0), (3.0, 4.0), max_attempts=1)",
    "vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1)",
    "vision.RandomRotation(30)",
    "vision.RandomAffine(20)",
    "vision.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 10)",
    "vision.RandomAffine((5, 30), None, None, (1, 5, 2, 8))",
    "vision.RandomColor((0.2, 1.8))",
    "vision.RandomSharpness()",
    "vision.RandomGrayscale(0.5)",
    "vision.RandomPerspective(0.5, 0.7)",
    "vision.RandomLighting(0.2)",
    "transforms.RandomOrder([vision.RandomHorizontalFlip(0.5), vision.RandomCrop(8), vision.RandomRotation(10)])",
    "transforms.RandomApply([vision.RandomHorizontalFlip(0.5)], 0.5)",
    "transforms.RandomChoice([vision.RandomHorizontalFlip(0.5), vision.RandomCrop(8)])",
    "vision.UniformAugment([vision.RandomHorizontalFlip(), vision.VerticalFlip(), vision.RandomColor()], 2)",
]
ERASING = ["1.0", "0.6, value=(1, 2, 3)", "0.9, value='random'", "1.0, (0.8, 0.9), max_attempts=1"]
IN_PYTHON = [
    *[f"transforms.Compose([vision.ToPIL(), {source}, np.asarray])" for source in PICTURES],
    *[f"transforms.Compose([vision.HWC2CHW(), vision.RandomErasing({args})])" for args in ERASING],
]
BATCHES = [
    "vision.MixUpBatch(0.9)",
    "vision.MixUpBatch(0.4)",
    "vision.MixUpBatch(2.5)",
    *[f"vision.CutMixBatch(vision.ImageBatchFormat.NHWC, {args})" for args in ("1.0", "0.4, 0.7", "2.5, 0.6")],
    "vision.MixUp(6, 0.5)",
    "vision.MixUp(6, 2.0, False)",
]
SOUNDS = [
    "audio.TimeMasking(time_mask_param=20)",
    "audio.FrequencyMasking(freq_mask_param=20)",
    "audio.Dither(audio.DensityFunction.RPDF)",
]
STACKS = [  # each image of a batch has its own crop
    "transforms.Compose([lambda image: np.stack([image] * 3), vision.RandomCrop(8)])",
    "transforms.Compose([lambda image: np.stack([image] * 2), vision.RandomCrop(8, 2)])",
]
EAGER = ["vision.RandomCrop(8)", "vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1)", "vision.RandomHorizontalFlip()"]


def image(number):
    size = (20 + number % 3, 24, 3)
    return np.random.RandomState(number).randint(0, 256, size).astype(np.uint8)


def rows(source):
    """The rows that a transform of a list is given."""
    if source in SOUNDS:
        return [(np.random.RandomState(0).rand(2, 40, 60).astype(np.float32),)] * 4
    if source in BATCHES:
        return [(np.stack([image(3 * each) for each in range(6)]), np.eye(6, dtype=np.int32))] * 3
    return [(image(number),) for number in range(9)]


def checksum(row):
    return zlib.crc32(np.ascontiguousarray(row[0]).tobytes())


def drawn(source, seed, workers):
    """Checksums of two epochs of a pipeline."""
    ds.config.set_seed(seed)
    args = rows(source)
    names = ["x", "y"][: len(args[0])]
    transform = eval(source, SCOPE)
    data = ds.GeneratorDataset(lambda: iter(args), names, shuffle=False)
    data = data.map(transform, names, num_parallel_workers=workers)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    return [[checksum(row) for row in iterator] for _ in range(2)]


def called(source, seed):
    """Checksums of two calls of a transform by itself."""
    ds.config.set_seed(seed)
    transform = eval(source, SCOPE)
    return [checksum((transform(image(0)),)) for _ in range(2)]


def main():
    made = [
        [source, seed, 1, drawn(source, seed, 1)] for source in IMAGES + BATCHES + SOUNDS for seed in (3, 4000000000)
    ]
    made += [[source, 77, 2, drawn(source, 77, 2)] for source in IMAGES]
    made += [[source, seed, 0, called(source, seed)] for source in EAGER for seed in (3, 77)]
    made += [[source, seed, 0, called(source, seed)] for source in STACKS for seed in (3, 77)]
    made += [[source, 3, 1, drawn(source, 3, 1)] for source in IN_PYTHON + STACKS]
    made += [[source, 77, 0, called(source, 77)] for source in IN_PYTHON]
    head = f'{{"least_squares": {_least_squares.checksum()}, "rows": [\n'
    FILE.write_text(head + ",\n".join(map(json.dumps, made)) + "\n]}\n")


if __name__ == "__main__":
    main()
