"""Epochs of `Model.train` over one batch again and again, in sink mode or not."""

from . import _training

STEPS = 64  # of an epoch


class Batches:
    """A dataset of one batch, again and again."""

    def __init__(self, batch):
        self.batch = batch

    def get_dataset_size(self):
        return STEPS

    def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
        return _Epochs(self.batch)

    def reset(self):
        pass


class _Epochs:
    def __init__(self, batch):
        self.batch = batch

    def __iter__(self):
        return iter([self.batch] * STEPS)


def mindspore_step(network, loss, batch, sinks):
    """A step that trains for an epoch, of a network with equal Parameters each time."""
    import mindspore
    from mindspore import Tensor, nn

    class Last(mindspore.train.Callback):
        def on_train_epoch_end(self, run_context):
            self.loss = run_context.original_args().net_outputs

    parameters = {parameter.name: parameter for parameter in network.get_parameters()}
    for name, value in _training.values({name: parameter.shape for name, parameter in parameters.items()}).items():
        parameters[name].set_data(Tensor(value))
    optimizer = nn.Momentum(network.trainable_params(), _training.RATE, _training.MOMENTUM)
    model, last, dataset = mindspore.Model(network, loss, optimizer), Last(), Batches(tuple(map(Tensor, batch)))

    def run():
        run.turns += STEPS
        model.train(1, dataset, last, dataset_sink_mode=sinks)
        return (last.loss,)

    run.turns = 0
    return run


def jax_step(step):
    """The same number of steps of `step`, each a call."""

    def run():
        run.turns += STEPS
        for _ in range(STEPS - 1):
            step()
        return step()

    run.turns = 0
    return run
