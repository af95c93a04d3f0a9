"""What is compiled: rows of operations and of layers, their gradients, training steps, and programs of many sizes."""

import msgrad as ms

from . import memory, networks, padded, parallel
from .training import Subject, training_step


def make(text):
    """The `Subject` that ``"kind name form"`` names; the form says what is computed of it, and in which dtype."""
    kind, _, rest = text.partition(" ")
    name, _, form = rest.rpartition(" ")
    return _KINDS[kind](name, form)


def _operation(name, form):
    """A row of operations: ``forward`` or ``gradient``, and after a dot the dtype of its inputs."""
    from ..op_cases import CASES
    from ..ops.rows import free_inputs, make_free_row, make_row, tensors

    form, _, dtype = form.partition(".")
    case = next(case for case in CASES if case.name == name)
    arrays = case.inputs(dtype or "float32")
    if form == "forward":
        return Subject(make_row(case), tensors(arrays))
    free = tensors(free_inputs(case, arrays))
    return Subject(ms.grad(make_free_row(case, arrays), tuple(range(len(free)))), free)


def _layer(name, form):
    from ..layer_cases import CASES
    from ..nn.rows import NAMESPACE, made

    case = next(case for case in CASES if case.name == name)
    layer = made(case).set_train(case.phases[-1])
    inputs = {name: ms.Tensor(array) for name, array in case.inputs().items()}
    call = eval(f"lambda layer, {', '.join(inputs)}: {case.expression()}", NAMESPACE)
    if form == "forward":
        return Subject(call, [layer, *inputs.values()])

    def gradient(layer, *inputs):
        return ms.value_and_grad(lambda *inputs: call(layer, *inputs), None, layer.trainable_params())(*inputs)

    return Subject(gradient, [layer, *inputs.values()])


def _network(name, precision):
    return training_step(*networks.NETWORKS[name](), precision)


_PAIRS = "ops.matmul(q, k.swapaxes(-1, -2)) * 0.125"
ATTENTION = {  # how it is written, of q, k, v in bfloat16 and a mask in float32
    "causal": f"ops.matmul(ops.softmax(({_PAIRS}).astype(ms.float32) + mask, -1).astype(ms.bfloat16), v)",
    "padded": f"ops.matmul(ops.softmax({_PAIRS} + mask[:, :, :1].astype(ms.bfloat16), -1), v)",
    "operation": "ops.flash_attention_score(q, k, v, 2, scalar_value=0.125, input_layout='BNSD', sparse_mode=2)",
}


def _attention(name, form):
    attend = eval(f"lambda q, k, v, mask: {ATTENTION[name]}", {"ms": ms, "ops": ms.ops})
    operands = [ms.ops.ones((2, 2, 256, 64), ms.bfloat16) for _ in range(3)]
    mask = ms.ops.full((2, 1, 256, 256), -1e9).triu(1)
    gradient = ms.grad(lambda *operands: attend(*operands).astype(ms.float32).sum(), (0, 1, 2))
    return Subject(gradient, [*operands, mask])


COMPLEX = {"whole": "z.T * 2", "parts": "(ops.real(z.T * 2), ops.imag(z.T * 2))"}  # results of complex128 `z`


def _complex(name, form):
    return Subject(eval(f"lambda z: {COMPLEX[name]}", {"ops": ms.ops}), [ms.ops.ones((3, 3), ms.complex128)])


def _memory(name, version):
    return _VERSIONS[version](name)


_VERSIONS = {
    **{"msgrad": memory.by_msgrad, "jax": memory.by_jax},
    **{"full-size": memory.in_full_size, "dropout": memory.with_dropout},
}


_KINDS = {
    "operation": _operation,
    "layer": _layer,
    "network": _network,
    "attention": _attention,
    "complex128": _complex,
    "memory": _memory,
    "parallel": parallel.step,
    "padded": padded.program,
}
