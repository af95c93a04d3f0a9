"""Results of each image transform for each type of image: type, dtype and shape, or the error; some values."""

import numpy as np

from .run import outcome
from .vision import flat, floats, image

START, END = [[0, 0], [8, 0], [8, 6], [0, 6]], [[1, 1], [7, 0], [8, 6], [0, 5]]

# Random ones are made such that chance changes no kind.
TRANSFORMS = {
    "AdjustBrightness": lambda v: v.AdjustBrightness(0.6),
    "AdjustContrast": lambda v: v.AdjustContrast(1.4),
    "AdjustGamma": lambda v: v.AdjustGamma(1.5),
    "AdjustHue": lambda v: v.AdjustHue(0.2),
    "AdjustSaturation": lambda v: v.AdjustSaturation(0.5),
    "AdjustSharpness": lambda v: v.AdjustSharpness(2.0),
    "Affine": lambda v: v.Affine(15, (0.1, 0.2), 1.1, 5.0),
    "AutoAugment": lambda v: v.AutoAugment(),
    "AutoContrast": lambda v: v.AutoContrast(),
    "CenterCrop": lambda v: v.CenterCrop(4),
    "CenterCrop, larger": lambda v: v.CenterCrop(12),
    "ConvertColor": lambda v: v.ConvertColor(v.ConvertMode.COLOR_RGB2GRAY),
    "ConvertColor, swapped": lambda v: v.ConvertColor(v.ConvertMode.COLOR_RGB2BGR),
    "Crop": lambda v: v.Crop((1, 2), (3, 4)),
    "CutOut": lambda v: v.CutOut(3),
    "CutOut, channels first": lambda v: v.CutOut(1, 1, False),
    "Decode": lambda v: v.Decode(),
    "Decode, picture": lambda v: v.Decode(True),
    "Equalize": lambda v: v.Equalize(),
    "Erase": lambda v: v.Erase(1, 2, 3, 4, 9),
    "FiveCrop": lambda v: v.FiveCrop(3),
    "GaussianBlur": lambda v: v.GaussianBlur(3),
    "Grayscale": lambda v: v.Grayscale(1),
    "Grayscale, three": lambda v: v.Grayscale(3),
    "HWC2CHW": lambda v: v.HWC2CHW(),
    "HorizontalFlip": lambda v: v.HorizontalFlip(),
    "HsvToRgb": lambda v: v.HsvToRgb(True),
    "Invert": lambda v: v.Invert(),
    "LinearTransformation": lambda v: v.LinearTransformation(np.eye(189), np.ones(189)),
    "Normalize": lambda v: v.Normalize([1.0], [2.0]),
    "Normalize, three": lambda v: v.Normalize([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
    "Normalize, channels first": lambda v: v.Normalize([1.0], [2.0], False),
    "NormalizePad": lambda v: v.NormalizePad([1.0], [2.0]),
    "Pad": lambda v: v.Pad((1, 2, 3, 2), 7),
    "Pad, edge": lambda v: v.Pad((1, 2, 3, 2), 7, v.Border.EDGE),
    "PadToSize": lambda v: v.PadToSize((9, 12)),
    "Perspective": lambda v: v.Perspective(START, END),
    "Posterize": lambda v: v.Posterize(3),
    "RandAugment": lambda v: v.RandAugment(),
    "RandomAdjustSharpness": lambda v: v.RandomAdjustSharpness(2.0, 1.0),
    "RandomAdjustSharpness, never": lambda v: v.RandomAdjustSharpness(2.0, 0.0),
    "RandomAffine": lambda v: v.RandomAffine(10, (0.1, 0.1), (0.9, 1.1)),
    "RandomAutoContrast": lambda v: v.RandomAutoContrast(0.0, None, 1.0),
    "RandomColor": lambda v: v.RandomColor((0.5, 0.5)),
    "RandomColorAdjust": lambda v: v.RandomColorAdjust(contrast=(1.5, 1.5)),
    "RandomCrop": lambda v: v.RandomCrop(5),
    "RandomCrop, padded": lambda v: v.RandomCrop(12, pad_if_needed=True),
    "RandomCrop, larger": lambda v: v.RandomCrop(12),
    "RandomCropDecodeResize": lambda v: v.RandomCropDecodeResize(5),
    "RandomEqualize": lambda v: v.RandomEqualize(1.0),
    "RandomErasing": lambda v: v.RandomErasing(1.0),
    "RandomErasing, never": lambda v: v.RandomErasing(0.0),
    "RandomErasing, colours": lambda v: v.RandomErasing(1.0, value=(1, 2, 3)),
    "RandomGrayscale": lambda v: v.RandomGrayscale(1.0),
    "RandomGrayscale, never": lambda v: v.RandomGrayscale(0.0),
    "RandomHorizontalFlip": lambda v: v.RandomHorizontalFlip(1.0),
    "RandomInvert": lambda v: v.RandomInvert(1.0),
    "RandomInvert, never": lambda v: v.RandomInvert(0.0),
    "RandomLighting": lambda v: v.RandomLighting(0.1),
    "RandomPerspective": lambda v: v.RandomPerspective(0.5, 1.0),
    "RandomPosterize": lambda v: v.RandomPosterize((3, 3)),
    "RandomResize": lambda v: v.RandomResize((4, 5)),
    "RandomResizedCrop": lambda v: v.RandomResizedCrop(5),
    "RandomRotation": lambda v: v.RandomRotation((30, 30), fill_value=1),
    "RandomSelectSubpolicy": lambda v: v.RandomSelectSubpolicy([[(v.HorizontalFlip(), 1.0)]]),
    "RandomSharpness": lambda v: v.RandomSharpness((1.5, 1.5)),
    "RandomSolarize": lambda v: v.RandomSolarize((100, 100)),
    "RandomVerticalFlip": lambda v: v.RandomVerticalFlip(1.0),
    "Rescale": lambda v: v.Rescale(1 / 255, 0.5),
    "Resize": lambda v: v.Resize((4, 5)),
    "Resize, shorter side": lambda v: v.Resize(4),
    "ResizedCrop": lambda v: v.ResizedCrop(1, 2, 4, 5, (6, 6)),
    "RgbToHsv": lambda v: v.RgbToHsv(True),
    "Rotate": lambda v: v.Rotate(30),
    "Rotate, expanded": lambda v: v.Rotate(90, expand=True),
    "SlicePatches": lambda v: v.SlicePatches(2, 3),
    "Solarize": lambda v: v.Solarize(100),
    "TenCrop": lambda v: v.TenCrop(3),
    "ToNumpy": lambda v: v.ToNumpy(),
    "ToPIL": lambda v: v.ToPIL(),
    "ToTensor": lambda v: v.ToTensor(),
    "ToType": lambda v: v.ToType(np.float32),
    "TrivialAugmentWide": lambda v: v.TrivialAugmentWide(),
    "VerticalFlip": lambda v: v.VerticalFlip(),
}


def kind(result):
    if isinstance(result, (tuple, list)):
        return [kind(each) for each in result]
    if isinstance(result, np.ndarray):
        return ["array", str(result.dtype), list(result.shape)]
    return ["picture", result.mode, list(result.size)]


def kinds(ds, value, left_out=()):
    made = {name: make for name, make in TRANSFORMS.items() if name not in left_out}
    return {name: outcome(lambda make: kind(make(ds.vision)(value)), make) for name, make in made.items()}


def without_channels(ds):
    return kinds(ds, flat())


def one_channel(ds):
    return kinds(ds, image(channels=1), ["RandomErasing, colours"])  # which may find no place


def three_channels(ds):
    return kinds(ds, image())


def four_channels(ds):
    return kinds(ds, image(channels=4))


def pictures(ds):
    return kinds(ds, ds.vision.ToPIL()(image()))


def grey_pictures(ds):
    return kinds(ds, ds.vision.ToPIL()(flat()), ["RandomRotation"])  # docs/differences.md


def float32(ds):
    return kinds(ds, floats(), ["AutoAugment"])  # what it does by chance decides


def float64(ds):
    return kinds(ds, floats().astype(np.float64), ["AutoAugment"])


def int64(ds):
    return kinds(ds, image().astype(np.int64), ["AutoAugment"])


def batches(ds):
    return kinds(ds, np.stack([image()] * 2), ["Rotate, expanded"])


def no_pixels(ds):
    return kinds(ds, np.zeros((0, 9, 3), np.uint8), ["HsvToRgb", "RgbToHsv", "ToType"])


INTERPOLATED = {
    "Affine": lambda v, mode: v.Affine(15, (0.1, 0.2), 1.1, 5.0, mode),
    "Perspective": lambda v, mode: v.Perspective(START, END, mode),
    "RandomAffine": lambda v, mode: v.RandomAffine((10, 10), shear=(5, 5), resample=mode),
    "RandomCropDecodeResize": lambda v, mode: v.RandomCropDecodeResize((4, 5), (1.0, 1.0), (1.0, 1.0), mode),
    "RandomResizedCrop": lambda v, mode: v.RandomResizedCrop((4, 5), (1.0, 1.0), (9 / 7, 9 / 7), mode),
    "RandomRotation": lambda v, mode: v.RandomRotation((30, 30), mode),
    "Resize": lambda v, mode: v.Resize((4, 5), mode),
    "ResizedCrop": lambda v, mode: v.ResizedCrop(1, 2, 4, 5, (6, 6), mode),
    "Rotate": lambda v, mode: v.Rotate(30, mode),
}


def interpolated(ds, value):
    return {
        f"{name}, {mode.name}": outcome(lambda make, mode: np.asarray(make(ds.vision, mode)(value)), make, mode)
        for name, make in INTERPOLATED.items()
        for mode in ds.vision.Inter
    }


def interpolations(ds):
    return interpolated(ds, image())


def interpolations_of_one_channel(ds):
    return interpolated(ds, image(channels=1))


def interpolations_of_pictures(ds):
    return interpolated(ds, ds.vision.ToPIL()(image()))


def interpolations_of_policies(ds):
    vision, modes = ds.vision, (ds.vision.Inter.ANTIALIAS, ds.vision.Inter.PILCUBIC)
    policies = vision.AutoAugment, vision.RandAugment, vision.TrivialAugmentWide
    return [outcome(lambda p, m: p(interpolation=m)(image()).shape, each, mode) for each in policies for mode in modes]


def values(ds):
    vision = ds.vision
    ints, picture = image().astype(np.int32) * 2, vision.ToPIL()(image())
    transforms = [vision.AdjustBrightness(1.5), vision.Invert(), vision.Solarize(100), vision.Pad(1, 200)]
    calls = [(each, value) for each in transforms for value in (ints, (ints // 4).astype(np.int8))]
    calls += [(vision.AdjustContrast(1.4), floats()), (vision.AdjustGamma(1.5), floats().astype(np.float16))]
    calls += [(vision.AdjustGamma(1.5), floats().astype(np.float64)), (vision.ToTensor(), floats().astype(np.float16))]
    calls += [(vision.Posterize(3), (ints // 4).astype(np.int8)), (vision.Normalize([1.0], [2.0], False), flat())]
    calls += [(vision.AdjustBrightness(1.5), flat()), (vision.Posterize(3), picture), (vision.Solarize(100), picture)]
    calls += [(vision.Erase(1, 1, 2, 2, 200), ints)]
    return [np.round(np.asarray(transform(value)).astype(np.float64), 4) for transform, value in calls]


def gammas_of_pictures(ds):
    """`AdjustGamma` takes the bands of a picture as they are, whatever they stand for."""
    picture, result = ds.vision.ToPIL()(image()), {}
    for mode in ("1", "L", "P", "LA", "RGB", "RGBA", "CMYK", "YCbCr", "HSV", "LAB", "I", "F", "I;16"):
        value = (picture.convert("L") if mode in ("LA", "I;16") else picture).convert(mode)
        result[mode] = outcome(lambda each: np.asarray(ds.vision.AdjustGamma(1.5)(each)), value)
    return result


def values_of_batches(ds):
    vision, batch = ds.vision, np.stack([np.stack([image(seed=k), image(seed=k + 5)]) for k in range(2)])
    transforms = [vision.CenterCrop(4), vision.HorizontalFlip(), vision.VerticalFlip(), vision.Rotate(30)]
    transforms += [vision.AdjustGamma(0.5), vision.Resize((4, 5)), vision.RandomHorizontalFlip(1.0)]
    parts = [vision.RandomResizedCrop(5), vision.RandomResize((4, 5))]  # one part and one interpolation for all
    same = [each(np.stack([image()] * 2)) for each in parts for _ in range(5)]
    return [transform(batch) for transform in transforms] + [bool((one == other).all()) for one, other in same]


WITH_BOXES = {
    "BoundingBoxAugment": lambda v: v.BoundingBoxAugment(v.RandomVerticalFlip(1.0), 1.0),
    "RandomCropWithBBox": lambda v: v.RandomCropWithBBox(7),
    "RandomHorizontalFlipWithBBox": lambda v: v.RandomHorizontalFlipWithBBox(1.0),
    "RandomResizeWithBBox": lambda v: v.RandomResizeWithBBox((4, 5)),
    "RandomResizedCropWithBBox": lambda v: v.RandomResizedCropWithBBox(5, (1.0, 1.0), (9 / 7, 9 / 7)),
    "RandomVerticalFlipWithBBox": lambda v: v.RandomVerticalFlipWithBBox(1.0),
    "ResizeWithBBox": lambda v: v.ResizeWithBBox((4, 5)),
}
BOX = np.array([[3, 1, 4, 3]], np.float32)


def kinds_with_boxes(ds):
    picture = ds.vision.ToPIL()(image())
    images = {"flat": flat(), "one": image(channels=1), "three": image(), "four": image(channels=4), "picture": picture}
    images |= {"float": floats(), "int64": image().astype(np.int64), "bool": image() > 100}
    images |= {"row": np.arange(9, dtype=np.uint8), "empty": np.zeros((0, 9, 3), np.uint8)}
    boxes = {
        "int": BOX.astype(int),
        "double": BOX.astype(float),
        "three": BOX[:, :3],
        "outside": BOX + 5,
        "one": BOX[0],
    }
    boxes |= {"one": BOX[0], "none": BOX[:0], "five": np.ones((1, 5), np.float32)}
    results = {}
    for name, make in WITH_BOXES.items():
        calls = {f"{name}, {key}": (value, BOX) for key, value in images.items()}
        calls |= {f"{name}, boxes {key}": (image(), value) for key, value in boxes.items()}
        results |= {key: outcome(lambda make, pair: kind(make(ds.vision)(*pair)), make, calls[key]) for key in calls}
    return results


def boxes_of_crops(ds):
    """What the boxes of crops at every place may be, as a set."""
    crop, box = ds.vision.RandomCropWithBBox(6), np.array([[0, 0, 2, 2], [8, 6, 1, 1]], np.float32)
    results = [crop(image(), box.copy())[1] for _ in range(300)]
    return sorted({(len(boxes), str(boxes.tolist())) for boxes in results})


def mixtures(ds):
    vision, batch = ds.vision, np.stack([image(seed=k) for k in range(3)])
    images = {"NHWC": batch, "NCHW": batch.transpose(0, 3, 1, 2), "one": batch[..., :1], "float": batch / 255}
    images |= {"four": np.concatenate([batch, batch[..., :1]], 3), "int64": batch.astype(np.int64), "none": batch[:0]}
    images |= {"image": image(), "flat": batch[..., 0], "bool": batch > 100}
    labels = {"int": np.eye(3, dtype=np.int64), "numbers": np.arange(3), "two": np.eye(3)[:2], "text": [["a"]] * 3}
    labels |= {"several": np.ones((3, 2, 3), np.float32)}
    transforms = {form.name: vision.CutMixBatch(form, 1.0, 1.0) for form in vision.ImageBatchFormat}
    results = {}
    for name, transform in (transforms | {"MixUpBatch": vision.MixUpBatch(0.5)}).items():
        calls = {f"{name}, {key}": (value, np.eye(3)[: len(value)]) for key, value in images.items()}
        calls |= {f"{name}, labels {key}": (batch, np.array(value)) for key, value in labels.items()}
        results |= {key: outcome(lambda t, pair: kind(t(*pair)), transform, calls[key]) for key in calls}
    return results | {"MixUp": outcome(lambda: kind(vision.MixUp(3, 0.5)(batch[:1], np.eye(3)[:1])))}
