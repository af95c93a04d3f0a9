"""Pipelines as JSON, read again, compared; callbacks that wait for training; lines by number; boxes."""

import copy
import json

import numpy as np
import pytest

import msgrad as ms
import msgrad.dataset as ds
from msgrad import nn

from .cases.sources import mnist_folder


def pipelines():
    path, vision = mnist_folder(), ds.vision
    plain = ds.MnistDataset(path, "train", shuffle=False)
    yield plain
    yield ds.MnistDataset(path, "train", sampler=ds.SubsetSampler([2, 0]))
    resize = vision.Resize((14, 15), vision.Inter.NEAREST)
    yield plain.map([resize, vision.Rescale(1 / 255, 0.0)], "image").map(ds.transforms.TypeCast(ms.int32), ["label"])
    yield plain.map([vision.HWC2CHW(), ds.audio.Vol(3, ds.audio.GainType.POWER), ds.audio.Spectrogram(8)], "image")
    yield plain.map(ds.transforms.Compose([vision.HWC2CHW()]), ["image"]).batch(2, drop_remainder=True).repeat(2)
    yield plain.rename("image", "x").project(["x"]).skip(1).take(2)
    yield plain.project("image").zip(plain.project("label"))
    yield plain + plain
    yield plain.padded_batch(3, pad_info={"image": ([30, 30, 1], 7)})
    chosen = ds.MnistDataset(path, "train", num_shards=2, shard_id=0)
    chosen.use_sampler(ds.SequentialSampler(1, 2))
    yield chosen


@pytest.mark.parametrize("number", range(10))
def test_a_pipeline_is_read_again(number, tmp_path):
    dataset = list(pipelines())[number]
    tree = ds.serialize(dataset, str(tmp_path / "tree.json"))
    for again in (
        ds.deserialize(json.loads(json.dumps(tree))),
        ds.deserialize(json_filepath=str(tmp_path / "tree.json")),
    ):
        assert type(again) is type(dataset) and ds.compare(again, dataset)
        ours, theirs = (list(each.create_tuple_iterator(num_epochs=1, output_numpy=True)) for each in (again, dataset))
        assert len(ours) == len(theirs) > 0
        for row, wanted in zip(ours, theirs, strict=True):
            assert all(np.array_equal(*pair) for pair in zip(row, wanted, strict=True))


def test_what_json_does_not_hold_is_said():
    tree = ds.serialize(ds.NumpySlicesDataset([1, 2], ["x"]).map(len, ["x"]))
    assert tree["op_type"] == "Map" and tree["operations"] == {"python": "len"}
    with pytest.raises(ValueError, match="is a Python object"):
        ds.deserialize(tree)
    sampler = ds.SequentialSampler()
    sampler.add_child(ds.RandomSampler())
    with pytest.raises(ValueError, match="'sampler' is a Python object"):
        ds.deserialize(ds.serialize(ds.MnistDataset(mnist_folder(), sampler=sampler)))


@pytest.mark.parametrize(
    "tree",
    [
        {"op_type": "Nothing"},
        {"op_type": 3},
        {"children": []},
        {"op_type": "Batch", "children": [{"op_type": "Popen"}]},
        {"op_type": "MnistDataset", "dataset_dir": {"python_module": "os", "python_class": "system", "arguments": {}}},
        {"op_type": "MnistDataset", "dataset_dir": {"enum": "NEAREST", "python_class": "os"}},
    ],
)
def test_other_trees_are_refused(tree):
    with pytest.raises(ValueError, match="For 'deserialize'"):
        ds.deserialize(tree)


WRONG = [None, True, -1, 2**70, 1.5, "no", "x" * 9999, [], {}, [1], {"a": 1}, {"child": 5}, {"child": -1}]
WRONG += [{"child": "a"}, {"enum": 5}, {"enum": [], "python_class": []}, {"enum": "x", "python_class": "Inter"}]
WRONG += [{"dtype": "nope"}, {"dtype": "Tensor"}, {"dtype": 5}, {"dict": 5}, {"tuple": 5}, {"python": "x" * 9999}]
WRONG += [
    {"python_module": f"msgrad.dataset.{module}", "python_class": kind, "arguments": arguments}
    for module, kind, arguments in [
        ("nope", "X", {}),
        ("\0", "X", {}),
        (".", "X", {}),
        ("vision.resizing", "Resize", []),
        ("vision.resizing", "Resize", {}),
        ("vision.resizing", "Resize", {"size": "a"}),
        ("vision.resizing", "Resize", {"nope": 1}),
        ("vision.resizing", "math", {}),
        ("serializing", "importlib", {}),
    ]
]


def paths(tree, path=()):
    yield path
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from paths(value, (*path, key))


def replaced(tree, path, value):
    if not path:
        return value
    tree = copy.copy(tree)
    tree[path[0]] = replaced(tree[path[0]], path[1:], value)
    return tree


