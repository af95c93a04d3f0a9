"""Deterministic image transforms (see `basics`): small images of fixed numbers."""

import io
import pathlib
import sys
import tempfile

import numpy as np
import PIL.Image

from .run import each


def mindspore(dataset_module):
    return sys.modules[dataset_module.__name__.rpartition(".")[0]]


def image(height=7, width=9, channels=3, seed=0):
    """A smooth picture with some noise: uint8, height x width x channels."""
    rows, columns = np.mgrid[:height, :width].astype(np.float64)
    planes = [128 + 90 * np.sin(rows / (2 + k) + k) + 30 * np.cos(columns / (1 + k)) for k in range(channels)]
    noise = np.array(
        [
            [[(seed + 7 * r + 13 * c + 29 * k) % 17 for k in range(channels)] for c in range(width)]
            for r in range(height)
        ]
    )
    return np.clip(np.stack(planes, -1) + noise, 0, 255).astype(np.uint8)


def flat(height=7, width=9):
    return image(height, width, 1)[:, :, 0]


def floats(height=7, width=9):
    return (image(height, width) / 255).astype(np.float32)


def jpeg(name="picture.jpg"):
    """The bytes of a JPEG file of 40 x 52 pixels, with colours at half of the rows and columns."""
    return np.fromfile(pathlib.Path(__file__).with_name(name), np.uint8)


def normalizes(ds):
    normalize = ds.vision.Normalize
    mean, std = [121.0, 115.0, 100.0], [70.0, 68.0, 71.0]
    return each(
        lambda: normalize(mean, std)(image()),
        lambda: normalize(mean, std)(floats()),
        lambda: normalize(mean, std, is_hwc=False)(image().transpose(2, 0, 1)),
        lambda: normalize([127.5], [127.5])(flat()),
        lambda: normalize([127.5], [127.5])(flat()[:, :, None]),
        lambda: normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))(image(4, 4).astype(np.float64)),
    )


def normalize_channels(ds):
    return ds.vision.Normalize([1.0, 2.0], [1.0, 2.0])(image())


def normalize_std(ds):
    return ds.vision.Normalize([1.0], [0.0])


def normalize_type(ds):
    return ds.vision.Normalize(1.0, 2.0)


def normalize_uneven(ds):
    return ds.vision.Normalize([1.0], [2.0, 3.0])


def normalize_pads(ds):
    pad = ds.vision.NormalizePad([121.0, 115.0, 100.0], [70.0, 68.0, 71.0])
    half = ds.vision.NormalizePad([121.0, 115.0, 100.0], [70.0, 68.0, 71.0], "float16")
    return each(*[lambda t=t: [t(image()).shape, str(t(image()).dtype)] for t in (pad, half)])


def layouts(ds):
    return each(
        lambda: ds.vision.HWC2CHW()(image()),
        lambda: ds.vision.HWC2CHW()(flat()),
        lambda: ds.vision.HWC2CHW()(floats()),
        lambda: ds.vision.ToTensor()(image()),
        lambda: ds.vision.ToTensor()(flat()),
        lambda: ds.vision.ToTensor(np.float16)(image()),
        lambda: ds.vision.ToTensor(mindspore(ds).float64)(image()),
        lambda: ds.vision.ToType(np.int32)(image()),
        lambda: ds.vision.ToNumpy()(ds.vision.ToPIL()(image())),
        lambda: ds.vision.ToTensor()(ds.vision.ToPIL()(image())),
        lambda: list(ds.vision.ToPIL()(image()).size),
        lambda: ds.vision.ToPIL()(flat()).mode,
    )


def layout_rank(ds):
    return ds.vision.HWC2CHW()(np.zeros(3, np.uint8))


def rescales(ds):
    return each(
        lambda: ds.vision.Rescale(1 / 255, 0)(image()),
        lambda: ds.vision.Rescale(2.0, -1.0)(floats()),
        lambda: ds.vision.Rescale(1.0, 0.5)(np.arange(3, dtype=np.int32)),
    )


def resizes(ds):
    inter = ds.vision.Inter
    kinds = [inter.NEAREST, inter.LINEAR, inter.CUBIC, inter.AREA, inter.PILCUBIC]
    sizes = [(4, 5), (11, 12), (3, 14)]
    return [each(*[lambda k=k, s=s: ds.vision.Resize(s, k)(image()) for s in sizes]) for k in kinds] + each(
        lambda: ds.vision.Resize(4)(image()),
        lambda: ds.vision.Resize(12)(image()),
        lambda: ds.vision.Resize((4, 4))(flat()),
        lambda: ds.vision.Resize((4, 4))(floats()),
        lambda: ds.vision.Resize((4, 4), inter.BICUBIC)(floats()),
        lambda: ds.vision.Resize([4, 4])(image(channels=1)),
        lambda: ds.vision.Resize((4, 4))(np.stack([image(), image(seed=3)])),
        lambda: ds.vision.Resize((7, 9))(image()),
    )


