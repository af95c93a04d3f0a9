"""Resharded checkpoints: each rank has what MindSpore gives it (tests/golden/make_strategies.py)."""

import base64
import functools
import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad.train._files import strategies

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "strategies.json").read_text())
WHOLE = np.arange(128, dtype=np.float32).reshape(16, 8)
FILES, PARTS = GOLDEN["files"], GOLDEN["parts"]


def cut(part):
    row, column, rows, columns = part
    return WHOLE[row : row + rows, column : column + columns]


@pytest.fixture
def strategy(tmp_path):
    """Writes a file of strategies and gives its path; None for None."""

    def write(index):
        if index is None:
            return None
        path = tmp_path / f"strategy{index}.ckpt"
        path.write_bytes(base64.b64decode(FILES[index][1]))
        return str(path)

    return write


def save(folder, index):
    """The checkpoints of all ranks under a layout, in folders of their own; by rank."""
    parts = [(0, 0, 16, 8)] if index is None else PARTS[index]
    for rank, part in enumerate(parts):
        (folder / f"rank_{rank}").mkdir(parents=True)
        record = [{"name": "w", "data": Tensor(cut(part))}, {"name": "step", "data": Tensor(3)}]
        ms.save_checkpoint(record, str(folder / f"rank_{rank}" / "net.ckpt"))
    return {rank: str(folder / f"rank_{rank}" / "net.ckpt") for rank in range(len(parts))}


@pytest.mark.parametrize(
    "src, dst",
    [*[(None, k) for k in range(len(FILES))], *GOLDEN["changes"][::3], *[(k, None) for k in range(0, len(FILES), 3)]],
    ids=str,
)
def test_every_rank_gets_its_part(src, dst, strategy, tmp_path):
    save(tmp_path / "src", src)
    ms.transform_checkpoints(str(tmp_path / "src"), str(tmp_path / "dst"), "net", strategy(src), strategy(dst))
    expected = [(0, 0, 16, 8)] if dst is None else PARTS[dst]
    for rank, part in enumerate(expected):
        actual = ms.load_checkpoint(str(tmp_path / "dst" / f"rank_{rank}" / f"net{rank}.ckpt"))
        assert list(actual) == ["w", "step"] and actual["step"].item() == 3
        np.testing.assert_array_equal(actual["w"].asnumpy(), cut(part))


def test_a_rank_needs_no_more_than_the_parts_of_its_part(strategy, tmp_path):
    assert ms.rank_list_for_transform(3) == [0]
    assert ms.rank_list_for_transform(0, strategy(0)) == [5, 4, 1, 0]  # as MindSpore's
    assert ms.rank_list_for_transform(0, strategy(0), strategy(2)) == [1, 0]
    files = save(tmp_path / "src", 0)
    path = str(tmp_path / "rank1.ckpt")
    needed = ms.rank_list_for_transform(1, strategy(0), strategy(2))
    ms.transform_checkpoint_by_rank(1, {rank: files[rank] for rank in needed}, path, strategy(0), strategy(2))
    np.testing.assert_array_equal(ms.load_checkpoint(path)["w"].asnumpy(), cut(PARTS[2][1]))
    with pytest.raises(ValueError, match="the checkpoint of rank 4 is missing, or lacks 'w'"):
        ms.transform_checkpoint_by_rank(1, {needed[0]: files[needed[0]]}, path, strategy(0), strategy(2))


def test_bfloat16_and_flags_are_kept(strategy, tmp_path):
    w = Parameter(Tensor(WHOLE, ms.bfloat16), "w", requires_grad=False)
    ms.save_checkpoint([{"name": "w", "data": w}], str(tmp_path / "whole.ckpt"))
    path = str(tmp_path / "part.ckpt")
    ms.transform_checkpoint_by_rank(5, {0: str(tmp_path / "whole.ckpt")}, path, None, strategy(0))
    part = ms.load_checkpoint(path)["w"]
    assert part.dtype == ms.bfloat16
    np.testing.assert_array_equal(part.astype(ms.float32).asnumpy(), cut(PARTS[0][5]))


