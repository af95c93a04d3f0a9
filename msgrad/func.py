"""``torch.func`` over msgrad's transforms: scalar outputs, ``argnums``, ``in_dims``.

Imported as ``msgrad.func``. Each function differs from MindSpore's function of the same name in argument names, in the
structure of results with aux, and in that gradients require a scalar output.
"""

from . import autodiff as _ms
from .autodiff import no_grad
from .engine.handle import Handle

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "vjp", "vmap"]


def _scalar(fn, has_aux, owner):
    """``fn`` with its output (the first one with aux) checked to be a Tensor of one element."""

    def checked(*args, **kwargs):
        output = fn(*args, **kwargs)
        value = output[0] if has_aux and isinstance(output, tuple) and len(output) == 2 else output
        if not isinstance(value, Handle):
            raise RuntimeError(
                f"{owner}(f)(*args): expected f to return a Tensor{' and aux' if has_aux else ''}, "
                f"but got {type(output).__name__}."
            )
        if value.aval[0] not in ((), (1,)):
            raise RuntimeError(
                f"{owner}(f)(*args): expected f to return a Tensor of one element, but got shape {value.aval[0]}. "
                "Sum it, or use jacrev for the whole Jacobian."
            )
        return output

    checked.__name__ = getattr(fn, "__name__", type(fn).__name__)
    return checked


def grad(func, argnums=0, has_aux=False):
    """Makes the function that computes the gradient of a scalar function.

    Args:
        func (function | Cell): returns a Tensor of one element, or ``(that, aux)``.
        argnums (int | tuple[int]): positions of the arguments to differentiate by. Default: ``0``.
        has_aux (bool): ``func`` returns aux, which is passed on. Default: ``False``.
    Returns:
        function: it returns a Tensor, a tuple for a tuple of ``argnums``, and ``(gradients, aux)`` with aux.
        An outer ``_no_grad`` block has no effect on it; one inside ``func`` has.
    Raises:
        RuntimeError: if the output is not a Tensor of one element.
    Example:
        >>> msgrad.func.grad(lambda x: ops.sin(x))(Tensor(0.0)).item()
        1.0
    """
    with no_grad.ignored():
        make = _ms.grad(_scalar(func, has_aux, "grad"), argnums, None, has_aux)

    def gradient(*args, **kwargs):
        with no_grad.ignored():
            result = make(*args, **kwargs)
        if not has_aux:
            return _as_argnums(result, argnums)
        gradients, aux = result
        return _as_argnums(gradients, argnums), aux[0]

    return gradient


def grad_and_value(func, argnums=0, has_aux=False):
    """Makes the function that computes the gradient of a scalar function, and its value.

    Args: as for `grad`.
    Returns:
        function: it gives ``(gradients, value)``, and ``(gradients, (value, aux))`` with aux.
    Raises:
        RuntimeError: as `grad`.
    Example:
        >>> gradient, value = msgrad.func.grad_and_value(lambda x: x * x)(Tensor(3.0))
        >>> gradient.item(), value.item()
        (6.0, 9.0)
    """
    with no_grad.ignored():
        make = _ms.value_and_grad(_scalar(func, has_aux, "grad_and_value"), argnums, None, has_aux)

    def both(*args, **kwargs):
        with no_grad.ignored():
            value, gradients = make(*args, **kwargs)
        return _as_argnums(gradients, argnums), value

    return both


def _as_argnums(gradients, argnums):
    return (gradients,) if isinstance(argnums, tuple) and not isinstance(gradients, tuple) else gradients


def vjp(func, *primals, has_aux=False):
    """Computes ``func(*primals)`` and the function that pulls a cotangent back.

    Args:
        func (function | Cell): what to differentiate.
        primals (Tensor): the point.
        has_aux (bool): ``func`` returns ``(output, aux)``. Default: ``False``.
    Returns:
        tuple: ``(output, pull)``, with aux ``(output, pull, aux)``; ``pull(cotangent)`` gives a tuple over the primals.
    Example:
        >>> output, pull = msgrad.func.vjp(lambda x: x * x, Tensor([3.0]))
        >>> pull(Tensor([1.0]))[0].tolist()
        [6.0]
    """
    return _ms.vjp(func, *primals, has_aux=has_aux)


def jvp(func, primals, tangents, has_aux=False):
    """Computes ``func(*primals)`` and its tangent.

    Args:
        func (function | Cell): what to differentiate.
        primals, tangents (tuple[Tensor]): the point and the direction.
        has_aux (bool): ``func`` returns ``(output, aux)``. Default: ``False``.
    Returns:
        tuple: ``(output, tangent)``, with aux ``(output, tangent, aux)``.
    Example:
        >>> msgrad.func.jvp(lambda x: x * x, (Tensor([3.0]),), (Tensor([1.0]),))[1].tolist()
        [6.0]
    """
    direction = tangents[0] if len(tangents) == 1 else tangents
    return _ms.jvp(func, primals, direction, has_aux)


def vmap(func, in_dims=0, out_dims=0):
    """Makes the function that maps ``func`` over a dimension of its inputs.

    Args:
        func (function | Cell): what to map.
        in_dims (int | tuple): the mapped dimension of each argument, None if it is not mapped. Default: ``0``.
        out_dims (int | tuple): the position of the mapped dimension in the outputs. Default: ``0``.
    Returns:
        function.
    Example:
        >>> msgrad.func.vmap(lambda x: x.sum())(Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [3.0, 7.0]
    """
    return _ms.vmap(func, in_dims, out_dims)


def jacfwd(func, argnums=0, has_aux=False):
    """Makes the function that computes the Jacobian in forward mode.

    Args:
        func (function | Cell): returns a Tensor or a tuple of Tensors.
        argnums (int | tuple[int]): positions of the arguments to differentiate by. Default: ``0``.
        has_aux (bool): ``func`` returns ``(output, aux)``. Default: ``False``.
    Returns:
        function: its result has shape ``output.shape + input.shape``.
    Example:
        >>> msgrad.func.jacfwd(lambda x: x * x)(Tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """
    return _ms.jacfwd(func, argnums, has_aux)


def jacrev(func, argnums=0, has_aux=False):
    """Makes the function that computes the Jacobian in reverse mode.

    Args, Returns: as for `jacfwd`.
    Example:
        >>> msgrad.func.jacrev(lambda x: x * x)(Tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """
    return _ms.jacrev(func, argnums, has_aux)


def hessian(func, argnums=0):
    """Makes the function that computes the Hessian, as forward over reverse mode.

    Args:
        func (function | Cell): returns a Tensor.
        argnums (int): position of the argument to differentiate by. Default: ``0``.
    Returns:
        function: its result has shape ``output.shape + input.shape + input.shape``.
    Example:
        >>> msgrad.func.hessian(lambda x: (x * x * x).sum())(Tensor([1.0, 2.0])).tolist()
        [[6.0, 0.0], [0.0, 12.0]]
    """
    return _ms.jacfwd(_ms.jacrev(func, argnums), argnums)
