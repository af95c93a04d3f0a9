"""``msgrad compare``: names the first value that differs, and no value that agrees."""

import ast
import json
import pathlib
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

from msgrad.tools import comparing, recorder, recordings, report

HERE = pathlib.Path(__file__).parent
NETWORK = str(HERE / "compare_programs" / "network.py")
GOLDEN = str(HERE.parent / "golden" / "compare_network.npz")
BROKEN = "TrainOneStepCell.network._backbone.attention.1.key"


@pytest.mark.parametrize(("seed", "copied"), [("0", ""), ("1", "9 Parameters were initialised at random")])
def test_the_network_is_that_of_mindspore(capsys, seed, copied):
    assert comparing.main([NETWORK, "--against", GOLDEN, "--calls", "1", "--seed", seed]) == 0
    printed = capsys.readouterr().out
    assert (
        "No difference in " in printed and "\nhere: msgrad for MindSpore 2.10.0; there: mindspore 2.10.0\n" in printed
    )
    assert ("copied from there" in printed) == bool(copied) and copied in printed


def test_a_wrong_transpose_is_named(tmp_path, capsys):
    page = tmp_path / "report.html"
    assert (
        comparing.main(["--against", GOLDEN, "--calls", "1", NETWORK, "--json", "--html", str(page), "--", "broken"])
        == 1
    )
    report_data = json.loads(capsys.readouterr().out)
    first = report_data["first"]
    assert (first["kind"], first["path"], first["cell"], first["call"]) == ("output", BROKEN, "Projection", 1)
    assert first["line"] == "network.py:31" and "self.key(x)" in pathlib.Path(NETWORK).read_text().splitlines()[30]
    assert first["ours"]["shape"] == first["theirs"]["shape"] == [4, 9, 4]
    assert first["error"] > 0.1 and not report_data["copied"]
    text = page.read_text()
    assert f"First difference: output of {BROKEN} (Projection), call 1, network.py:31" in text
    assert "Its inputs agree, so it arises inside this call." in text and "http" not in text
    plot = xml.etree.ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])
    marks = [mark for mark in plot if mark.tag == "circle"]
    assert len(marks) == len(report_data["values"])
    assert sum(mark.get("fill") == "#dc2626" for mark in marks) == sum(
        bool(each["problem"]) for each in report_data["values"]
    )


FUNCTIONAL = """
import mindspore as ms, numpy as np
from mindspore import Tensor, nn, ops

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(3, 4), nn.Dropout(p=0.5), nn.Dense(4, 1))

    def construct(self, x, scale):
        return {"y": self.layers(x) * scale["by"], "x": x}

net = Net().set_train()
optimizer = nn.Adam(net.trainable_params(), 0.1)
step = ms.value_and_grad(lambda x: net(x, {"by": Tensor(2.0)})["y"].mean(), None, optimizer.parameters)
x = Tensor(np.ones((2, 3), np.float32))
for _ in range(2):
    loss, gradients = step(x)
    optimizer(gradients)

@ms.jit
def compiled(x):
    return net.layers(x)

compiled(x)
print(ms.vmap(lambda x: net.layers[0](x))(x).shape)
raise ValueError("at the end")
"""


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_a_program_operation_by_operation(tmp_path, capsys, mode):
    path = tmp_path / "functional.py"
    path.write_text(FUNCTIONAL)
    saved = tmp_path / "saved.npz"
    assert comparing.main(["--all", "--mode", mode, "--save", str(saved), str(path)]) == 0
    printed = capsys.readouterr().out
    assert "No difference" in printed
    assert "Both sides ended at functional.py:27 with ValueError: at the end" in printed
    inner = "output of Net.layers.0 (Dense), call 2, functional.py:11"
    assert (inner in printed) is (mode == "pynative")
    for place in [
        "input 'scale['by']' of Net (Net), call 1, functional.py:15",
        "output['y'] of Net (Net), call 2, functional.py:15",
        "gradient of Parameter layers.2.bias in Adam (Adam), call 2, functional.py:19",
        "Parameter Net.layers.0.weight after outermost call 4, functional.py:19",
        "initial value of Parameter Adam.moment1.layers.0.weight, functional.py:14",
    ]:
        assert place in printed
    assert "call 3" not in printed.replace("outermost call", "")  # what a jit function calls is compiled
    assert recordings.Recording(saved).report["error"] == "ValueError: at the end"


SINKS = """
import numpy as np, mindspore as ms
from mindspore import nn
from mindspore.dataset import NumpySlicesDataset

ms.set_context(mode=ms.GRAPH_MODE)
net = nn.Dense(2, 1)
data = NumpySlicesDataset((np.ones((96, 2), np.float32), np.ones((96, 1), np.float32)), ["x", "y"]).batch(3)
ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, data, dataset_sink_mode=True)
raise ValueError("after the calls")
"""


