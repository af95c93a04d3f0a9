"""Published image datasets, in miniature: files that the cases write themselves (see `basics`)."""

import io
import json
import struct

import numpy as np

from .folders import mat, read, tree
from .run import each
from .vision import jpeg


def files(names):
    """A file of a few bytes of its own for each name."""
    return {name: bytes([255, 216, 255, k]) for k, name in enumerate(names)}


def caltech101(ds):
    points = np.array([[1.0, 2.5], [3, 4]])
    folder = files(
        f"101_ObjectCategories/{name}/image_000{k}.jpg"
        for name in ("Faces", "ant", "BACKGROUND_Google")
        for k in (1, 2)
    )
    folder |= {
        f"Annotations/{name}/annotation_000{k}.mat": mat(obj_contour=points * k)
        for name in ("Faces_2", "ant")
        for k in (1, 2)
    }
    path = tree(folder)
    targets = (None, "category", "annotation", "all", "other")
    return [
        each(lambda target=target: read(ds.Caltech101Dataset(path, target, shuffle=False))) for target in targets
    ] + each(
        lambda: ds.Caltech101Dataset("/no/such/folder"),
    )


def caltech256(ds):
    path = tree(files(["001.ak47/001_0001.jpg", "001.ak47/001_0002.jpg", "002.flag/002_0001.jpg"]))
    return each(
        lambda: read(ds.Caltech256Dataset(path, shuffle=False)),
        lambda: ds.Caltech256Dataset(path).num_classes(),
        lambda: ds.Caltech256Dataset(path).get_class_indexing(),
        lambda: read(ds.Caltech256Dataset(tree({}))),
    )


def decoded(ds):
    path = tree({"001.ak47/001_0001.jpg": jpeg().tobytes()})
    return each(
        lambda: read(ds.Caltech256Dataset(path, decode=True)),
        lambda: read(ds.Caltech256Dataset(tree(files(["a/b.jpg"])), decode=True)),
        lambda: ds.Caltech256Dataset(path, decode="yes"),
    )


def cityscapes(ds):
    names = []
    for part in ("train", "test", "val"):
        for city in ("aachen", "bochum"):
            stem = f"{part}/{city}/{city}_000000_000019"
            names += [f"leftImg8bit/{stem}_leftImg8bit.png"]
            names += [f"gtFine/{stem}_gtFine_{kind}.png" for kind in ("color", "instanceIds", "labelIds")]
    stem = "train_extra/x/x_000000_000001"
    names += [f"leftImg8bit/{stem}_leftImg8bit.png"] + [f"gtCoarse/{stem}_gtCoarse_instanceIds.png"]
    content = files(names)
    content |= {
        name.replace("instanceIds.png", "polygons.json"): json.dumps({"name": name})
        for name in names
        if "instanceIds" in name
    }
    path, source = tree(content), ds.CityscapesDataset
    return each(
        lambda: read(source(path, shuffle=False)),
        lambda: read(source(path, "test", "fine", "semantic", shuffle=False)),
        lambda: read(source(path, "val", "fine", "polygon", shuffle=False)),
        lambda: read(source(path, "all", "fine", "color", shuffle=False)),
        lambda: read(source(path, "train_extra", "coarse", "instance", shuffle=False)),
        lambda: source(path, "train_extra"),
        lambda: source(path, task="other"),
        lambda: source(path, quality_mode="other"),
        lambda: source("/no/such/folder"),
    )


def div2k(ds):
    names = []
    for part in ("train", "valid"):
        for k in (1, 2):
            number = f"{k + 800 * (part == 'valid'):04}"
            names += [f"DIV2K_{part}_HR/{number}.png", f"DIV2K_{part}_LR_x8/{number}x8.png"]
            names += [
                f"DIV2K_{part}_LR_{kind}/X{scale}/{number}x{scale}.png"
                for kind in ("bicubic", "unknown")
                for scale in (2, 3)
            ]
            names += [f"DIV2K_{part}_LR_{kind}/{number}x4{kind[0]}.png" for kind in ("mild", "difficult", "wild")]
    path, source = tree(files(names)), ds.DIV2KDataset
    return each(
        lambda: read(source(path, shuffle=False)),
        lambda: read(source(path, "valid", "unknown", 3, shuffle=False)),
        lambda: read(source(path, "all", "bicubic", 8, shuffle=False)),
        lambda: read(source(path, "train", "mild", 4, shuffle=False)),
        lambda: read(source(path, "train", "wild", 4, shuffle=False)),
        lambda: source(path, "train", "mild", 2),
        lambda: source(path, "train", "unknown", 8),
        lambda: source(path, "train", "other", 4),
        lambda: source(path, "train", "bicubic", 5),
        lambda: source(path, "test"),
    )