def resizes_of_pictures(ds):
    picture = ds.vision.ToPIL()(image())
    inter = ds.vision.Inter
    kinds = [inter.NEAREST, inter.LINEAR, inter.CUBIC, inter.ANTIALIAS]
    return [np.asarray(ds.vision.Resize(size, kind)(picture)) for kind in kinds for size in [(4, 5), 11]]


def resize_zero(ds):
    return ds.vision.Resize(0)


def resize_text(ds):
    return ds.vision.Resize("3")


def resize_mode(ds):
    return ds.vision.Resize(3, "linear")


def resize_three(ds):
    return ds.vision.Resize((3, 4, 5))


def crops(ds):
    vision = ds.vision
    return each(
        lambda: vision.CenterCrop(4)(image()),
        lambda: vision.CenterCrop((3, 5))(image()),
        lambda: vision.CenterCrop((9, 11))(image()),
        lambda: vision.CenterCrop((3, 12))(image()),
        lambda: vision.CenterCrop(4)(flat()),
        lambda: np.asarray(vision.CenterCrop((4, 12))(vision.ToPIL()(image()))),
        lambda: vision.Crop((1, 2), (3, 4))(image()),
        lambda: vision.Crop((0, 0), 5)(image()),
        lambda: vision.ResizedCrop(1, 2, 4, 5, (6, 6))(image()),
        lambda: vision.ResizedCrop(1, 2, 4, 5, 3, vision.Inter.AREA)(image()),
        lambda: [np.asarray(x) for x in vision.FiveCrop(3)(vision.ToPIL()(image()))],
        lambda: [np.asarray(x) for x in vision.TenCrop(3)(vision.ToPIL()(image()))],
        lambda: [np.asarray(x) for x in vision.TenCrop((3, 4), True)(vision.ToPIL()(image()))],
        lambda: vision.SlicePatches(2, 3)(image()),
        lambda: vision.SlicePatches(2, 2, vision.SliceMode.DROP)(image()),
        lambda: vision.SlicePatches(2, 2, vision.SliceMode.PAD, 9)(image()),
    )


def crop_outside(ds):
    return ds.vision.Crop((5, 5), 6)(image())


def flips(ds):
    vision = ds.vision
    return each(
        lambda: vision.HorizontalFlip()(image()),
        lambda: vision.VerticalFlip()(image()),
        lambda: vision.HorizontalFlip()(flat()),
        lambda: vision.RandomHorizontalFlip(1.0)(image()),
        lambda: vision.RandomHorizontalFlip(0.0)(image()),
        lambda: vision.RandomVerticalFlip(1.0)(image()),
        lambda: np.asarray(vision.RandomVerticalFlip(1.0)(vision.ToPIL()(image()))),
        lambda: np.asarray(vision.RandomHorizontalFlip(1.0)(vision.ToPIL()(image()))),
    )


def flip_probability(ds):
    return ds.vision.RandomHorizontalFlip(1.5)


def pads(ds):
    vision = ds.vision
    borders = [vision.Border.CONSTANT, vision.Border.EDGE, vision.Border.REFLECT, vision.Border.SYMMETRIC]
    return [vision.Pad((1, 2, 3, 2), 7, border)(image()) for border in borders] + each(
        lambda: vision.Pad(2)(image()),
        lambda: vision.Pad([1, 2], (1, 2, 3))(image()),
        lambda: vision.Pad(1, 5)(flat()),
        lambda: [np.asarray(vision.Pad((1, 2, 3, 2), 7, border)(vision.ToPIL()(image()))) for border in borders],
        lambda: vision.PadToSize((9, 12))(image()),
        lambda: vision.PadToSize((9, 12), (1, 0), 5)(image()),
        lambda: vision.PadToSize(12, None, 3, vision.Border.EDGE)(image()),
    )


def adjustments(ds):
    vision = ds.vision
    return each(
        *[lambda f=f: vision.AdjustBrightness(f)(image()) for f in (0.0, 0.5, 1.7)],
        *[lambda f=f: vision.AdjustContrast(f)(image()) for f in (0.0, 0.5, 1.7)],
        *[lambda f=f: vision.AdjustSaturation(f)(image()) for f in (0.0, 0.5, 1.7)],
        *[lambda f=f: vision.AdjustHue(f)(image()) for f in (-0.5, 0.1, 0.4)],
        lambda: vision.AdjustGamma(1.5)(image()),
        lambda: vision.AdjustGamma(0.5, 2.0)(image()),
        *[lambda f=f: vision.AdjustSharpness(f)(image()) for f in (0.0, 0.5, 2.0)],
    )


