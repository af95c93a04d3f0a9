"""The signature of every operation is the reference's: names, order, kinds and defaults of its parameters.

The reference's are in ``tests/golden/signatures.json``; where it has several, ours is one of them, with the names of
the others as keywords, which editors complete.
"""

import ast
import inspect
import json
import pathlib
import pickle
import re

from msgrad import Parameter, Tensor, mint, numpy, ops, scipy
from msgrad._compat.ops import composite

from ..helpers import assert_each

GOLDEN = json.loads((pathlib.Path(__file__).resolve().parents[1] / "golden" / "signatures.json").read_text())
OWNERS = {
    "mindspore.ops": ops,
    "mindspore.ops.composite": composite,
    "mindspore.Tensor": Tensor,
    "mindspore.Parameter": Parameter,
    "mindspore.ops.Primitive": ops.Primitive,
    "mindspore.mint": mint,
    "mindspore.mint.distributed": mint.distributed,
    "mindspore.mint.linalg": mint.linalg,
    "mindspore.mint.nn": mint.nn,
    "mindspore.mint.nn.functional": mint.nn.functional,
    "mindspore.mint.optim": mint.optim,
    "mindspore.mint.special": mint.special,
    "mindspore.numpy": numpy,
    "mindspore.numpy.fft": numpy.fft,
    "mindspore.scipy.fft": scipy.fft,
    "mindspore.scipy.linalg": scipy.linalg,
    "mindspore.scipy.ops": scipy.ops,
    "mindspore.scipy.optimize": scipy.optimize,
}
# Whose names are not functions, but methods of an object.
METHODS = {"mindspore.Tensor", "mindspore.Parameter", "mindspore.ops.Primitive"}
# Where ours differs, with the reason.
DIFFERENT = {
    "mindspore.ops.MultitypeFuncGraph": "one more argument, which old programs pass",
    **dict.fromkeys(
        [
            f"mindspore.ops.Primitive.{name}"
            for name in (
                "add_attr", "del_attr", "get_user_data", "set_const_input_indexes", "set_const_prim",
                "set_hook_fn", "set_inplace_prim", "set_instance_name", "set_prim_type", "set_signatures",
                "set_user_data",
            )
        ],
        "the reference's parameters, of compiled code, have no names",
    ),
}  # fmt: skip


def rows(text):
    """``[(name, kind, default)]`` of a signature as text, without the object itself; None if it is no Python."""
    text = re.sub(r"\s*->.*$", "", text.strip())
    try:
        parsed = ast.parse(f"def f{re.sub('<[^<>]*>', 'SOME', text)}: pass").body[0].args
    except SyntaxError:
        return None
    plain = parsed.posonlyargs + parsed.args
    results = [(each.arg, "plain", None) for each in plain[: len(plain) - len(parsed.defaults)]]
    results += [(a.arg, "plain", default(d)) for a, d in zip(plain[len(results) :], parsed.defaults, strict=True)]
    results += [(parsed.vararg.arg, "*", None)] if parsed.vararg else []
    keywords = zip(parsed.kwonlyargs, parsed.kw_defaults, strict=True)
    results += [(a.arg, "keyword", d and default(d)) for a, d in keywords]
    results += [(parsed.kwarg.arg, "**", None)] if parsed.kwarg else []
    return results


def default(node):
    """A default as text; one that is no literal only has to be there."""
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, SyntaxError):
        return "some"


def agree(theirs, ours):
    return len(theirs) == len(ours) and all(
        a[:2] == b[:2] and (a[2] == b[2] or "some" in (a[2], b[2]) and None not in (a[2], b[2]))
        for a, b in zip(theirs, ours, strict=True)
    )


def without_object(parameters, is_method):
    is_object = is_method and parameters and parameters[0][:2] in [(n, "plain") for n in ("self", "input", "x")]
    return parameters[1:] if is_object else parameters


HERE = {
    f"{owner}.{name}": (f"{owner}.{name}", texts, getattr(OWNERS[owner], name), inspect.isclass(OWNERS[owner]))
    for owner, names in GOLDEN.items()
    for name, texts in names.items()
    if hasattr(OWNERS[owner], name)
}


def test_signatures_are_the_reference_s():
    assert_each(check_signature, HERE)


def check_signature(path, texts, ours, is_method):
    expected = [without_object(parsed, is_method) for parsed in map(rows, texts) if parsed is not None]
    if not any(parsed and [n for n, _, _ in parsed if n not in ("args", "inputs", "kwargs")] for parsed in expected):
        return  # the reference does not say
    shown, variants = inspect.signature(ours), getattr(ours, "variants", None)
    own = rows(str(variants[0].signature if variants else shown))
    candidates = [own, own[1:]] if is_method else [own]
    same = any(agree(theirs, each) for theirs in expected for each in candidates)
    assert same != (path in DIFFERENT), f"{shown} for {texts}"


def test_functions_are_pickled_by_name():
    """A Cell that keeps an activation function is pickled, and so is one that another process calls."""
    functions = {path: (each,) for path, (*_, each, _) in HERE.items() if inspect.isfunction(each)}
    assert_each(check_pickle, {path: row for path, row in functions.items() if path.rpartition(".")[0] not in METHODS})


def check_pickle(function):
    assert pickle.loads(pickle.dumps(function)) is function
