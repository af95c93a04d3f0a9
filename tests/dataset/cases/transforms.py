"""Transforms on arrays (see `basics`)."""

import sys

import numpy as np

from .run import each


def mindspore(dataset_module):
    return sys.modules[dataset_module.__name__.rpartition(".")[0]]


def concatenates(ds):
    concatenate = ds.transforms.Concatenate
    x = np.array([1, 2], np.float32)
    return [
        concatenate(0, np.array([0], np.float32), np.array([9, 9], np.float32))(x),
        concatenate(-1, append=np.array([5], np.float32))(x),
        concatenate()(x, x),
    ]


def concatenate_types(ds):
    return ds.transforms.Concatenate(0, np.array([0], np.int64))(np.array([1.0]))


def concatenate_axis(ds):
    return ds.transforms.Concatenate(1, np.array([0.0]))


def duplicates(ds):
    return ds.transforms.Duplicate()(np.array([1, 2]))


def fills(ds):
    return [
        ds.transforms.Fill(3)(np.array([1.5, 2.5], np.float32)),
        ds.transforms.Fill(2.7)(np.array([1, 2], np.int8)),
        ds.transforms.Fill("ab")(np.array(["c", "dd"])),
        ds.transforms.Fill(True)(np.zeros(2, bool)),
    ]


def fill_text_by_number(ds):
    return ds.transforms.Fill(3)(np.array(["a"]))


def fill_wrong(ds):
    return ds.transforms.Fill([3])


def masks(ds):
    x = np.array([1, 2, 3, 4], np.int32)
    relational, mask = ds.transforms.Relational, ds.transforms.Mask
    return [
        [
            mask(operator, 2)(x)
            for operator in (relational.EQ, relational.NE, relational.GT, relational.GE, relational.LT, relational.LE)
        ],
        mask(relational.GT, 2.5)(x.astype(np.float32)),
        mask(relational.EQ, 3, mindspore(ds).int8)(x),
        mask(relational.EQ, "b")(np.array(["a", "b"])),
    ]


def mask_wrong(ds):
    return ds.transforms.Mask("eq", 2)


def one_hots(ds):
    return [
        ds.transforms.OneHot(3)(np.array([0, 2, 1], np.int32)),
        ds.transforms.OneHot(3)(np.array(1, np.int32)),
        ds.transforms.OneHot(3)(np.array([1], np.uint8)),
        ds.transforms.OneHot(4, 0.2)(np.array([3])),
        ds.transforms.OneHot(4, 0.2)(np.array(3)),
    ]


def one_hot_out_of_range(ds):
    return ds.transforms.OneHot(3)(np.array([3]))


def one_hot_of_floats(ds):
    return ds.transforms.OneHot(3)(np.array([1.0]))


def one_hot_matrix(ds):
    return ds.transforms.OneHot(3)(np.array([[1, 2]]))


def one_hot_negative(ds):
    return ds.transforms.OneHot(0)


def one_hot_text(ds):
    return ds.transforms.OneHot("3")


def pads(ds):
    pad = ds.transforms.PadEnd
    return each(
        lambda: pad([4])(np.array([1, 2])),
        lambda: pad([4], 9)(np.array([1, 2], np.float32)),
        lambda: pad([1, 1], 7)(np.array([[1, 2], [3, 4]])),
        lambda: pad([3], "-")(np.array(["a"])),
        lambda: pad([3])(np.array(["a"])),
    )


def pad_rank(ds):
    return ds.transforms.PadEnd([3, 2])(np.array([1]))


def slices(ds):
    x = np.arange(6).reshape(2, 3)
    make = ds.transforms.Slice
    return each(
        lambda: make(0)(np.array([5, 6, 7])),
        lambda: make([0, 2])(np.array([5, 6, 7])),
        lambda: make(slice(1, 3))(np.array([5, 6, 7])),
        lambda: make(slice(0, 3, 2))(np.array([5, 6, 7])),
        lambda: make(None, 1)(x),
        lambda: make(..., 1)(x),
        lambda: make(1, slice(0, 2))(x),
        lambda: make([0, 1], [2, 0])(x),
        lambda: make(-1)(np.array(["a", "b"])),
    )


def slice_out_of_range(ds):
    return ds.transforms.Slice(9)(np.array([1, 2]))


def slice_wrong(ds):
    return ds.transforms.Slice("a")