def flickr(ds):
    names = ["1000268201_693b08cb0e.jpg", "1001773457_577c3a7d70.jpg"]
    lines = "".join(f"{name}#{k}\tcaption {k} of {name[:4]} .\n" for name in names for k in range(5))
    path = tree(files(f"images/{name}" for name in names) | {"token.txt": lines, "short.txt": "a.jpg#0 no tab\n"})
    return each(
        lambda: read(ds.FlickrDataset(f"{path}/images", f"{path}/token.txt", shuffle=False)),
        lambda: read(ds.FlickrDataset(f"{path}/images", f"{path}/short.txt", shuffle=False)),
        lambda: ds.FlickrDataset(f"{path}/images", "/no/such/file"),
    )


def flowers102(ds):
    content = files(
        f"{kind}/{stem}_{k:05}.jpg" for kind, stem in (("jpg", "image"), ("segmim", "segmim")) for k in (1, 2, 3)
    )
    content["imagelabels.mat"] = mat(labels=np.array([[77, 5, 1]]))
    content["setid.mat"] = mat(trnid=np.array([[2]]), valid=np.array([[3]]), tstid=np.array([[1]]))
    path, source = tree(content), ds.Flowers102Dataset
    return each(
        lambda: read(source(path, shuffle=False)),
        lambda: read(source(path, "Segmentation", "train", shuffle=False)),
        lambda: read(source(path, "Classification", "valid", shuffle=False)),
        lambda: source(path, "Detection"),
        lambda: source(path, usage="other"),
    )


def food101(ds):
    content = files(f"images/{name}/{k}.jpg" for name in ("apple_pie", "ribs") for k in (101, 102))
    content |= {
        "meta/train.txt": "apple_pie/101\nribs/102\n",
        "meta/test.txt": "apple_pie/102\nribs/101\n",
        "meta/classes.txt": "apple_pie\nribs\n",
    }
    path = tree(content)
    parts = ("train", "test", "all", None, "other")
    return [each(lambda part=part: read(ds.Food101Dataset(path, part, shuffle=False))) for part in parts]


def kitti(ds):
    lines = "Car 0.0 1 1.85 387.63 181.54 423.81 203.12 1.67 1.87 3.69 -16.53 2.39 58.49 1.57\n"
    lines += "Cyclist 0.5 3 -1.65 676.60 163.95 688.98 193.93 1.86 0.60 2.02 4.59 1.32 45.84 -1.55\n"
    lines += "DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10\n"
    names = [f"data_object_image_2/{part}/image_2/00000{k}.png" for part in ("training", "testing") for k in (0, 1)]
    path = tree(files(names) | {f"data_object_label_2/training/label_2/00000{k}.txt": lines for k in (0, 1)})
    return each(
        lambda: read(ds.KITTIDataset(path, shuffle=False, num_samples=1)),
        lambda: read(ds.KITTIDataset(path, "test", shuffle=False)),
        lambda: ds.KITTIDataset(path, "all"),
    )


