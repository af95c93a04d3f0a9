"""What is compiled: rows of operations and of layers, their gradients, and training steps of networks.

A subject is a function and its arguments, pytrees of arrays.
"""

import importlib

import msgrad as ms


def make(kind, name, form):
    """The subject of this kind and name, in a form: a row's ``forward`` or ``gradient``, a network's precision."""
    return {"operation": _operation, "layer": _layer, "network": _network}[kind](name, form)


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