def test_wrong_values_anywhere_are_one_error():
    resize, cast = ds.vision.Resize((2, 3), ds.vision.Inter.NEAREST), ds.transforms.TypeCast(ms.int32)
    dataset = ds.FakeImageDataset(3, (4, 4, 3), 2).map([resize, cast], ["image"]).batch(2)
    tree, refused = json.loads(json.dumps(ds.serialize(dataset))), 0
    for path in paths(tree):
        for value in WRONG:
            wrong = replaced(tree, path, value)
            if not isinstance(wrong, dict) or not wrong:
                continue
            try:
                ds.deserialize(wrong)
            except ValueError as error:
                assert str(error).startswith("For 'deserialize', ") and len(str(error)) < 500
                refused += 1
    assert refused > 800


def nested(depth):
    tree = {"op_type": "FakeImageDataset"}
    for _ in range(depth):
        tree = {"op_type": "Skip", "count": 1, "children": [tree], "input_dataset": {"child": 0}}
    return tree


def test_deep_trees_are_refused():
    assert ds.deserialize(nested(50)).get_dataset_size() == 950
    with pytest.raises(ValueError, match="For 'deserialize', .* RecursionError"):
        ds.deserialize(nested(100_000))


@pytest.mark.parametrize(
    "text", [b"", b"null", b"5", b"[1]", b"\xff", b"1" * 10000, b"[" * 200_000, b'{"op_type":' * 50_000]
)
def test_other_files_are_refused(text, tmp_path):
    (tmp_path / "a.json").write_bytes(text)
    with pytest.raises(ValueError, match="For 'deserialize', "):
        ds.deserialize(json_filepath=str(tmp_path / "a.json"))


def test_show_logs_the_tree(monkeypatch):
    logged = []
    monkeypatch.setattr(ms.log, "info", logged.append)
    ds.show(ds.NumpySlicesDataset([1, 2], ["x"]).batch(2), indentation=None)
    assert json.loads(logged[0])["op_type"] == "Batch"


def test_callbacks_wait_for_training():
    events = []

    class Waited(ds.WaitedDSCallback):
        def sync_epoch_begin(self, train_run_context, ds_run_context):
            events.append(("epoch", train_run_context.original_args().cur_step_num, ds_run_context.cur_epoch_num))

        def sync_step_begin(self, train_run_context, ds_run_context):
            events.append(("step", train_run_context.original_args().cur_step_num, ds_run_context.cur_step_num))

    class Net(nn.Cell):
        def construct(self, x, y):
            return x

    waited = Waited()
    data = ds.NumpySlicesDataset(([1.0, 2.0], [1.0, 2.0]), ["x", "y"], shuffle=False)
    data = data.map(lambda x: x, ["x"], callbacks=waited)
    ms.train.Model(Net()).train(2, data, callbacks=[waited], dataset_sink_mode=False)
    assert events == [("step", 1, 2), ("epoch", 2, 2), ("step", 2, 3), ("step", 3, 4)]


def test_a_callback_that_waits_in_vain_says_so():
    class Waited(ds.WaitedDSCallback):
        def sync_step_begin(self, train_run_context, ds_run_context):
            raise AssertionError

    seconds = ds.config.get_callback_timeout()
    ds.config.set_callback_timeout(1)
    try:
        data = ds.NumpySlicesDataset([1, 2], ["x"]).map(lambda x: x, ["x"], callbacks=Waited())
        with pytest.raises(RuntimeError, match="training has not ended its step within 1 seconds"):
            list(data.create_tuple_iterator(num_epochs=1))
    finally:
        ds.config.set_callback_timeout(seconds)


def test_lines_by_number(tmp_path):
    path = tmp_path / "lines"
    path.write_bytes("one\nzwölf\r\n\nlast".encode())
    reader = ds.LineReader(str(path))
    assert [reader.readline(k) for k in (4, 1, 2, 3)] == ["last", "one", "zwölf", ""]
    assert len(reader) == reader.len() == 4
    with pytest.raises(ValueError, match="from 1 to 4"):
        reader[5]
    reader.close()
    with pytest.raises(RuntimeError, match="there is no file"):
        ds.LineReader("/no/such/file")


def test_boxes_are_drawn(tmp_path):
    image, mask = np.zeros((60, 80, 3), np.uint8), np.zeros((1, 60, 80), bool)
    mask[0, 30:40, 30:40] = True
    boxes, labels = np.array([[10, 12, 40, 30, 0.9], [0, 0, 5, 5, 0.1]]), np.array([[1], [0]])
    out = str(tmp_path / "out.png")
    drawn = ds.utils.imshow_det_bbox(image, boxes, labels, mask, ["a", "b"], 0.5, show=False, out_file=out, thickness=1)
    assert drawn[12, 10].tolist() == [0, 255, 0] and drawn[0, 0].tolist() == [0, 0, 0]
    assert drawn[35, 35].tolist() == [64, 0, 64]
    assert np.array_equal(ds.vision.read_image(out), drawn[..., ::-1])