def casts(ds):
    ms, cast = mindspore(ds), ds.transforms.TypeCast
    x = np.array([1.7, -2.5, 30])
    return each(
        lambda: [cast(kind)(x) for kind in (ms.int32, ms.float32, ms.float16, ms.bool_, ms.int64, ms.uint8)],
        lambda: cast(np.float32)(np.array([1, 2])),
        lambda: cast("int8")(np.array([1, 2])),
        lambda: cast(ms.string)(np.array([1, 2])),
        lambda: cast(ms.int32)(np.array(["1", "2"])),
        lambda: cast(ms.int8)(3),
    )


def cast_wrong(ds):
    return ds.transforms.TypeCast("no type")


def uniques(ds):
    return each(lambda: ds.transforms.Unique()(np.array([[3, 1], [3, 2]])))


def composes(ds):
    compose = ds.transforms.Compose([ds.transforms.Fill(2), lambda x: x + 1])
    return [
        compose(np.array([1, 1], np.int32)),
        ds.transforms.Compose([lambda x: (x, x * 2), lambda x, y: x + y])(np.array([1, 2])),
    ]


def composes_in_python(ds):
    image = np.zeros((4, 5, 3), np.uint8)
    vision, compose = ds.vision, ds.transforms.Compose
    return [
        compose([vision.ToPIL(), vision.ToTensor()])(image),
        compose([vision.Resize(3), vision.ToTensor()])(vision.ToPIL()(image)),
        compose([compose([vision.Resize(3), vision.ToPIL()]), vision.ToTensor()])(image),
        compose([vision.RgbToHsv(True)])(image / 255),
        compose([ds.transforms.RandomOrder([vision.ToTensor()])])(image),
        compose([vision.Resize(3), vision.HWC2CHW()])(image),
    ]


def random_with_mask(ds):
    image, mask = np.arange(144, dtype=np.uint8).reshape(6, 8, 3), np.arange(48, dtype=np.int32).reshape(6, 8)
    vision, result = ds.vision, []
    for steps in (
        [vision.RandomHorizontalFlip(0.5)],
        [vision.RandomCrop(7, 2), vision.RandomVerticalFlip(0.5)],
        [vision.RandomResizedCrop(3, interpolation=vision.Inter.NEAREST)],
        [vision.Resize(3)],
    ):
        ds.config.set_seed(5)
        rows = ds.NumpySlicesDataset({"image": np.stack([image] * 3), "mask": np.stack([mask] * 3)}, shuffle=False)
        rows = rows.map(steps, ["image", "mask"], num_parallel_workers=1)
        result += each(lambda rows=rows: list(rows.create_tuple_iterator(num_epochs=1, output_numpy=True)))
    return result + each(lambda: vision.RandomCrop(3)(image, mask[:4]), lambda: vision.RandomResize(3)(image, image))


def compose_empty(ds):
    return ds.transforms.Compose([])


def compose_wrong(ds):
    return ds.transforms.Compose([1])


def random_ones(ds):
    add = [lambda x: x + 1, lambda x: x * 10]
    x = np.array([1])
    return [
        ds.transforms.RandomApply(add, 1.0)(x),
        ds.transforms.RandomApply(add, 0.0)(x),
        int(ds.transforms.RandomChoice(add)(x)[0]) in (2, 10),
        int(ds.transforms.RandomOrder(add)(x)[0]) in (20, 11),
    ]


def random_probability(ds):
    return ds.transforms.RandomApply([lambda x: x], 2.0)


def of_tensors(ds):
    ms = mindspore(ds)
    return [
        type(ds.transforms.Fill(3)(ms.Tensor([1, 2]))).__name__,
        type(ds.transforms.TypeCast(ms.int32)([1.0, 2.0])).__name__,
    ]


def types_in_pipelines(ds):
    dataset = ds.NumpySlicesDataset(([1, 2], [3.0, 4.0]), ["a", "b"], shuffle=False)
    dataset = dataset.map(ds.transforms.Concatenate(0), ["a", "b"], ["c"])
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))


def duplicates_in_pipelines(ds):
    dataset = ds.NumpySlicesDataset([1, 2], ["a"], shuffle=False)
    dataset = dataset.map(ds.transforms.Duplicate(), ["a"], ["a", "b"])
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))


def several_columns(ds):
    dataset = ds.NumpySlicesDataset(([1, 2], [3.0, 4.0]), ["a", "b"], shuffle=False)
    dataset = dataset.map(ds.transforms.TypeCast(mindspore(ds).int8), ["a", "b"])
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
