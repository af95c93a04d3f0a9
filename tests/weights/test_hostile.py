"""Harmful and damaged files: each is one ValueError with the path, and no code of them is run."""

import collections
import pathlib
import pickle
import random
import zipfile

import pytest

from msgrad import weights

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "weights"
ran = []  # by code of a file


def harm(*_):
    ran.append(True)


class Harmful:
    """Its pickle calls a function with some arguments."""

    def __init__(self, function, *arguments):
        self.function = function
        self.arguments = arguments

    def __reduce__(self):
        return self.function, self.arguments


def refusal(path):
    """The reason for which a file is refused; empty if it is read."""
    try:
        weights.read(str(path))
    except ValueError as error:
        assert f"the file {path} cannot be read: " in str(error) or "dtype" in str(error), error
        assert len(str(error)) < 700
        return str(error).partition("cannot be read: ")[2]
    finally:
        assert not ran
    return ""


def archive(path, pickled, records=(), order=b"little", **options):
    """Writes a zip file as torch does."""
    with zipfile.ZipFile(path, "w", **options) as file:
        for name, content in {"data.pkl": pickled, "byteorder": order, **dict(records)}.items():
            file.writestr(f"a/{name}", content)
    return path


def tensor(
    shape=b"K\x02\x85", strides=b"K\x01\x85", offset=b"K\x00", kind=b"ctorch\nFloatStorage\n", key=b"0", count=b"K\x02"
):
    """A pickle of ``{"w": tensor}``."""
    storage = (
        b"(X\x07\0\0\0storage" + kind + b"X" + len(key).to_bytes(4, "little") + key + b"X\x03\0\0\0cpu" + count + b"tQ"
    )
    call = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + shape + strides + b"\x89}tR"
    return b"\x80\x02}X\x01\0\0\0w" + call + b"s."


def test_a_plain_file_is_read(tmp_path):
    assert refusal(archive(tmp_path / "a.pth", tensor(), {"data/0": bytes(8)})) == ""