def adjustments_of_pictures(ds):
    vision = ds.vision
    picture = vision.ToPIL()(image())
    transforms = [
        *[
            vision.AdjustBrightness(0.6),
            vision.AdjustContrast(1.4),
            vision.AdjustSaturation(0.5),
            vision.AdjustHue(0.2),
        ],
        *[vision.AdjustGamma(1.5), vision.AdjustSharpness(2.0), vision.AutoContrast(), vision.AutoContrast(10.0, [1])],
        *[vision.Equalize(), vision.Invert(), vision.Grayscale(1), vision.Grayscale(3), vision.Posterize(3)],
        vision.Solarize(100),
    ]
    return each(*[lambda t=t: np.asarray(t(picture)) for t in transforms])


def tones(ds):
    vision = ds.vision
    return each(
        lambda: vision.AutoContrast()(image()),
        lambda: vision.AutoContrast(10.0, [3, 4])(image()),
        lambda: vision.AutoContrast()(flat()),
        lambda: vision.Equalize()(image()),
        lambda: vision.Invert()(image()),
        lambda: vision.Posterize(3)(image()),
        lambda: vision.Solarize(100)(image()),
        lambda: vision.Solarize((50, 150))(image()),
        lambda: vision.RandomInvert(1.0)(image()),
        lambda: vision.RandomEqualize(1.0)(image()),
        lambda: vision.RandomAutoContrast(0.0, None, 1.0)(image()),
        lambda: vision.RandomAdjustSharpness(2.0, 1.0)(image()),
        lambda: vision.RandomPosterize((3, 3))(image()),
        lambda: vision.RandomSolarize((100, 100))(image()),
        lambda: vision.RandomSharpness((1.5, 1.5))(image()),
        lambda: vision.RandomColor((0.5, 0.5))(image()),
        lambda: vision.RandomColorAdjust((0.5, 0.5), (1, 1), (1, 1), (0, 0))(image()),
        lambda: vision.RandomColorAdjust(contrast=(1.5, 1.5))(image()),
        lambda: vision.RandomColorAdjust(saturation=(1.5, 1.5))(image()),
        lambda: vision.RandomColorAdjust(hue=(0.2, 0.2))(image()),
        lambda: vision.GaussianBlur(3)(image()),
        lambda: vision.GaussianBlur((3, 5), (1.0, 2.0))(image()),
        lambda: vision.GaussianBlur((5, 3))(image()),
        lambda: vision.GaussianBlur((3, 5))(image()),
        lambda: vision.Normalize([255.5], [1.0]),
        lambda: vision.Normalize([255.0], [256.0]),
        lambda: vision.NormalizePad([-1.0], [1.0]),
    )


def conversions(ds):
    mode = ds.vision.ConvertMode
    four = image(channels=4)
    inputs = {"BGR2BGRA": image(), "BGRA2BGR": four, "BGR2RGBA": image(), "RGBA2BGR": four, "BGR2RGB": image(),
              "BGRA2RGBA": four, "BGR2GRAY": image(), "RGB2GRAY": image(), "GRAY2BGR": flat(), "GRAY2BGRA": flat(),
              "BGRA2GRAY": four, "RGBA2GRAY": four}  # fmt: skip
    results = [lambda n=n, x=x: ds.vision.ConvertColor(getattr(mode, f"COLOR_{n}"))(x) for n, x in inputs.items()]
    return each(
        *results,
        lambda: np.round(ds.vision.RgbToHsv(True)(floats()), 5),
        lambda: np.round(ds.vision.HsvToRgb(True)(floats()), 5),
        lambda: np.round(ds.vision.RgbToHsv()(floats().transpose(2, 0, 1)), 5),
    )


