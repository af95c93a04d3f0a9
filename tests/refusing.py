"""A pretended GPU compiler, which refuses all programs as jaxlib's does some, until Triton's products are left out."""

import jax

SAID = (
    "INTERNAL: Couldn't find output tile sizes that satisfy hlo: %dot.34 = bf16[16,4]{1,0} dot(%parameter_0.14, "
    "%bitcast.279), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n\tSymbolic tile with"
)


class Compiler:
    """In place of ``jax.jit``.

    Attributes:
        says (str): why it refuses.
        mends (bool): whether leaving Triton's products out helps.
        refused, made (int): how often it has refused, and how many functions it would not refuse.
    """

    def __init__(self, says=SAID, mends=True):
        self.says, self.mends, self.refused, self.made, self.jit = says, mends, 0, 0, jax.jit

    def __call__(self, fn, compiler_options=None, **arguments):
        jitted = self.jit(fn, **arguments)
        if self.mends and compiler_options == {"xla_gpu_enable_triton_gemm": False}:
            self.made += 1
            return jitted
        return _Refused(self, jitted)


class _Refused:
    """A function of ``jax.jit``, or what it is lowered to, that is not compiled."""

    def __init__(self, compiler, stage):
        self.compiler, self.stage = compiler, stage

    def __getattr__(self, name):
        return getattr(self.stage, name)

    def lower(self, *operands):
        return _Refused(self.compiler, self.stage.lower(*operands))

    def compile(self, *_):
        self.compiler.refused += 1
        raise jax.errors.JaxRuntimeError(self.compiler.says)

    __call__ = compile
