import os
import tempfile

import mindspore as ms
import numpy as np
from _data import Batches, network
from mindspore import nn
from mindspore.train import Callback, CheckpointConfig, History, LambdaCallback, LossMonitor, Model, ModelCheckpoint


class Told(Callback):
    """Prints what it is told, rounded."""

    def __getattribute__(self, name):
        if not name.startswith("on_"):
            return super().__getattribute__(name)

        def say(run_context):
            facts = run_context.original_args()
            outputs = facts.get("net_outputs")
            outputs = outputs[0] if isinstance(outputs, tuple) else outputs
            known = {key: facts[key] for key in ("cur_epoch_num", "cur_step_num", "batch_num", "mode") if key in facts}
            print(
                name,
                known,
                None if outputs is None else f"{float(outputs.asnumpy()):.4f}",
                sorted(facts.get("metrics") or {}),
            )

        return say


def names(callbacks):
    return [type(each).__name__ for each in callbacks if not type(each).__name__.startswith("_")]


class Facts(Callback):
    """Prints which facts there are at the end."""

    def on_train_end(self, run_context):
        facts = run_context.original_args()
        print(sorted(facts))
        print(names(facts.list_callback), facts.epoch_num, facts.parallel_mode, facts.device_number)

    def on_eval_end(self, run_context):
        facts = run_context.original_args()
        print({name: round(value, 3) for name, value in sorted(facts.get("eval_results", {}).items())})


folder = tempfile.mkdtemp()
net = network()
model = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.01, 0.9), metrics={"mse"})
history = History()
saved = ModelCheckpoint("net", folder, CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=2))
assert model.train(2, Batches(), callbacks=[Told(), saved, history, Facts()]) is None
print([round(float(value), 4) for value in history.history["net_output"]], history.epoch)
print(
    [name for name in sorted(os.listdir(folder)) if name.endswith("ckpt")],
    os.path.basename(saved.latest_ckpt_file_name),
)
print(list(ms.load_checkpoint(saved.latest_ckpt_file_name)))
print({name: round(value, 3) for name, value in model.eval(Batches(), callbacks=Told()).items()})

net = network()
model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), metrics={"mae", "loss"})
history = History()
again = ModelCheckpoint("net", folder, CheckpointConfig(append_info=["epoch_num", {"note": "here"}]))
model.fit(
    4, Batches(), Batches(4), valid_frequency=[2, 3], initial_epoch=1, callbacks=[Told(), again, history, Facts()]
)
print(sorted(history.history), [len(values) for _, values in sorted(history.history.items())])
print([name for name in sorted(os.listdir(folder)) if name.endswith("ckpt")])
last = ms.load_checkpoint(again.latest_ckpt_file_name)
print(last["epoch_num"].asnumpy(), last["note"])

stop = LambdaCallback(
    on_train_step_end=lambda context: context.original_args().cur_step_num == 2 and context.request_stop()
)
Model(network(), nn.MSELoss()).train(3, Batches(), callbacks=[Told(), stop])


def ones():
    batches = Batches()
    batches.columns = [np.ones_like(column) for column in batches.columns]
    return batches


model = Model(network(), nn.MSELoss(), metrics={"mae"})
exact = ones()
model.fit(2, exact, ones(), callbacks=LossMonitor(2))
model.train(2, exact, callbacks=[LossMonitor(0), LossMonitor()])
