"""Datasets of files that the cases write themselves (see `basics`)."""

import json
import os
import pathlib
import struct
import sys
import tempfile

import numpy as np

from .basics import facts, rows
from .run import each
from .vision import image, jpeg


def mindspore(dataset_module):
    return sys.modules[dataset_module.__name__.rpartition(".")[0]]


def folder():
    return pathlib.Path(tempfile.mkdtemp())


def mnist_folder(count=4):
    path = folder()
    pixels = (np.arange(count * 784) * 7 % 256).astype(np.uint8).tobytes()
    for prefix in ("train", "t10k"):
        (path / f"{prefix}-images-idx3-ubyte").write_bytes(struct.pack(">4I", 2051, count, 28, 28) + pixels)
        (path / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 2049, count) + bytes(range(count)))
    return str(path)


def mnist(ds):
    path = mnist_folder()
    first = [each["label"] for each in rows(ds.MnistDataset(path, "train", shuffle=False, num_samples=2))]
    dataset = ds.MnistDataset(path, "train", shuffle=False)
    return [first, facts(dataset), rows(dataset)[1]["image"].sum(), ds.MnistDataset(path).get_dataset_size()]


def mnist_missing(ds):
    return ds.MnistDataset("/no/such/folder")


def mnist_usage(ds):
    return ds.MnistDataset(mnist_folder(), "valid")


def mnist_empty(ds):
    return rows(ds.MnistDataset(str(folder()), shuffle=False))


def mnist_damaged(ds):
    path = mnist_folder()
    pathlib.Path(path, "train-images-idx3-ubyte").write_bytes(b"nothing")
    return rows(ds.MnistDataset(path, "train", shuffle=False))


def mnist_sampler_and_shards(ds):
    return ds.MnistDataset(mnist_folder(), sampler=ds.SequentialSampler(), num_shards=2, shard_id=0)


def mnist_pk(ds):
    result = rows(ds.MnistDataset(mnist_folder(), "train", sampler=ds.PKSampler(1)))
    return sorted(int(each["label"]) for each in result)


def fashion(ds):
    return facts(ds.FashionMnistDataset(mnist_folder(), "test", shuffle=False))


def cifar(ds):
    path, pixels = folder(), (np.arange(3072) * 5 % 256).astype(np.uint8).tobytes()
    (path / "data_batch_1.bin").write_bytes((b"\x03" + pixels + b"\x05" + pixels[::-1]) * 5000)
    (path / "test_batch.bin").write_bytes((b"\x01" + pixels) * 10000)
    dataset = ds.Cifar10Dataset(str(path), "train", shuffle=False)
    pixel = rows(ds.Cifar10Dataset(str(path), "train", shuffle=False).take(1))[0]["image"][1, 2]
    return [
        facts(dataset),
        [row["label"] for row in rows(dataset)],
        pixel,
        facts(ds.Cifar10Dataset(str(path), "all"))[0],
    ]


def image_folder_path():
    path = folder()
    for name in ("dogs", "cats"):
        (path / name).mkdir()
        for k in range(2):
            (path / name / f"{k}.jpg").write_bytes(jpeg().tobytes())
    return str(path)


def image_folder(ds):
    path = image_folder_path()
    raw, decoded = ds.ImageFolderDataset(path, shuffle=False), ds.ImageFolderDataset(path, shuffle=False, decode=True)
    chosen = ds.ImageFolderDataset(path, shuffle=False, class_indexing={"dogs": 7})
    numbered = ds.ImageFolderDataset(path, shuffle=False, class_indexing={"dogs": 3, "cats": 5})
    return each(
        lambda: facts(raw)[:4],
        lambda: facts(decoded)[:4],
        lambda: [row["label"] for row in rows(raw)],
        lambda: [row["label"] for row in rows(chosen)],
        lambda: [row["label"] for row in rows(numbered)],
        lambda: rows(decoded)[0]["image"][3, 4],
        lambda: raw.num_classes(),
        lambda: raw.get_class_indexing(),
        lambda: chosen.get_class_indexing(),
        lambda: rows(ds.ImageFolderDataset(path, extensions=[".png"])),
    )


def image_folder_missing(ds):
    return ds.ImageFolderDataset("/no/such/folder")


