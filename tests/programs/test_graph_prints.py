"""``print`` in functions that MindSpore compiles: its own text, line by line."""

import contextlib
import io
import json
import pathlib

import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

from . import graph_prints

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "graph_prints.json").read_text())


@pytest.fixture(scope="module")
def texts():
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        graph_prints.run(ms)
    return graph_prints.split(stream.getvalue())


@pytest.mark.parametrize("name", GOLDEN)
def test_text_is_mindspores(texts, name):
    assert texts[name] == GOLDEN[name]


class Printing(nn.Cell):
    def construct(self, x):
        print("x", x)
        ops.print_(x.sum())
        return x


TEXTS = {
    "PYNATIVE_MODE": "x [1. 2.]\nTensor(shape=[], dtype=Float32, value= 3)\n",
    "GRAPH_MODE": "x\nTensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00])\n3\n",
}


def test_a_cell_prints_at_each_call_by_its_mode(mode, capsys):
    cell = Printing()
    for _ in range(2):
        cell(Tensor([1.0, 2.0]))
    assert capsys.readouterr().out == TEXTS[mode] * 2


def test_print_is_pythons_after_a_graph_and_with_options(capsys):
    before = print
    ms.jit(lambda x: print(x, "b", sep="-") or x)(Tensor([1.0]))
    assert print is before
    assert capsys.readouterr().out == "[1.]-b\n"