def test_stages_of_a_pipeline(strategy, tmp_path):
    merged = tmp_path / "merged.ckpt"
    merged.write_bytes(base64.b64decode(GOLDEN["merged"]))
    layouts = ms.build_searched_strategy(str(merged))
    assert sorted(layouts) == GOLDEN["merged names"]
    assert layouts["0-w0"].dev_matrix[0].dim == [2, 2, 2] and layouts["1-w1"].tensor_map[0].dim == [2, 0]
    assert ms.rank_list_for_transform(0, str(merged)) == [13, 12, 9, 8, 5, 4, 1, 0]
    for rank in range(16):
        (tmp_path / "src" / f"rank_{rank}").mkdir(parents=True)
        record = [
            {"name": f"w{rank // 8}", "data": Tensor(cut(PARTS[0][rank % 8]))},
            {"name": "shared", "data": Tensor(cut(PARTS[2][rank % 8]))},
        ]
        ms.save_checkpoint(record, str(tmp_path / "src" / f"rank_{rank}" / "net.ckpt"))
    ms.transform_checkpoints(str(tmp_path / "src"), str(tmp_path / "dst"), "net", str(merged))
    actual = ms.load_checkpoint(str(tmp_path / "dst" / "rank_0" / "net0.ckpt"))
    assert sorted(actual) == ["shared", "w0", "w1"]
    for each in actual.values():
        np.testing.assert_array_equal(each.asnumpy(), WHOLE)
    ms.transform_checkpoints(str(tmp_path / "dst"), str(tmp_path / "back"), "net", None, str(merged))
    assert sorted(ms.load_checkpoint(str(tmp_path / "back" / "rank_3" / "net3.ckpt"))) == ["shared", "w0"]
    last = ms.load_checkpoint(str(tmp_path / "back" / "rank_13" / "net13.ckpt"))
    np.testing.assert_array_equal(last["w1"].asnumpy(), cut(PARTS[0][5]))


@pytest.mark.parametrize("kind", ["ckpt", "json"])
def test_files_of_strategies_are_joined(kind, strategy, tmp_path):
    (tmp_path / "stages").mkdir()
    for stage in range(2):
        for twice in range(2):
            layouts = {f"w{stage}": ms.build_searched_strategy(strategy(0))["w"]}
            layouts["shared"] = ms.build_searched_strategy(strategy(10))["w"]
            strategies.write(str(tmp_path / "stages" / f"{stage}{twice}.{kind}"), stage, layouts)
    path = str(tmp_path / f"merged.{kind}")
    ms.merge_pipeline_strategys(str(tmp_path / "stages"), path)
    actual = ms.build_searched_strategy(path)
    assert sorted(actual) == GOLDEN["merged names"]
    assert [each.dim for each in actual["0-shared"].tensor_map] == [[1, 0], [-1]]
    assert actual["1-w1"] == ms.build_searched_strategy(strategy(0))["w"]


@pytest.mark.parametrize("index", GOLDEN["merged slices"])
def test_slices_are_merged(index, strategy):
    slices = [Parameter(Tensor(cut(part)), "w") for part in PARTS[index]]
    actual = ms.merge_sliced_parameter(slices, ms.build_searched_strategy(strategy(index)))
    assert actual.name == "w"
    np.testing.assert_array_equal(actual.asnumpy(), WHOLE)


def test_slices_of_different_lengths(strategy):
    layouts = ms.build_searched_strategy(strategy(13))
    layouts["w"].param_split_shape[0].dim = [10, 6]
    slices = [Parameter(Tensor(WHOLE[:10]), "w"), Parameter(Tensor(WHOLE[10:]), "w")]
    np.testing.assert_array_equal(ms.merge_sliced_parameter(slices, layouts).asnumpy(), WHOLE)
    with pytest.raises(ValueError, match="of the length 10"):
        ms.merge_sliced_parameter(slices[::-1], layouts)
    layouts["w"].param_split_shape[0].dim = []
    for wrong, kind, message in [
        (slices, ValueError, "of the same shape"),
        (slices[:1], ValueError, "one for each of 2 devices"),
    ]:
        with pytest.raises(kind, match=message):
            ms.merge_sliced_parameter(wrong, layouts)
    with pytest.raises(KeyError, match="with the name 'w'"):
        ms.merge_sliced_parameter(slices, {"v": layouts["w"]})