def lfw(ds):
    names = [
        f"{folder}/{name}/{name}_000{k}.jpg"
        for folder in ("lfw", "lfw_funneled", "lfw-deepfunneled")
        for name in ("Aaron_E", "Abbas_K")
        for k in (1, 2)
    ]
    content = files(names) | {"lfw-names.txt": "Aaron_E\t2\nAbbas_K\t2\n"}
    content |= {
        "people.txt": "2\n1\nAaron_E\t2\n1\nAbbas_K\t2\n",
        "peopleDevTrain.txt": "1\nAaron_E\t2\n",
        "peopleDevTest.txt": "1\nAbbas_K\t1\n",
    }
    content |= {"pairs.txt": "2\t1\nAaron_E\t1\t2\nAaron_E\t1\tAbbas_K\t2\nAbbas_K\t1\t2\nAbbas_K\t1\tAaron_E\t2\n",
                "pairsDevTrain.txt": "1\nAaron_E\t1\t2\nAaron_E\t1\tAbbas_K\t2\n",
                "pairsDevTest.txt": "1\nAbbas_K\t1\t2\nAbbas_K\t1\tAaron_E\t2\n"}  # fmt: skip
    path, source = tree(content), ds.LFWDataset
    cases = [(task, usage) for task in ("people", "pairs") for usage in ("train", "test", "all", "10fold")]
    return [each(lambda case=case: read(source(path, *case, shuffle=False))) for case in cases] + each(
        lambda: read(source(path, shuffle=False)),
        lambda: read(source(path, "people", "test", "original", shuffle=False)),
        lambda: read(source(path, "people", "test", "deepfunneled", shuffle=False)),
        lambda: source(path, "other"),
        lambda: source(path, image_set="other"),
        lambda: source(path, shuffle=False).get_class_indexing(),
    )


def lsun(ds):
    path = tree(
        files(
            [
                "test/0.jpg",
                "bedroom_train/1_1.jpg",
                "bedroom_val/2.jpg",
                "classroom_train/3.jpg",
                "classroom_train/4.jpg",
                "classroom_val/5.jpg",
            ]
        )
    )
    parts = ("train", "valid", "test", "all", None, "other")
    return [each(lambda part=part: read(ds.LSUNDataset(path, part, shuffle=False))) for part in parts] + each(
        lambda: read(ds.LSUNDataset(path, "train", ["classroom"], shuffle=False)),
        lambda: read(ds.LSUNDataset(path, "train", "bedroom", shuffle=False)),
        lambda: read(ds.LSUNDataset(path, "train", "kitchen", shuffle=False)),
        lambda: ds.LSUNDataset(path, "train").num_classes(),
    )


def omniglot(ds):
    names = [
        f"images_{part}/{alphabet}/{letter}/0{k}.png"
        for part in ("background", "evaluation")
        for alphabet in ("Greek", "Latin")
        for letter in ("character01", "character02")
        for k in (1, 2)
    ]
    path = tree(files(names))
    return each(
        lambda: read(ds.OmniglotDataset(path, shuffle=False)),
        lambda: read(ds.OmniglotDataset(path, False, shuffle=False)),
        lambda: ds.OmniglotDataset(path).num_classes(),
        lambda: ds.OmniglotDataset(path, "yes"),
    )


def photo_tour(ds):
    from PIL import Image

    sheet, file = np.arange(1024 * 1024).reshape(1024, 1024) % 251, io.BytesIO()
    Image.fromarray(sheet.astype(np.uint8)).save(file, "bmp")
    bitmap = file.getvalue()
    info = "".join(f"{k // 2} 0\n" for k in range(5))
    content = {"liberty/info.txt": info, "liberty/patches0000.bmp": bitmap}
    content["liberty/m50_100000_100000_0.txt"] = "0 0 0 1 0 0 0\n1 0 0 3 1 0 0\n"
    path = tree(content)
    return each(
        lambda: ds.PhotoTourDataset(path, "liberty", shuffle=False).get_dataset_size(),
        lambda: read(ds.PhotoTourDataset(path, "liberty", "train", shuffle=False)),
        lambda: read(ds.PhotoTourDataset(path, "liberty", "test", shuffle=False)),
        lambda: ds.PhotoTourDataset(path, "other"),
        lambda: ds.PhotoTourDataset(path, "liberty", "all"),
    )


