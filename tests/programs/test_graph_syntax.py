"""Each kind of statement and expression in PYNATIVE_MODE, in graphs and differentiated: values and exceptions.

MindSpore's are in ``golden/graph_syntax.json``.
"""

import contextlib
import io
import json
import pathlib

import pytest

import msgrad as ms
import msgrad.alias

msgrad.alias.install()

from .graph_syntax import running  # noqa: E402  (its files import MindSpore)

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "graph_syntax.json").read_text())
CASES = {file: running.cases(file) for file in GOLDEN}
_BOTH = ["graph", "gradient"]
# By reason, the rows whose answer is another one, with the modes.
_DIFFERENT = {
    "MindSpore refuses what works in Python and here, also where Python would give another value": {
        "lists.setdefault_list": ["graph"], "lists.sort_key": ["graph"], "builtin_functions.dict_keys": ["graph"],
        "builtin_functions.list_remove_tensors": ["graph"], "cells.NetListTensor": ["gradient"],
        "cells.NetListTensorCmp": _BOTH, "cells.NetParamSetData": ["graph"], "cells.NetParamMade": ["graph"],
        "compiling.run_j_box_new": ["pynative"], "errors.raise_own": ["graph"],
        "expressions.mutable_int_funcs": ["graph"], "expressions.t_range_index": ["pynative", "graph"],
        "called_functions.NetStaticHelper": ["graph"],
    },
    "MindSpore refuses with another exception": {
        "control_flow.assert_tensor_fail": ["gradient"], "control_flow.wrong_kwargs": _BOTH,
        "cells.NetListFloat": _BOTH, "errors.str_idx_float": ["graph"], "errors.add_tensor_dict": ["graph"],
        "errors.range_tensor": ["graph"], "errors.local_before": ["graph"],
        "builtin_functions.list_del_out": ["graph"], "builtin_functions.list_del_used_after": ["graph"],
        "expressions.dict_tensor_key": ["graph"],
    },
    "a method that changes a list within an expression returns another list, or a tuple, in MindSpore": {
        "lists.append_value": ["graph"], "lists.pop_returned": ["graph"], "lists.pop_tuple_target": ["graph"],
        "lists.pop_in_while": ["graph"], "builtin_functions.list_copy": ["graph"],
        "combinations.for_list_modified": _BOTH,
    },
    "MindSpore loses changes of attributes that are lists, dicts or objects of `jit_class`": {
        "lists.NetListAppend": ["graph"], "lists.NetDictUpdate": ["graph"], "cells.NetAttrList": _BOTH,
        "functions.class_set_attr": _BOTH, "compiling.run_j_box_set": ["pynative"],
        "compiling.run_j_box_set_global": ["pynative"],
    },
    "MindSpore loses gradients by attributes": {
        "cells.NetAttr": ["gradient"], "cells.NetAttrNew": ["gradient"], "cells.NetAttrTensor": ["gradient"],
    },
    "MindSpore loses a write to a Parameter by a slice; what `assign` returns follows later writes": {
        "cells.NetParamItem": _BOTH, "cells.NetParamAssignOp": _BOTH,
    },
    "changes of attributes are noticed, and branches on values that are traced": {
        "compiling.run_jcell_method": ["pynative"], "compiling.run_box_changed": ["pynative"],
        "compiling.run_j_trace_tensor_if": ["pynative"],
    },
    "MindSpore takes one Parameter for two that a method may return; partial functions are Python's": {
        "called_functions.NetCondParam": _BOTH, "called_functions.NetPartial": _BOTH,
    },
    "a bool, not a Tensor": {
        "compiling.run_j_bytecode_not": ["pynative"], "expressions.tensor_in_list": ["graph"],
        "expressions.tensor_in_list_not": ["graph"],
    },
    "MindSpore ignores too many values, a modulus, formats; keys and items of two types differ": {
        "assignments.unpack_mismatch": ["graph"], "builtin_functions.pow_mod": ["graph"],
        "builtin_functions.list_count": ["graph"], "expressions.dict_index": ["graph"],
        "expressions.fstring": ["graph"], "expressions.print_fstring": ["graph"],
    },
    "`asnumpy` gives NumPy's numbers, `argmax` without an axis reduces the last one": {
        "expressions.tensor_asnumpy": ["graph"], "expressions.tensor_methods": ["graph"],
    },
}  # fmt: skip
DIFFERENT = {row: modes for rows in _DIFFERENT.values() for row, modes in rows.items()}


def answer(case, mode):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        text = running.run(ms, case, mode)
    return "\n".join([text, *stream.getvalue().splitlines()])


def is_right(actual, mode, golden):
    """Whether an answer is MindSpore's, or Python's where MindSpore's compiler refuses or crashes."""
    expected = golden[mode]
    if actual == expected or expected == "crash":
        return True
    is_refused = expected.startswith("!") and golden["pynative"].startswith("=")
    return is_refused and (mode == "gradient" and actual.startswith("=") or actual == golden["pynative"])


def test_each_difference_is_of_a_row():
    assert DIFFERENT.keys() <= {f"{file}.{name}" for file, rows in GOLDEN.items() for name in rows}


@pytest.mark.parametrize("file, name", [(file, name) for file, rows in GOLDEN.items() for name in rows])
def test_answers_are_mindspores(file, name):
    golden = dict(zip(running.MODES, GOLDEN[file][name], strict=False))
    answers = {mode: answer(CASES[file][name], mode) for mode in golden}
    wrong = [mode for mode in golden if not is_right(answers[mode], mode, golden)]
    assert wrong == DIFFERENT.get(f"{file}.{name}", []), [(mode, golden[mode], answers[mode]) for mode in wrong]
