"""Memory of a program without its compiler: which values of the jaxpr are alive at once."""

from ...engine._jax_private import Literal, jaxprs_in_parameters
from .buffers import Buffer, Buffers
from .calls import origin_of
from .counting import size_of

# What compilers fuse into the operation that uses it, so that it takes no memory where only one does.
_KEPT = {
    *("dot_general", "conv_general_dilated", "reduce_window", "reduce_window_max", "select_and_scatter_add", "sort"),
    *("gather", "scatter", "scatter-add", "concatenate", "dynamic_update_slice", "cumsum", "fft", "while", "scan"),
}


class Estimate:
    """The buffers of a jaxpr, in the form of a `Schedule`.

    Attributes:
        buffers (Buffers): its intermediate values and results.
        exchanges (list): none.
    """

    exchanges = ()

    def __init__(self, jaxpr, overwritten):
        uses, backward = {}, set()
        for position, equation in enumerate(jaxpr.eqns):
            for variable in equation.invars:
                if not isinstance(variable, Literal):
                    uses.setdefault(variable, []).append(position)
                    if "transpose(" in str(equation.source_info.name_stack):
                        backward.add(variable)
        results = {v for v in jaxpr.outvars if not isinstance(v, Literal)}
        buffers, free = [], list(overwritten)
        for position, equation in enumerate(jaxpr.eqns):
            name = str(equation.source_info.name_stack)
            inner = [getattr(each, "jaxpr", each) for each in jaxprs_in_parameters(equation.params)]
            if equation.primitive.name in ("scan", "while"):
                largest = max([Estimate(each, ()).buffers for each in inner], key=lambda buffers: buffers.most)
                buffers += largest.within(position)
            for variable in equation.outvars:
                size = size_of(variable.aval)
                fused = len(uses.get(variable, ())) == 1 and not inner and equation.primitive.name not in _KEPT
                if not size or (fused and variable not in results):
                    continue
                if variable in results and size in free:  # which overwrites an argument
                    free.remove(size)
                    continue
                last = len(jaxpr.eqns) if variable in results else max(uses.get(variable, [position]))
                is_kept = "transpose(" not in name and variable in backward
                shape = f"{variable.aval.dtype.name}[{','.join(map(str, variable.aval.shape))}]"
                buffers.append(Buffer(size, shape, position, last, origin_of(name), is_kept))
        self.buffers = Buffers(buffers, list(range(len(jaxpr.eqns))))
