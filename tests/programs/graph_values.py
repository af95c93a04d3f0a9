"""Functions that give other values in a graph than in PYNATIVE_MODE: `FUNCTIONS` by name, with their `INPUTS`.

The file runs in MindSpore, too (`tests/golden/make_graph_values.py`).
"""

import numpy as np


def negated(x):
    return not x


def negated_twice(x):
    return not not x


def negated_comparison(x):
    return not (x > 0)


def negation_plus_one(x):
    return (not x) + 1


def negations_in_a_list(x):
    return [not x, not 3, not ""]


def negated_containers(x):
    return not [x], not (x, x), not {}, not None, not x.shape


def negation_is_true(x):
    return (not x) is True


def negated_shapes(x):
    return [not each for each in (x, x > 1)]


def negation_inside(x):
    def inner(y):
        return not y

    return inner(x), inner(3)


def negation_in_a_condition(x):
    if not x:
        return x + 1
    return x - 1


def negation_of_a_bool(x):
    return not bool(x), x is not None


def largest(x):
    return max(x, 1)


def smallest(x):
    return min(x, 1)


def of_two(x):
    return max(x, 10), min(x, -1)


def twice(x):
    return x, x


def nested(x):
    return [x, (x, 1)]


def sum_and_product(x):
    return x + 1, x * 2, -x


def or_and(x):
    return x or 0, x and 1


def keys_before_update(x):
    table = {"a": x, "b": x + 1}
    keys, values, items = table.keys(), table.values(), table.items()
    table.update({"c": x, "a": x * 10})
    return keys, values, items, len(table)


def items_before_a_write(x):
    table = {"a": x}
    items = table.items()
    table["a"] = x * 10
    table["b"] = x
    return len(items), [value for _, value in items]


def values_before_clear(x):
    table = {"a": x}
    values = table.values()
    table.clear()
    return len(values), values


def numpy_numbers(x):
    return np.prod(x.shape), [np.float32(2), (np.int8(3), np.uint8(200))], np.max([1, 2.5])


COUNT, SCALE = 5, 3.0


def global_number(x):
    COUNT += 1  # noqa: F823  (MindSpore's compiler reads the global)
    return COUNT + x


def global_before_local(x):
    y = x * SCALE  # noqa: F823
    SCALE = 2.0
    return y * SCALE


def global_in_a_branch(x, flag=False):
    if flag:
        SCALE = 10.0
    return x * SCALE


def type_and_value(value):
    """``value`` as text: class names of Python's numbers and containers, dtype and values of Tensors."""
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} of {', '.join(map(type_and_value, value))}"
    if hasattr(value, "asnumpy"):
        return f"{value.dtype} {value.asnumpy().tolist()}"
    return f"{type(value).__name__} {value}"


def inputs(ms):
    """By name, over a ``mindspore`` module."""
    tensors = {
        "2.0": ms.Tensor(2.0), "0.0": ms.Tensor(0.0), "[1.0]": ms.Tensor([1.0]), "[0]": ms.Tensor([0]),
        "[True]": ms.Tensor([True]), "True": ms.Tensor(True), "nan": ms.Tensor(float("nan")),
    }  # fmt: skip
    return tensors, {"3": ms.mutable(3), "0": ms.mutable(0), "2.5": ms.mutable(2.5)}


def cases(ms):
    """Function and input by the name of the case."""
    tensors, numbers = inputs(ms)
    of_numbers = (largest, smallest, of_two, twice, nested, sum_and_product, or_and)
    of_tensors = (
        negated, negated_twice, negated_comparison, negation_plus_one, negations_in_a_list, negated_containers,
        negation_is_true, negated_shapes, negation_inside, negation_in_a_condition, negation_of_a_bool,
    )  # fmt: skip
    of_one_tensor = (
        keys_before_update, items_before_a_write, values_before_clear, global_number, global_before_local,
        global_in_a_branch, numpy_numbers,
    )  # fmt: skip
    return {
        f"{function.__name__} of {name}": (function, value)
        for functions, values in (
            (of_tensors, tensors),
            (of_numbers, numbers),
            (of_one_tensor, {"2.0": tensors["2.0"]}),
        )
        for function in functions
        for name, value in values.items()
    }
