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


def powers_of_constants(x):
    return 2**-1, (-2) ** -1, (-1) ** -3, 1**-5, 3**-2, 2**3, 0**0, 2.0**-1, 10**15, True**2, x


def powers_of_lengths(x):
    length, other = x.ndim + 2, x.ndim + 7
    length **= -1
    return length, other**-2, pow(other, -1), pow(other, 2), other**x.ndim, (x.ndim + 3) ** 20, 8 * other**-1


def powers_of_zero_and_too_large(x):
    zero = x.ndim
    return zero**-1, (zero - 3) ** 41, (zero + 2) ** 63, (zero + 2) ** 62, (zero + 3) ** 39


def tensor_by_a_power(x):
    scale = x * (x.ndim + 2) ** -1
    scale **= 2
    return scale, x**-1, x**0.5, 2**x


def functions_of_a_loop(x):
    functions = []
    for i in range(3):

        def added(y):
            return y + i  # noqa: B023

        functions.append(added)
    return [each(x) for each in functions]


def functions_of_a_comprehension(x):
    functions = [lambda y: y + i for i in range(3)]  # noqa: B023
    return functions[0](x), functions[2](x)


def function_before_an_assignment(x):
    k = 1

    def added(y):
        return y + k

    k = 10
    return added(x), k


def function_between_tensors(x):
    k = x
    added = lambda y: y + k  # noqa: E731
    before = added(x)
    k = x * 10
    return before, added(x)


def function_before_a_branch(x):
    k = 1

    def added(y):
        return y + k

    if x.ndim == 0:
        k = 5
    return added(x)


def function_of_what_it_changes(x):
    total = x

    def step(y):
        return y + total

    for _ in range(3):
        total = step(total)
    return total


def function_in_a_while_loop(x):
    i, total = 0, x

    def scaled(y):
        return y * (i + 1)

    while i < 3:

        def times(y):
            return scaled(y) * i  # noqa: B023

        total = total + times(x)
        i = i + 1
    return total


def function_that_calls_itself(x):
    k = 1

    def counted(n, y):
        return y if n == 0 else counted(n - 1, y + k)

    k = 2
    return counted(3, x), k


def lists_beside_tensors(x):
    row = x.reshape((1,)).tile((2,))
    return (
        row + [1, 2], row - (1.5, 2), row * [0.5, 2.0], [3, 4] * row, row / (1.0, 4.0), [1.0, 4.0] / row, row // [2, 2],
        [7, 7] // row, row % [2, 2], (7, 7) % row, [2, 3] ** row,
    )  # fmt: skip


def lists_beside_ints(x):
    row = x.astype("int32").reshape((1,)).tile((2,))
    return row * [0.5, 2.0], row + (1.5, 2), row / [2, 4], row // [2, 2], row % (2, 2)


def appended_by_another_name(x):
    a = [x]
    b = a
    b.append(x)
    c = b
    c.insert(0, x)
    d = c
    d.extend([x, x])
    e = d
    e.reverse()
    f = e
    f.clear()
    return len(a), len(b), len(c), len(d), len(e), len(f)


def appended_by_an_inner_function(x):
    out = []

    def add(y):
        out.append(y)
        return len(out)

    return add(x), add(x), len(out)


def appended_before_an_inner_function_reads(x):
    out = [x]

    def read():
        return len(out)

    out.append(x)
    return read(), len(out)


def appended_in_a_branch_of_an_inner_function(x):
    out = [x]

    def add(condition):
        if condition:
            out.append(x)
        return len(out)

    return add(True), add(False), len(out)


def appended_two_functions_deep(x):
    out = [x]

    def outer():
        def inner():
            out.append(x)
            return len(out)

        return inner(), len(out)

    return outer(), len(out)


def appended_to_an_argument(x):
    def add(values, y=None, more=()):
        values.append(y)
        return len(values), len(more)

    a, b = [x], [x]
    return add(a, x), add(values=b, y=x, more=a), len(a), len(b)


def appended_to_a_default(x):
    def add(values=[]):  # noqa: B006
        values.append(x)
        return len(values)

    return add(), add()


def add_to(values, x):
    values.append(x)
    return values


def appended_by_another_function(x):
    values = [x]
    more = add_to(values, x)
    add_to(values, x)
    return len(values), len(more)


def appended_by_recursion(x):
    def add(values, n):
        if n == 0:
            return values
        values.append(n)
        return add(values, n - 1)

    values = []
    return len(add(values, 3)), len(values)


def appended_to_parts(x):
    a = [[x], [x]]
    b = a[0]
    a[0].append(x)
    c = a[1]
    c.append(x)
    table = {"a": []}
    table["a"].append(x)
    return len(a[0]), len(a[1]), len(b), len(c), len(table["a"])


def appended_to_the_items_of_a_list(x):
    a = [[], []]
    for each in a:
        each.append(x)
    return len(a[0]), len(each)


def popped(x):
    a = [x, x + 1, x + 2]
    b = a
    last = a.pop()
    first = a.pop(0)
    a.pop()
    return last, first, len(a), len(b)


def added_to_a_list(x):
    a = [x]
    b = a
    b += [x, x]
    c = [b, b]
    c[0] = a
    c[1][0] = x + 1
    return len(a), len(b), len(c[0]), b[0]


def repeated_or_extended_by_another_name(x):
    a = [x]
    more = [x, x]
    b = a
    b *= 3
    c = b
    c += more
    n = 2
    n *= 3
    return len(a), len(b), len(c), n


def written_to_a_list_by_an_inner_function(x):
    values, table = [x, x], {"a": x}

    def write():
        values[0] = x + 5
        table["b"] = x
        table.update({"c": x})
        return values[0], len(table)

    return write(), values[0], len(table)


def written_to_a_dict_by_another_name(x):
    a = {"a": x}
    b = a
    b["b"] = x
    c = b
    c.update({"c": x})
    return len(a), len(b), len(c)


def written_to_a_tensor_by_an_inner_function(x):
    y = x.reshape((1,)) * 1

    def write():
        y[0] = 7.0
        return y

    return write(), y


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
        global_in_a_branch, numpy_numbers, powers_of_constants, powers_of_lengths, powers_of_zero_and_too_large,
        tensor_by_a_power, functions_of_a_loop, functions_of_a_comprehension, function_before_an_assignment,
        function_between_tensors, function_before_a_branch, function_of_what_it_changes, function_in_a_while_loop,
        function_that_calls_itself, lists_beside_tensors, lists_beside_ints, appended_by_another_name,
        appended_by_an_inner_function, appended_before_an_inner_function_reads,
        appended_in_a_branch_of_an_inner_function, appended_two_functions_deep, appended_to_an_argument,
        appended_to_a_default, appended_by_another_function, appended_by_recursion, appended_to_parts,
        appended_to_the_items_of_a_list, popped, added_to_a_list,
        repeated_or_extended_by_another_name, written_to_a_list_by_an_inner_function,
        written_to_a_dict_by_another_name, written_to_a_tensor_by_an_inner_function,
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