def manifest(ds):
    path = folder()
    (path / "a.jpg").write_bytes(jpeg().tobytes())
    lines = [
        {"source": str(path / "a.jpg"), "usage": "train", "annotation": [{"name": name}]} for name in ("dog", "cat")
    ] + [{"source": str(path / "a.jpg"), "usage": "eval", "annotation": [{"name": "cat"}]}]
    (path / "list").write_text("\n".join(map(json.dumps, lines)) + "\n")
    dataset = ds.ManifestDataset(str(path / "list"), shuffle=False)
    return [
        facts(dataset),
        [row["label"] for row in rows(dataset)],
        dataset.get_class_indexing(),
        dataset.num_classes(),
    ]


def text_lines(ds):
    path = folder()
    (path / "a.txt").write_text("one\ntwo  \n\nthree\n")
    (path / "b.txt").write_text("four")
    both = [str(path / "a.txt"), str(path / "b.txt")]
    shards = [ds.TextFileDataset(both[0], shuffle=False, num_shards=2, shard_id=k) for k in range(2)]
    return each(
        lambda: rows(ds.TextFileDataset(both[0], shuffle=False)),
        lambda: facts(ds.TextFileDataset(both, shuffle=False)),
        lambda: sorted(str(row["text"]) for row in rows(ds.TextFileDataset(both))),
        lambda: rows(ds.TextFileDataset(both[0], shuffle=False, num_samples=2)),
        lambda: [rows(shard) for shard in shards],
        lambda: [shard.get_dataset_size() for shard in shards],
    )


def text_missing(ds):
    return ds.TextFileDataset("/no/such/file")


def csv_fields(ds):
    path = folder() / "a.csv"
    path.write_text('1,2.5,"a, b"\n2,3.5,c\n')
    named = path.with_name("b.csv")
    named.write_text("x,y\n1,\n3,4\n")
    return each(
        lambda: rows(ds.CSVDataset(str(path), ",", [0, 0.0, ""], ["a", "b", "c"], shuffle=False)),
        lambda: facts(ds.CSVDataset(str(path), ",", [0, 0.0, ""], ["a", "b", "c"], shuffle=False)),
        lambda: rows(ds.CSVDataset(str(path), column_names=["a", "b", "c"], shuffle=False)),
        lambda: rows(ds.CSVDataset(str(named), shuffle=False)),
        lambda: rows(ds.CSVDataset(str(named), column_defaults=[0, 7], shuffle=False)),
        lambda: rows(ds.CSVDataset(str(path), ",", [0, 0.0, 0], ["a", "b", "c"], shuffle=False)),
        lambda: rows(ds.CSVDataset(str(path), column_names=["a", "b"], shuffle=False)),
    )


def varint(number):
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(parts) + bytes([number])


def message(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def example(features):
    """The bytes of a tf.train.Example."""
    entries = b""
    for name, value in features.items():
        if isinstance(value[0], bytes):
            kind, content = 1, b"".join(message(1, item) for item in value)
        elif isinstance(value[0], float):
            kind, content = 2, message(1, struct.pack(f"<{len(value)}f", *value))
        else:
            kind, content = 3, message(1, b"".join(varint(item & (1 << 64) - 1) for item in value))
        entries += message(1, message(1, name.encode()) + message(2, message(kind, content)))
    return message(1, entries)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def write_records(path, examples):
    with open(path, "wb") as file:
        for features in examples:
            data = example(features)
            head = struct.pack("<Q", len(data))
            file.write(head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data)))


def tfrecords(ds):
    ms, path = mindspore(ds), str(folder() / "a.tfrecord")
    row_values = [{"n": [k, -k], "f": [k / 2, 1.5, 2.5, 3.5], "b": [bytes([65 + k, 66])]} for k in range(3)]
    write_records(path, row_values)
    schema, bytes_schema = ds.Schema(), ds.Schema()
    schema.add_column("f", ms.float32, [2, 2])
    schema.add_column("n", ms.int32, [2])
    bytes_schema.add_column("b", ms.uint8, [2])
    shards = [
        ds.TFRecordDataset(path, shuffle=False, num_shards=2, shard_id=k, shard_equal_rows=True) for k in range(2)
    ]
    return each(
        lambda: rows(ds.TFRecordDataset(path, shuffle=False)),
        lambda: facts(ds.TFRecordDataset(path, shuffle=False)),
        lambda: rows(ds.TFRecordDataset(path, schema, shuffle=False)),
        lambda: facts(ds.TFRecordDataset(path, schema, shuffle=False)),
        lambda: rows(ds.TFRecordDataset(path, bytes_schema, shuffle=False)),
        lambda: rows(ds.TFRecordDataset(path, columns_list=["n"], shuffle=False, num_samples=2)),
        lambda: sorted(row["n"].tolist() for row in rows(ds.TFRecordDataset(path))),
        lambda: [rows(shard.project(["n"])) for shard in shards],
    )