CALLS = {
    "a function of this test": (Harmful(harm), "an object of tests.weights.test_hostile.harm"),
    "a shell": (Harmful(__import__("os").system, "echo 1"), "calls 'posix.system'"),
    "eval": (Harmful(eval, "1"), "calls 'builtins.eval'"),
    "getattr": (Harmful(getattr, "a", "b"), "calls 'builtins.getattr'"),
    "an import": (Harmful(__import__("importlib").import_module, "this"), "calls 'importlib.import_module'"),
    "beside a tensor": ({"a": Harmful(exec, "1")}, "calls 'builtins.exec'"),
    "a list": ([1, 2], "no dict of tensors"),
    "a dict of numbers": ({"a": 1}, "no dict of tensors"),
    "a counter": (collections.Counter("a"), "an object of collections.Counter"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("protocol", [2, 4])
def test_no_function_of_a_pickle_is_called(name, protocol, tmp_path):
    value, reason = CALLS[name]
    assert reason in refusal(archive(tmp_path / "a.pth", pickle.dumps(value, protocol)))


def ten_of(k):
    """Instructions for a dict, number ``k`` of the memo, that has the one before ten times."""
    return b"}q%c(" % k + b"".join(b"X\x01\0\0\0%ch%c" % (97 + n, k - 1) for n in range(10)) + b"u"


NOT_A_TENSOR = b"X\x05\0\0\0other" + b"ccount\nEr\n)Rs"  # an object of another class beside it
PICKLES = {
    "an object among tensors": (tensor()[:-1] + NOT_A_TENSOR + b".", "its 'other' is an object of count.Er"),
    "a shape beyond the storage": (tensor(b"K\x03\x85"), "lies beyond its storage"),
    "an offset beyond it": (tensor(offset=b"K\x05"), "lies beyond its storage"),
    "a huge shape": (tensor(b"\x8a\x07\0\0\0\0\0\0\x01\x85", b"K\x00\x85"), "lies beyond its storage"),
    "a shape of huge numbers": (tensor(b"\x8a\x10" + b"\x7f" * 16 + b"\x85"), "no numbers of elements"),
    "a negative stride": (tensor(strides=b"J\xff\xff\xff\xff\x85"), "no numbers of elements"),
    "a shape of texts": (tensor(b"X\x01\0\0\0a\x85"), "no numbers of elements"),
    "fewer strides": (tensor(strides=b")"), "1 axes and 0 strides"),
    "an empty one of huge length": (tensor(b"K\x00\x8a\x06\0\0\0\0\0\x01\x86", b"K\x00K\x00\x86"), "has the shape"),
    "a storage of another length": (tensor(count=b"K\x01", shape=b"K\x01\x85"), "8 bytes in place of 4"),
    "a storage of negative length": (tensor(count=b"J\xff\xff\xff\xff"), "no number of bytes"),
    "a missing storage": (tensor(key=b"1"), "no record data/1"),
    "a path out of the archive": (tensor(key=b"../../../etc/passwd"), "no record data/../../../etc/passwd"),
    "numbers of no dtype": (tensor(kind=b"ctorch\nQInt8Storage\n"), "numbers of torch.QInt8Storage"),
    "an instruction of other files": (b"\x80\x02\x82\x01.", "the instruction EXT1"),
    "an old object": (b"(ios\nsystem\n.", "the instruction INST"),
    "an unknown instruction": (b"\x80\x02\xff.", "broken off or mixed up"),
    "an end in the middle": (tensor()[:-9], "broken off or mixed up"),
    "a text of 2 ** 60 bytes": (b"\x80\x04\x8d" + (1 << 60).to_bytes(8, "little") + b"a.", "broken off or mixed up"),
    "a memo of 2 ** 31": (b"\x80\x02}r\xff\xff\xff\x7f.", "no dict of tensors"),
    "marks without values": (b"\x80\x02" + b"(" * 100_000 + b"t" * 100_000 + b".", "no dict of tensors"),
    "nothing on the stack": (b"\x80\x020.", "broken off or mixed up"),
    "a deep key": (b"\x80\x02})" + b"\x85" * 100_000 + b"K\x01s.", "no dict of tensors"),
    "a deep call": (
        b"\x80\x02ctorch._tensor\n_rebuild_from_type_v2\nq\x00" + b"(h\x00N" * 5000 + b")" + b"Nt" * 5000 + b"R.",
        "broken off or mixed up",
    ),
    "a dict of itself": (b"\x80\x02}q\x00X\x01\0\0\0ah\x00s.", "no dict of tensors"),
    "nine dicts, each with ten of the one before": (b"\x80\x02}q\x00" + b"".join(map(ten_of, range(1, 10))) + b".",
                                                    "no dict of tensors"),
}  # fmt: skip


@pytest.mark.parametrize("name", PICKLES)
def test_pickles_that_claim_what_is_not_there(name, tmp_path):
    pickled, reason = PICKLES[name]
    assert reason in refusal(archive(tmp_path / "a.pth", pickled, {"data/0": bytes(8)}))


def test_archives_that_torch_does_not_write(tmp_path):
    path = tmp_path / "a.pth"
    numbers = {"data/0": bytes(8)}
    assert "compressed" in refusal(archive(path, tensor(), numbers, compression=zipfile.ZIP_DEFLATED))
    assert "byte order 'big'" in refusal(archive(path, tensor(), numbers, order=b"big"))
    assert "4 bytes in place of 8" in refusal(archive(path, tensor(), {"data/0": bytes(4)}))
    assert "2 records data.pkl" in refusal(archive(path, tensor(), numbers | {"../data.pkl": b"."}))
    whole = archive(path, tensor(), numbers).read_bytes()
    path.write_bytes(whole.replace(bytes(8) + b"PK", b"\x01" * 8 + b"PK"))
    assert "CRC" in refusal(path)


def test_storages_that_overlap(tmp_path):
    path = tmp_path / "a.pth"
    pickled = tensor()[:-2] + tensor(key=b"1")[3:-1].replace(b"X\x01\0\0\0w", b"sX\x01\0\0\0v", 1) + b"."
    archive(path, pickled, {"data/0": bytes(8), "data/1": bytes(8)})
    assert refusal(path) == ""
    whole = bytearray(path.read_bytes())
    first, second = [whole.rindex(b"a/data/" + key) - 4 for key in (b"0", b"1")]
    whole[second : second + 4] = whole[first : first + 4]  # where the record is, by the table
    path.write_bytes(whole)
    assert "overlap" in refusal(path)


def test_files_cut_off_anywhere(tmp_path):
    for name in ("two.pth", "tensors_legacy.pth"):
        whole = (GOLDEN / name).read_bytes()
        path = tmp_path / name
        for length in range(1, len(whole), 23):
            path.write_bytes(whole[:length])
            assert refusal(path), length


@pytest.mark.parametrize("name", ["nested.pth", "tensors.pth", "tensors_legacy.pth"])
def test_a_changed_byte_never_does_harm(name, tmp_path):
    whole = (GOLDEN / name).read_bytes()
    path = tmp_path / name
    draw = random.Random(0)
    for _ in range(150):
        changed = bytearray(whole)
        for _ in range(draw.randrange(1, 4)):
            changed[draw.randrange(len(whole))] = draw.randrange(256)
        path.write_bytes(changed)
        refusal(path)


def test_numbers_in_another_byte_order(tmp_path):
    whole = (GOLDEN / "tensors_legacy.pth").read_bytes()
    (tmp_path / "a.pth").write_bytes(whole.replace(b"little_endianq\x02\x88", b"little_endianq\x02\x89"))
    assert "byte order 'big'" in refusal(tmp_path / "a.pth")
