"""Programs of JAX's in the part of the language that jax2onnx 0.17 writes correctly.

Calls of programs within the program are replaced by what they hold, what is known is computed, and the operations of
`_FORMS` take another form of the same value. The names of MindSpore's operations, which errors name, stay.
"""

import contextlib
import functools

import jax
from jax import lax

from ...engine._jax_private import CONVOLUTION, DOT, Literal, Tracer

# Operations that are calls, and which of their parameters holds the program.
_CALLS = {
    "jit": "jaxpr",
    "closed_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "remat2": "jaxpr",
}
_KNOWN_SIZE = 4096  # elements; what is larger and known stays computed, as in the program


def rewritten(program):
    """A ClosedJaxpr that computes the same.

    Args:
        program (ClosedJaxpr): lengths may be symbolic.
    """
    return jax.make_jaxpr(functools.partial(_values, program))(*program.in_avals)


def _values(program, *arrays):
    """The results (list) of a program, with or without constants of its own, for arrays."""
    jaxpr, constants = (program.jaxpr, program.consts) if hasattr(program, "consts") else (program, ())
    env = dict(zip(jaxpr.constvars, constants, strict=True)) | dict(zip(jaxpr.invars, arrays, strict=True))

    def value(atom):
        return atom.val if isinstance(atom, Literal) else env[atom]

    for equation in jaxpr.eqns:
        results = _result(equation, [value(atom) for atom in equation.invars])
        env.update(zip(equation.outvars, results, strict=True))
    return [value(atom) for atom in jaxpr.outvars]


def _result(equation, operands):
    """The results of one operation."""
    primitive, name = equation.primitive, equation.primitive.name
    scope = str(equation.source_info.name_stack)
    with jax.named_scope(scope) if scope else contextlib.nullcontext():
        if name in _CALLS:
            return _values(equation.params[_CALLS[name]], *operands)
        with jax.ensure_compile_time_eval() if _is_known(equation, operands) else contextlib.nullcontext():
            form = _FORMS.get(name, primitive.bind)
            result = form(*operands, **equation.params)
    return result if primitive.multiple_results else [result]


def _is_known(equation, operands):
    """Whether the results depend on no input, and are small.

    Scalars of a float64 among them (a rate, an epsilon) would else be in the file, where ONNX has no mixed arithmetic.
    """
    shapes = [result.aval.shape for result in equation.outvars]
    return (
        bool(operands)
        and not any(isinstance(operand, Tracer) for operand in operands)
        and all(isinstance(length, int) for shape in shapes for length in shape)
        and sum(result.aval.size for result in equation.outvars) <= _KNOWN_SIZE
    )


# -- other forms -------------------------------------------------------------------------------------------------------


def _scan(*operands, jaxpr, num_consts, num_carry, reverse, length, **_):
    """A loop, always from the front."""
    constants, carry = operands[:num_consts], operands[num_consts : num_consts + num_carry]
    rows = operands[num_consts + num_carry :]

    def turned(arrays):
        return tuple([lax.rev(array, (0,)) for array in arrays]) if reverse else tuple(arrays)

    def step(carry, row):
        results = _values(jaxpr, *constants, *carry, *row)
        return tuple(results[:num_carry]), tuple(results[num_carry:])

    carry, results = lax.scan(step, tuple(carry), turned(rows), length=length)
    return [*carry, *turned(results)]


def _while(*operands, cond_jaxpr, cond_nconsts, body_jaxpr, body_nconsts):
    for_cond, rest = operands[:cond_nconsts], operands[cond_nconsts:]
    for_body, carry = rest[:body_nconsts], rest[body_nconsts:]
    return lax.while_loop(
        lambda values: _values(cond_jaxpr, *for_cond, *values)[0],
        lambda values: tuple(_values(body_jaxpr, *for_body, *values)),
        tuple(carry),
    )


def _cond(index, *operands, branches, **_):
    return lax.switch(index, [functools.partial(_branch, branch) for branch in branches], *operands)


def _branch(program, *operands):
    return tuple(_values(program, *operands))


def _convolution(images, kernels, *, dimension_numbers, **options):
    """A convolution with its axes in ONNX's order: batch, channels, lengths."""
    numbers, standard = dimension_numbers, tuple(range(images.ndim))
    back = [numbers.out_spec.index(axis) for axis in standard]
    convolved = CONVOLUTION.bind(
        _moved(images, numbers.lhs_spec),
        _moved(kernels, numbers.rhs_spec),
        dimension_numbers=lax.ConvDimensionNumbers(standard, standard, standard),
        **options,
    )
    return _moved(convolved, back)


def _moved(array, axes):
    return array if tuple(axes) == tuple(range(array.ndim)) else lax.transpose(array, axes)


def _product(left, right, *, dimension_numbers, **options):
    """A product of matrices of other dtypes than float32 as one of batches: jax2onnx's ``Gemm`` adds a float32 zero."""
    (axes, other_axes), _ = dimension_numbers
    if left.dtype == "float32" or left.ndim != 2 or right.ndim != 2 or len(axes) != 1:
        return DOT.bind(left, right, dimension_numbers=dimension_numbers, **options)
    numbers = ((axes[0] + 1,), (other_axes[0] + 1,)), ((0,), (0,))
    product = DOT.bind(left[None], right[None], dimension_numbers=numbers, **options)
    return lax.squeeze(product, (0,))


_FORMS = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
    "conv_general_dilated": _convolution,
    "dot_general": _product,
}