def test_an_epoch_in_sink_mode_is_compared_step_by_step(tmp_path, capsys):
    path = tmp_path / "sinks.py"
    path.write_text(SINKS)
    assert comparing.main([str(path), "--all", "--calls", "3"]) == 0
    printed = capsys.readouterr().out
    assert "Sink mode: `msgrad run` makes one call of 32 steps; here each step was a call" in printed
    assert "The program was ended after its first 3 outermost calls; `--calls` compares more." in printed
    assert "output of TrainOneStepCell (TrainOneStepCell), call 3, sinks.py:9" in printed


ERRORS = {  # the errors of both sides, whether they count as the same, and the lines of the report
    ("ValueError: a", "ValueError: a"): (True, ["Both sides ended at a.py:3 with ValueError: a"]),
    ("ValueError: a\nframes", "ValueError: b\n\n--- C++"): (
        True,
        ["Both sides ended at a.py:3 with a ValueError.", "  here   ValueError: a", "  there  ValueError: b"],
    ),
    ("ValueError: a", "TypeError: a"): (
        False,
        [
            "The program ended with an error here at a.py:3: ValueError: a",
            "The program ended with an error there at a.py:3: TypeError: a",
        ],
    ),
    ("ValueError: a", None): (False, ["The program ended with an error here at a.py:3: ValueError: a"]),
}


@pytest.mark.parametrize("errors", ERRORS, ids=str)
def test_errors_of_the_program(errors):
    sides = [Side(INPUT, error=error) for error in errors]
    for side in sides:
        side.report["place"] = "a.py:3"
    is_same, lines = ERRORS[errors]
    report_data = report.Report("a.py", *sides, recordings.compared(*sides, 1e-3, 1e-6), 10)
    assert report_data.is_same is is_same
    assert report_data.text().splitlines()[1:-1] == lines