def turns(ds):
    vision, inter = ds.vision, ds.vision.Inter
    return each(
        *[lambda k=k: vision.Rotate(30, k)(image()) for k in (inter.NEAREST, inter.LINEAR, inter.CUBIC, inter.AREA)],
        lambda: vision.Rotate(90, expand=True)(image()),
        lambda: vision.Rotate(-45, inter.LINEAR, True, None, 9)(image()),
        lambda: vision.Rotate(20, inter.NEAREST, False, (2, 3), (1, 2, 3))(image()),
        lambda: vision.RandomRotation((30, 30))(image()),
        lambda: vision.Affine(15, (0.1, 0.2), 1.1, 5.0)(image()),
        lambda: vision.Affine(0, (0, 0), 1.0, [10.0, 5.0], inter.BILINEAR, 7)(image()),
        lambda: vision.Perspective([[0, 0], [8, 0], [8, 6], [0, 6]], [[1, 1], [7, 0], [8, 6], [0, 5]])(image()),
        lambda: vision.RandomPerspective(0.0, 0.0)(vision.ToPIL()(image())).size[0],
    )


def turns_of_pictures(ds):
    vision, inter = ds.vision, ds.vision.Inter
    picture = vision.ToPIL()(image())
    transforms = [vision.Rotate(30, inter.BILINEAR), vision.Rotate(30, inter.NEAREST, True, (2, 3), 5),
                  vision.RandomRotation((20, 20), inter.BICUBIC), vision.Affine(15, (0.1, 0.2), 1.1, 5.0),
                  vision.Perspective([[0, 0], [8, 0], [8, 6], [0, 6]], [[1, 1], [7, 0], [8, 6], [0, 5]])]  # fmt: skip
    return each(*[lambda t=t: np.asarray(t(picture)) for t in transforms])


def erasures(ds):
    vision = ds.vision
    return each(
        lambda: vision.Erase(1, 2, 3, 4, 9)(image()),
        lambda: vision.Erase(1, 2, 3, 4, (1, 2, 3))(image()),
        lambda: vision.RandomErasing(0.0)(image().transpose(2, 0, 1)),
        lambda: int((vision.CutOut(3)(np.full((9, 9, 3), 5, np.uint8)) == 0).sum()) <= 27,
        lambda: vision.CutOut(30)(image()).sum() >= 0,
    )


def mixtures(ds):
    vision = ds.vision
    images = np.stack([image(seed=k) for k in range(3)])
    labels = np.eye(3, dtype=np.float32)
    return each(
        lambda: [list(x.shape) for x in vision.MixUpBatch(0.5)(images, labels)],
        lambda: [str(x.dtype) for x in vision.MixUpBatch(0.5)(images, labels)],
        lambda: [list(x.shape) for x in vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 0.5)(images, labels)],
        lambda: [str(x.dtype) for x in vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 0.5)(images, labels)],
        lambda: np.round(
            vision.LinearTransformation(np.eye(12) * 2, np.ones(12))(image(2, 2).transpose(2, 0, 1) / 1.0), 6
        ),
    )


def random_sizes(ds):
    vision = ds.vision
    picture = vision.ToPIL()(image(20, 30))
    return each(
        lambda: list(vision.RandomCrop(5)(image()).shape),
        lambda: list(vision.RandomCrop((5, 4), 3)(image()).shape),
        lambda: list(vision.RandomCrop(12, pad_if_needed=True)(image()).shape),
        lambda: list(vision.RandomCrop(12)(image()).shape),
        lambda: list(vision.RandomCrop((5, 4), (1, 2, 3, 4), True, 7, vision.Border.EDGE)(picture).size),
        lambda: list(vision.RandomResizedCrop(5)(image()).shape),
        lambda: list(vision.RandomResizedCrop((6, 4), (0.5, 1.0))(picture).size),
        lambda: list(vision.RandomResize((6, 4))(image()).shape),
        lambda: list(vision.RandomAffine(10, (0.1, 0.1), (0.9, 1.1))(image()).shape),
        lambda: list(vision.RandomAffine(10)(picture).size),
        lambda: list(vision.RandomLighting(0.1)(image()).shape),
        lambda: list(vision.RandAugment()(image()).shape),
        lambda: list(vision.TrivialAugmentWide()(image()).shape),
        lambda: list(vision.AutoAugment()(image()).shape),
        lambda: list(vision.UniformAugment([vision.RandomHorizontalFlip(), vision.Invert()])(image()).shape),
        lambda: list(vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0)]])(image()).shape),
    )


def boxes(ds):
    vision = ds.vision
    box = np.array([[1, 2, 4, 3], [0, 0, 2, 2]], np.float32)
    return each(
        lambda: list(vision.RandomHorizontalFlipWithBBox(1.0)(image(), box.copy())),
        lambda: list(vision.RandomVerticalFlipWithBBox(1.0)(image(), box.copy())),
        lambda: list(vision.ResizeWithBBox((14, 18))(image(), box.copy())),
    )


