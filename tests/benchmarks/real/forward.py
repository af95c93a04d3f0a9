"""A network run without gradients, in MindSpore and in PyTorch; in bfloat16 its weights are, too."""


def mindspore_forward(work, sizes, precision, mode):
    """A step, and a function that waits for its result."""
    import msgrad.alias

    msgrad.alias.install()
    import mindspore as ms

    ms.set_context(mode=getattr(ms, f"{mode.upper()}_MODE"))
    network, _ = work.mindspore_loss(sizes)
    network.set_train(False)
    if precision == "bf16":
        for parameter in network.get_parameters():
            parameter.set_dtype(ms.bfloat16)
    x = ms.Tensor(work.data(sizes)[0])
    return (lambda: network(x)), (lambda y: float(y.astype(ms.float32).mean().asnumpy()))


def torch_forward(work, sizes, precision):
    """A step, and a function that waits for its result."""
    import torch

    network, x, _ = work.torch_network(sizes, "cpu")
    network.eval()
    if precision == "bf16":
        network, x = network.bfloat16(), x.bfloat16() if x.is_floating_point() else x

    def step():
        with torch.no_grad():
            return network(x)

    return step, lambda y: y.float().mean().item()
