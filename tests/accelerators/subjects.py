"""What is compiled: rows of operations and of layers, their gradients, and training steps of networks.

A subject is a function and its arguments, pytrees of arrays.
"""

import importlib

import msgrad as ms


def make(kind, name, form):
    """The subject of this kind and name, in a form: ``forward`` or ``gradient``, or a network's precision."""
    return {"operation": _operation, "layer": _layer, "network": _network, "attention": _attention}[kind](name, form)


def _operation(name, form):
    from ..op_cases import CASES
    from ..ops.rows import free_inputs, make_free_row, make_row, tensors

    case = next(case for case in CASES if case.name == name)
    arrays = case.inputs()
    if form == "forward":
        return make_row(case), tensors(arrays)
    free = tensors(free_inputs(case, arrays))
    gradient = ms.grad(make_free_row(case, arrays), tuple(range(len(free))))
    return gradient, free


def _layer(name, form):
    from ..layer_cases import CASES
    from ..nn.rows import NAMESPACE, made

    case = next(case for case in CASES if case.name == name)
    layer = made(case).set_train(case.phases[-1])
    inputs = {name: ms.Tensor(array) for name, array in case.inputs().items()}
    call = eval(f"lambda layer, {', '.join(inputs)}: {case.expression()}", NAMESPACE)
    if form == "forward":
        return call, [layer, *inputs.values()]

    def gradient(layer, *inputs):
        results = ms.value_and_grad(lambda *inputs: call(layer, *inputs), None, layer.trainable_params())(*inputs)
        return results

    return gradient, [layer, *inputs.values()]


def _network(name, precision):
    network, inputs = importlib.import_module(".networks", __package__).NETWORKS[name]()
    network.set_train()
    if precision == "bf16":
        network = ms.amp.auto_mixed_precision(network, "O2", dtype=ms.bfloat16)
    optimizer = ms.nn.Momentum(network.trainable_params(), 0.01, 0.9)

    def step(network, optimizer, *inputs):
        def loss(*inputs):
            return network(*inputs).astype(ms.float32).mean()

        value, gradients = ms.value_and_grad(loss, None, optimizer.parameters)(*inputs)
        optimizer(gradients)
        return value, network, optimizer

    return step, [network, optimizer, *inputs]


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
    return ms.grad(lambda *operands: attend(*operands).astype(ms.float32).sum(), (0, 1, 2)), [*operands, mask]