def places365(ds):
    content = files(
        [
            "data_256_standard/a/b/1.jpg",
            "data_large_standard/a/b/1.jpg",
            "val_256/Places365_val_00000001.jpg",
            "val_large/Places365_val_00000001.jpg",
            "data_256_standard/c/2.jpg",
            "data_256_challenge/c/2.jpg",
        ]
    )
    content |= {
        "categories_places365.txt": "/a/b 0\n/c 1\n",
        "places365_train_standard.txt": "/a/b/1.jpg 0\n/c/2.jpg 1\n",
        "places365_train_challenge.txt": "/c/2.jpg 1\n",
        "places365_val.txt": "Places365_val_00000001.jpg 1\n",
    }
    path, source = tree(content), ds.Places365Dataset
    return each(
        lambda: read(source(path, shuffle=False)),
        lambda: read(source(path, "val", shuffle=False)),
        lambda: read(source(path, "val", False, shuffle=False)),
        lambda: read(source(path, "train-challenge", True, shuffle=False)),
        lambda: source(path, "test"),
    )


def qmnist(ds):
    def images(count):
        return struct.pack(">4I", 2051, count, 28, 28) + (np.arange(count * 784) * 7 % 256).astype(np.uint8).tobytes()

    def labels(count):
        return struct.pack(">3I", 3074, count, 8) + np.arange(count * 8, dtype=">i4").tobytes()

    content = {}
    for stem, count in (("qmnist-train", 3), ("qmnist-test", 4), ("xnist", 2)):
        content |= {f"{stem}-images-idx3-ubyte": images(count), f"{stem}-labels-idx2-int": labels(count)}
    path, source = tree(content), ds.QMnistDataset
    return [
        each(lambda part=part: read(source(path, part, shuffle=False))) for part in ("train", "test", "nist", "all")
    ] + each(
        lambda: read(source(path, "train", False, shuffle=False)),
        lambda: source(path).get_dataset_size(),
        lambda: source(path, "other"),
    )


def random_rows(ds):
    schema = ds.Schema()
    schema.add_column("image", "uint8", [2, 3])
    schema.add_column("label", "float32", [])

    def facts(dataset):
        return [
            dataset.get_dataset_size(),
            dataset.get_col_names(),
            dataset.output_shapes(),
            [str(np.dtype(kind)) for kind in dataset.output_types()],
        ]

    return each(
        lambda: facts(ds.RandomDataset(5, schema)),
        lambda: facts(ds.RandomDataset(5, schema, ["label"])),
        lambda: ds.RandomDataset(4, columns_list=["a", "b"]).get_dataset_size(),
    )


def rendered_sst2(ds):
    path = tree(
        files(
            f"{part}/{kind}/000{k}.png"
            for part in ("train", "valid", "test")
            for kind in ("negative", "positive")
            for k in (1, 2)
        )
    )
    parts = ("train", "val", "test", "all", None, "other")
    return [each(lambda part=part: read(ds.RenderedSST2Dataset(path, part, shuffle=False))) for part in parts]


def sbd(ds):
    from scipy import sparse

    cells = np.empty((20, 1), object)
    for k in range(20):
        cells[k, 0] = sparse.csc_matrix(np.eye(3) * (k == 4))
    classes = mat(GTcls={"Boundaries": cells, "Segmentation": np.arange(9, dtype=np.uint8).reshape(3, 3)})
    names = ("2008_1", "2008_2", "2008_3")
    content = files(f"img/{name}.jpg" for name in names) | {f"cls/{name}.mat": classes for name in names}
    content |= {"train.txt": "2008_1\n2008_2\n", "val.txt": "2008_3\n", "train_noval.txt": "2008_2\n"}
    path, source = tree(content), ds.SBDataset
    return each(
        lambda: read(source(path, shuffle=False)),
        lambda: read(source(path, "Segmentation", "val", shuffle=False)),
        lambda: read(source(path, "Boundaries", "train_noval", shuffle=False)),
        lambda: source(path, "other"),
        lambda: source(path, usage="other"),
    )


def sbu(ds):
    addresses = [f"http://static.flickr.com/{name}.jpg\n" for name in ("3326/359_3ce", "2/missing", "5/6")]
    content = {
        "SBU_captioned_photo_dataset_captions.txt": "a first caption\nsecond\nthird\n",
        "SBU_captioned_photo_dataset_urls.txt": "".join(addresses),
    }
    path = tree(
        content
        | files(
            [
                "sbu_images/3326_359_3ce.jpg",
                "sbu_images/m_3326_359_3ce.jpg",
                "sbu_images/5_6.jpg",
                "sbu_images/m_5_6.jpg",
            ]
        )
    )
    return each(lambda: read(ds.SBUDataset(path, shuffle=False)), lambda: read(ds.SBUDataset(tree({"a": ""}))))