WRONG = {
    ("no_such.py",): "can't open file 'no_such.py'",
    (
        "--against",
        "no_such_python",
        NETWORK,
    ): "--against takes 'eager', an interpreter that has MindSpore, or a recording",
    ("--against", "/bin/false", NETWORK): "the run by /bin/false wrote no recording",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_what_is_wrong_with_the_command(arguments):
    assert WRONG[arguments] in comparing.main(list(arguments))


def test_the_recorder_needs_nothing_but_mindspore_and_numpy():
    tree = ast.parse(pathlib.Path(recorder.__file__).read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) == {"mindspore", "numpy"}


class Side:
    """A recording that is made by hand."""

    def __init__(self, *items, copied=(), error=None):
        self.items = [dict(DEFAULTS) | each for each in items]
        self.report = {"copied": list(copied), "error": error, "version": "one", "calls": 1}
        for item in self.items:
            values = self.values(item)
            item.setdefault("shape", list(values.shape))
            item["statistics"] = recorder._statistics(values)

    def values(self, item):
        return np.asarray(item["values"], np.float32).reshape(-1)


DEFAULTS = {
    "kind": "output", "path": "Net", "cell": "Net", "call": 1, "label": "output", "line": "a.py:1", "is_library": False,
    "outermost": False, "dtype": "Float32", "values": [1.0, 2.0],
}  # fmt: skip
INPUT = {"kind": "input", "label": "x"}
GRADIENT = {"kind": "parameter gradient", "path": "Adam", "cell": "Adam", "label": "w", "values": [1e-8, 0]}
INITIAL = {"kind": "initial", "path": "Net.w", "label": "w"}
UPDATE = {"kind": "update", "path": "Net.w", "label": "w"}
DATA = INPUT | {"outermost": True, "drawn": 1}  # which the program itself passes
OTHER = {"values": [1.0, 3.0]}
ALIKE = {  # ours, theirs, and words of the report
    "the same": ([INPUT, {}], [INPUT, {}], "No difference in 2 values."),
    "rounding": ([{}], [{"values": [1.0, 2.0001]}], "No difference in 1 value."),
    "a small number among large ones": ([{"values": [1e-5, 9]}], [{"values": [2e-5, 9]}], "No difference"),
    "a layer's own parts": ([{}, {"path": "Net.a", "is_library": True}], [{}], "No difference in 1 value."),
    "nothing": ([], [], "Nothing was recorded: the program called no Cell"),
    "values": ([INPUT, OTHER], [INPUT, {}], "3 here, 2 there at [1]; 1 of 2 elements differ, by 1 at most"),
    "inside": ([INPUT, OTHER], [INPUT, {}], "Its inputs agree, so it arises inside this call."),
    "between": ([{}, INPUT | OTHER], [{}, INPUT], "so it arises in the code between them and this line"),
    "few elements": (
        [DATA | {"values": [*range(20), 7.0]}],
        [DATA | {"values": [*range(20), 9.0]}],
        "only 4.8% of the elements differ: the random draws agree",
    ),
    "data": ([DATA | OTHER], [DATA], "although NumPy's and Python's random numbers agree"),
    "data after other draws": ([DATA | OTHER | {"drawn": 2}], [DATA], "the sides have drawn from them differently"),
    "rows in another place": (
        [DATA | OTHER | {"rows": [5, 6]}, DATA | {"call": 2, "rows": [7, 8]}],
        [DATA | {"rows": [1, 2]}, DATA | {"call": 2, "rows": [6, 9]}],
        "They shuffle or sample differently",
    ),
    "the same rows later": (
        [DATA, DATA | OTHER | {"call": 2, "rows": [2, 1]}],
        [DATA, DATA | {"call": 2, "rows": [1, 2]}],
        "They shuffle or sample differently",
    ),
    "a row that is equal": (
        [DATA | OTHER | {"rows": [1, 3]}],
        [DATA | {"rows": [1, 2]}],
        "although NumPy's and Python's random numbers agree",
    ),
    "backward": ([{"kind": "gradient"} | OTHER], [{"kind": "gradient"}], "difference: gradient of the output of Net"),
    "shape": ([{"shape": [2, 1]}], [{}], "shape (2, 1) here, (2,) there"),
    "dtype": ([{"dtype": "Float16"}], [{}], "dtype Float16 here, Float32 there"),
    "one side": ([{}, {"path": "Net.a"}], [{}], "output of Net.a (Net), call 1, a.py:1\n  only here"),
    "other side": ([{}], [{"path": "Net.a"}, {}], "output of Net.a (Net), call 1, a.py:1\n  only there"),
    "initial": ([INITIAL | OTHER], [INITIAL], "First difference: initial value of Parameter Net.w"),
    "changed on one side": ([INITIAL, UPDATE | OTHER], [INITIAL], "Parameter Net.w after outermost call 1"),
    "changed on the other": ([INITIAL], [INITIAL, UPDATE | OTHER], "2 here, 3 there at [1]"),
    "changed to the same": ([INITIAL, UPDATE], [INITIAL], "No difference in 2 values."),
    "noise": ([GRADIENT, UPDATE | OTHER], [GRADIENT | {"values": [0, 0]}, UPDATE], "Its gradient is only rounding"),
    "NaN": ([{"values": [np.nan, 2]}], [{}], "nan here, 1 there at [0]; 1 of 2 elements differ, by inf at most"),
}  # fmt: skip


@pytest.mark.parametrize("case", ALIKE)
def test_places(case):
    ours, theirs, words = ALIKE[case]
    ours, theirs = Side(*ours), Side(*theirs)
    report_data = report.Report("a.py", ours, theirs, recordings.compared(ours, theirs, 1e-3, 1e-6), 10)
    assert words in report_data.text()
    assert report_data.is_same is ("No difference" in words)
    json.dumps(report_data.as_json(), allow_nan=False)
    assert report_data.html().count("<circle") == len(report_data.values)


def test_what_was_copied_is_not_compared():
    ours, theirs = Side(INITIAL | OTHER, copied=["w"]), Side(INITIAL)
    assert recordings.compared(ours, theirs, 1e-3, 1e-6) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "is_copied"),
    [
        ([1, 2], [3, 5], True),
        ([1, 2], [1, 2], False),
        ([1, 1], [3, 5], False),
        ([1, 2], [0, 0], False),
        ([1], [1, 2], False),
        ([0.3], [0.4], True),
        ([0.3], [1], False),
    ],
)
def test_only_random_values_are_copied(ours, theirs, is_copied):
    assert recorder._is_random(np.float32(ours), np.float32(theirs)) is is_copied


def test_rows_that_may_be_equal_by_chance_have_no_checksum():
    assert (
        recorder._checksums(np.arange(9))
        == recorder._checksums(np.zeros((2, 3)))
        == recorder._checksums(np.int32(1))
        == []
    )
    first, second = recorder._checksums(np.arange(8.0).reshape(2, 4))
    assert first != second and recorder._checksums(np.arange(4.0)[None]) == [first]


def test_a_large_array_is_kept_in_part():
    values = np.arange(200_000.0)
    kept = recorder.sample(values)
    assert kept.size <= 65536 and values[recordings._index(5, kept.size, [200, 1000])[1]] == kept[5]