def tfrecord_missing_column(ds):
    path = str(folder() / "a.tfrecord")
    write_records(path, [{"n": [1]}])
    return rows(ds.TFRecordDataset(path, columns_list=["m"], shuffle=False))


def tfrecord_damaged(ds):
    path = folder() / "a.tfrecord"
    path.write_bytes(b"no records at all, but some text that is long enough")
    return rows(ds.TFRecordDataset(str(path), columns_list=["m"], shuffle=False))


def voc_folder():
    from_image = jpeg().tobytes()
    path = folder()
    for name in ("JPEGImages", "Annotations", "SegmentationClass", "ImageSets/Main", "ImageSets/Segmentation"):
        os.makedirs(path / name)
    (path / "JPEGImages" / "1.jpg").write_bytes(from_image)
    (path / "SegmentationClass" / "1.png").write_bytes(from_image)
    for kind in ("Main", "Segmentation"):
        (path / "ImageSets" / kind / "train.txt").write_text("1\n")
    boxes = [("dog", 2, 3, 20, 30), ("cat", 5, 5, 10, 9)]
    objects = "".join(
        f"<object><name>{name}</name><difficult>0</difficult><truncated>1</truncated><bndbox><xmin>{a}</xmin>"
        f"<ymin>{b}</ymin><xmax>{c}</xmax><ymax>{d}</ymax></bndbox></object>"
        for name, a, b, c, d in boxes
    )
    (path / "Annotations" / "1.xml").write_text(f"<annotation>{objects}</annotation>")
    return str(path)


def voc(ds):
    path = voc_folder()
    detection = ds.VOCDataset(path, "Detection", "train", shuffle=False, decode=True)
    segmentation = ds.VOCDataset(path, "Segmentation", "train", shuffle=False, decode=True)
    return each(
        lambda: facts(detection),
        lambda: {name: value for name, value in rows(detection)[0].items() if name != "image"},
        lambda: detection.get_class_indexing(),
        lambda: facts(segmentation),
        lambda: facts(ds.VOCDataset(path, "Detection", "train", shuffle=False, extra_metadata=True))[1],
    )


def coco(ds):
    path = folder()
    (path / "1.jpg").write_bytes(jpeg().tobytes())
    annotation = {"id": 1, "image_id": 1, "category_id": 3, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 12,
                  "segmentation": [[1, 2, 3, 4, 5, 6]], "keypoints": [1, 2, 2] * 17, "num_keypoints": 17}  # fmt: skip
    content = {"images": [{"id": 1, "file_name": "1.jpg"}], "annotations": [annotation, annotation | {"id": 2}],
               "categories": [{"id": 3, "name": "dog"}]}  # fmt: skip
    (path / "list.json").write_text(json.dumps(content))
    results = []
    for task in ("Detection", "Stuff", "Keypoint"):
        dataset = ds.CocoDataset(str(path), str(path / "list.json"), task, shuffle=False)
        results.append([facts(dataset)[1:4], {k: v for k, v in rows(dataset)[0].items() if k != "image"}])
    return [results, ds.CocoDataset(str(path), str(path / "list.json")).get_class_indexing()]


def celeba(ds):
    path = folder()
    (path / "1.jpg").write_bytes(jpeg().tobytes())
    names = " ".join(f"a{k}" for k in range(40))
    (path / "list_attr_celeba.txt").write_text(f"1\n{names}\n1.jpg {' '.join(['1', '-1'] * 20)}\n")
    (path / "list_eval_partition.txt").write_text("1.jpg 0\n")
    dataset = ds.CelebADataset(str(path), shuffle=False, usage="train")
    return [facts(dataset), rows(dataset)[0]["attr"], image().shape]