def test_a_network_loads_the_parts_of_several_devices(strategy, tmp_path):
    files = save(tmp_path / "src", 0)
    net = nn.Cell()
    net.w = Parameter(Tensor(np.zeros((16, 8), np.float32)), "w")
    ms.load_distributed_checkpoint(net, list(files.values()), train_strategy_filename=strategy(0))
    np.testing.assert_array_equal(net.w.asnumpy(), WHOLE)
    with pytest.raises(ValueError, match="8 files, one for each device"):
        ms.load_distributed_checkpoint(net, list(files.values())[:4], train_strategy_filename=strategy(0))


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda path: ms.build_searched_strategy(3), TypeError, "'strategy_filename' must be a str"),
        (lambda path: ms.build_searched_strategy("absent"), ValueError, "an existing file that is not empty"),
        (lambda path: ms.build_searched_strategy(path + "/text.ckpt"), ValueError, "is not a strategy file"),
        (lambda path: ms.build_searched_strategy(path + "/list.json"), ValueError, "is not a strategy file"),
        (lambda path: ms.rank_list_for_transform("0"), TypeError, "'rank_id' must be an int"),
        (lambda path: ms.merge_pipeline_strategys("absent", "x"), NotADirectoryError, "must be a folder"),
        (lambda path: ms.merge_pipeline_strategys(path, "x"), ValueError, "alone"),
        (lambda path: ms.transform_checkpoints("absent", path, "net"), NotADirectoryError, "must be a folder"),
        (lambda path: ms.transform_checkpoints(path, path, "net"), ValueError, "with checkpoints of one kind"),
        (lambda path: ms.transform_checkpoints(path, path, 3), TypeError, "'ckpt_prefix' must be a str"),
        (lambda path: ms.transform_checkpoint_by_rank(0, [], "x.ckpt"), TypeError, "must be a dict"),
        (lambda path: ms.transform_checkpoint_by_rank(0, {}, "x"), ValueError, "with .ckpt at its end"),
        (lambda path: ms.transform_checkpoint_by_rank(0, {0: "absent"}, "x.ckpt"), ValueError, "existing files"),
        (lambda path: ms.restore_group_info_list(3), TypeError, "'group_info_file_name' must be a str"),
        (lambda path: ms.restore_group_info_list("absent"), ValueError, "an existing file that is not empty"),
    ],
)
def test_refused(call, kind, message, tmp_path):
    (tmp_path / "text.ckpt").write_text("no strategy")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(kind, match=message):
        call(str(tmp_path))


def test_groups_of_ranks(tmp_path):
    path = tmp_path / "group.ckpt"
    path.write_bytes(bytes([0x12, 4, 8, 0, 8, 4]))  # field 2, of ranks 0 and 4, as MindSpore writes it
    assert ms.restore_group_info_list(str(path)) == [0, 4]


PEERS = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "checkpoint_peers.json").read_text())


@pytest.mark.parametrize("data, peers", PEERS, ids=[f"file{k}" for k in range(len(PEERS))])
def test_checkpoints_of_peers_are_found(data, peers, tmp_path, monkeypatch):
    (tmp_path / "strategy.ckpt").write_bytes(base64.b64decode(data))
    for rank in range(8):
        monkeypatch.setattr("msgrad.train.strategy_files.get_rank", lambda rank=rank: rank)
        own = tmp_path / f"rank_{rank}" / "net.ckpt"
        find = functools.partial(ms.get_ckpt_path_with_strategy, str(own), str(tmp_path / "strategy.ckpt"))
        assert find() is None
        paths = {other: tmp_path / f"rank_{other}" / "net.ckpt" for other in range(8)}
        for path in paths.values():
            path.parent.mkdir(exist_ok=True)
            path.touch()
        assert find() == str(own)
        for other in [rank, *peers[rank]]:
            assert find() == str(paths.pop(other))
            own.parent.joinpath(f"../rank_{other}/net.ckpt").unlink()
        assert find() is None
        for path in paths.values():
            path.unlink()


def test_checkpoints_of_peers_need_a_strategy_file(tmp_path):
    path = tmp_path / "net.ckpt"
    path.touch()
    with pytest.raises(ValueError, match="an existing file"):
        ms.get_ckpt_path_with_strategy(str(path), str(tmp_path / "missing.ckpt"))
    with pytest.raises(TypeError):
        ms.train.get_ckpt_path_with_strategy(str(path), None)