def decodes(ds):
    vision = ds.vision
    path = str(pathlib.Path(__file__).with_name("picture.jpg"))
    return each(
        lambda: vision.Decode()(jpeg()),
        lambda: np.asarray(vision.Decode(to_pil=True)(jpeg())),
        lambda: vision.read_file(path).shape[0],
        lambda: vision.read_image(path),
        lambda: vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape,
        lambda: vision.get_image_size(vision.read_image(path)),
        lambda: vision.get_image_num_channels(vision.read_image(path)),
        lambda: vision.Decode()(vision.encode_png(image())),
        lambda: list(vision.RandomCropDecodeResize(8)(jpeg()).shape),
        lambda: list(vision.RandomCropDecodeResize((6, 8), (1.0, 1.0), (1.3, 1.3))(jpeg()).shape),
    )


def png(pixels, **options):
    """The bytes of a PNG file of an array."""
    file = io.BytesIO()
    PIL.Image.fromarray(pixels).save(file, "PNG", **options)
    return file.getvalue()


def reads(ds):
    vision, path = ds.vision, pathlib.Path(tempfile.mkdtemp()) / "a.png"
    results = {}
    deep = flat().astype(np.uint16) * 200
    for name, pixels in {
        "grey": flat(),
        "alpha": image(channels=4),
        "grey alpha": image(channels=2),
        "16": deep,
    }.items():
        path.write_bytes(png(pixels))
        results |= {f"{name}, {mode.name}": vision.read_image(str(path), mode) for mode in vision.ImageReadMode}
    return results


def not_decoded(ds):
    vision, whole = ds.vision, png(image())
    files = [b"", b"no image", whole[:60], whole[:20], whole[:16] + bytes(8) + whole[24:], b"BM", b"\xff\xd8\xff\xe0"]
    decoders = [vision.Decode(), vision.Decode(True), vision.RandomCropDecodeResize(5)]
    return [each(*[lambda d=d, f=f: d(np.frombuffer(f, np.uint8)).size for d in decoders]) for f in files]


def not_encoded(ds):
    vision = ds.vision
    values = [np.zeros((0, 5, 3), np.uint8), np.zeros((70000, 1), np.uint8), np.zeros((3, 4, 2), np.uint8), floats()]
    return [each(lambda v=v: vision.encode_jpeg(v).ndim, lambda v=v: vision.encode_png(v[:9]).ndim) for v in values]


def decode_twice(ds):
    return ds.vision.Decode()(image())


def decode_damaged(ds):
    return ds.vision.Decode()(np.zeros(20, np.uint8))


def sharpness_of_one_channel(ds):
    plane = (np.arange(56).reshape(7, 8) * 37 % 256).astype(np.uint8)
    images = plane, plane[:, :, None], plane[:3, :4], np.dstack([plane] * 3)
    return [ds.vision.AdjustSharpness(factor)(each) for factor in (0, 0.5, 2.0) for each in images]


def mix_up(ds):
    images = np.stack([image(seed=k) for k in range(4)])
    labels = np.eye(4, dtype=np.float32)
    alone = ds.vision.MixUp(1, 0.2)(images[:1], labels[:1])
    several = ds.vision.MixUp(4, 0.2, False)
    first = several(images, labels)
    return each(
        lambda: bool(np.allclose(alone[0], images[:1])),
        lambda: [bool(np.array_equal(first[0], images)), first[1]],
        lambda: [list(part.shape) for part in several(images, labels)],
        lambda: [str(part.dtype) for part in ds.vision.MixUp(4, 0.2)(images, labels)],
        lambda: [int(np.count_nonzero(row)) <= 2 for row in ds.vision.MixUp(4, 0.2)(images, labels)[1]],
        lambda: np.argwhere(np.triu(ds.vision.MixUp(4, 0.2)(images, labels)[1] > 0, 2)),
        lambda: ds.vision.MixUp(3, 0.2)(images, labels),
        lambda: ds.vision.MixUp(2, 0.2, False)(image(), np.array([[0, 1]]))[0].shape,
        lambda: ds.vision.ToNumpy()([image()] * 2).shape,
    )


def parts_of_jpeg_decoded_alone(ds):
    return parts(ds, jpeg())


def parts_of_jpeg_with_colours_at_half_of_the_columns(ds):
    return parts(ds, jpeg("picture_422.jpg"))


def parts(ds, file):
    ds.config.set_seed(5)
    pictures = ds.GeneratorDataset(lambda: ((file,) for _ in range(12)), ["image"], shuffle=False)
    parts = pictures.map(ds.vision.RandomCropDecodeResize((3, 9)), ["image"], num_parallel_workers=1)
    return [row[0] for row in parts.create_tuple_iterator(num_epochs=1, output_numpy=True)]