def semeion(ds):
    def line(digit):
        return (
            " ".join(f"{(k + digit) % 2}.0000" for k in range(256))
            + " "
            + " ".join(str(int(k == digit)) for k in range(10))
            + " \n"
        )

    return each(
        lambda: read(ds.SemeionDataset(tree({"semeion.data": line(3) + line(0) + line(9)}), shuffle=False)),
        lambda: read(ds.SemeionDataset(tree({"semeion.data": "1 2 3\n"}), shuffle=False)),
        lambda: read(ds.SemeionDataset(tree({"other": ""}), shuffle=False)),
    )


def stl10(ds):
    content = {}
    for k, part in enumerate(("train", "test", "unlabeled")):
        content[f"{part}_X.bin"] = (np.arange((k + 1) * 27648) * 7 % 251).astype(np.uint8).tobytes()
        content[f"{part}_y.bin"] = bytes([3, 10, 1][: k + 1])
    del content["unlabeled_y.bin"]
    path = tree(content)
    return [
        each(lambda part=part: read(ds.STL10Dataset(path, part, shuffle=False)))
        for part in ("train", "test", "unlabeled", "train+unlabeled", "all", None, "other")
    ]


def sun397(ds):
    content = files(
        ["a/abbey/sun_1.jpg", "a/abbey/sun_2.jpg", "a/apartment_building/outdoor/sun_3.jpg", "b/bar/sun_4.jpg"]
    )
    path = tree(content | {"ClassName.txt": "/a/abbey\n/a/apartment_building/outdoor\n/b/bar\n"})
    return each(
        lambda: read(ds.SUN397Dataset(path, shuffle=False)),
        lambda: read(ds.SUN397Dataset(tree(content))),
    )


def svhn(ds):
    content = {}
    for k, part in enumerate(("train", "test", "extra")):
        pixels = np.arange(32 * 32 * 3 * (k + 2)) * 7 % 251
        content[f"{part}_32x32.mat"] = mat(
            X=pixels.reshape(32, 32, 3, k + 2).astype(np.uint8), y=np.array([[10], [2], [3], [4]][: k + 2])
        )
    path = tree(content)
    return [
        each(lambda part=part: read(ds.SVHNDataset(path, part, shuffle=False)))
        for part in ("train", "all", None, "other")
    ]


def wider_face(ds):
    boxes = "449 330 122 149 0 0 0 0 0 0 \n21 263 17 16 2 0 0 1 0 1 \n"
    names = {"train": "0--Parade/0_Parade_1.jpg", "val": "0--Parade/0_Parade_2.jpg", "test": "0--Parade/0_Parade_3.jpg"}
    content = files(f"WIDER_{part}/images/{name}" for part, name in names.items())
    content |= {
        f"wider_face_split/wider_face_{part}_bbx_gt.txt": f"{names[part]}\n2\n{boxes}" for part in ("train", "val")
    }
    content["wider_face_split/wider_face_test_filelist.txt"] = names["test"] + "\n"
    path = tree(content)
    return [
        each(lambda part=part: read(ds.WIDERFaceDataset(path, part, shuffle=False)))
        for part in ("train", "valid", "test", "all", None, "other")
    ]


def fake_image(ds):
    source = ds.FakeImageDataset

    def shape(dataset):
        return read(dataset)[0]

    return each(
        lambda: shape(source(3, (20, 10, 3), 4, shuffle=False)),
        lambda: [bool(int(row["label"]) < 4) for row in source(3, (20, 10, 3), 4).create_dict_iterator(num_epochs=1)],
        lambda: source(0),
        lambda: source(3, (20, 10)),
        lambda: source(3, (20, 10, 3), 0),
        lambda: source(num_samples=5, shuffle=False).get_dataset_size(),
    )
