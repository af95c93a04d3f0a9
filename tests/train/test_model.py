"""Model and callbacks: arguments, interrupts, loss scales, datasets."""

import os
import re

import numpy as np
import pytest

import msgrad as ms
from msgrad import nn, ops, train
from msgrad.train import CheckpointConfig, LossMonitor, Model, ModelCheckpoint, TimeMonitor


class Batches:
    """A dataset of ``count`` batches of ones."""

    def __init__(self, count=3, columns=2):
        self.count, self.columns, self.resets = count, columns, 0

    def get_dataset_size(self):
        return self.count

    def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
        return _Epochs(self)

    def reset(self):
        self.resets += 1


class _Epochs:
    def __init__(self, dataset):
        self.dataset = dataset

    def __iter__(self):
        return iter([[ops.ones((2, 4)), ops.ones((2, 2))][: self.dataset.columns]] * self.dataset.count)


def model(metrics=None, **kwargs):
    net = nn.Dense(4, 2)
    return Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics=metrics, **kwargs)


class Ends(train.Callback):
    """Raises ``error`` after a step, and counts how often training ended."""

    def __init__(self, error, step=2):
        super().__init__()
        self.error, self.step, self.ends = error, step, 0

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            raise self.error

    def on_train_end(self, run_context):
        self.ends += 1


def test_an_interrupt_saves_and_ends(tmp_path):
    ends = Ends(KeyboardInterrupt)
    saves = ModelCheckpoint("net", str(tmp_path), CheckpointConfig(100))
    with pytest.raises(KeyboardInterrupt):
        model().train(1, Batches(), callbacks=[saves, ends])
    assert ends.ends == 1
    assert os.listdir(tmp_path) == ["net-1_2.ckpt"]
    assert "weight" in ms.load_checkpoint(saves.latest_ckpt_file_name)


def test_an_exception_saves_if_it_is_to(tmp_path):
    for number, config in enumerate([CheckpointConfig(100, exception_save=True), CheckpointConfig(100)]):
        with pytest.raises(ArithmeticError):
            model().train(
                2, Batches(), callbacks=[ModelCheckpoint(f"n{number}", str(tmp_path), config), Ends(ArithmeticError)]
            )
    assert os.listdir(tmp_path) == ["n0-1_2_breakpoint.ckpt"]
    assert "weight" in ms.load_checkpoint(str(tmp_path / "n0-1_2_breakpoint.ckpt"))


@pytest.mark.parametrize("async_save", [False, True])
def test_files_that_are_kept(async_save, tmp_path):
    config = CheckpointConfig(keep_checkpoint_max=2, async_save=async_save, format="ckpt", crc_check=True)
    model().train(3, Batches(), callbacks=ModelCheckpoint("net", str(tmp_path), config))
    assert sorted(os.listdir(tmp_path)) == ["net-3_2.ckpt", "net-3_3.ckpt"]
    model().train(1, Batches(1), callbacks=ModelCheckpoint("net", str(tmp_path)))
    assert sorted(os.listdir(tmp_path)) == ["net-3_2.ckpt", "net-3_3.ckpt", "net_1-1_1.ckpt"]


def test_names_by_functions(tmp_path):
    prefix = lambda facts: f"step{facts.cur_step_num}"  # noqa: E731
    saves = ModelCheckpoint(prefix, lambda facts: str(tmp_path / "made"), CheckpointConfig(2))
    model().train(1, Batches(4), callbacks=saves)
    assert sorted(os.listdir(tmp_path / "made")) == ["step2.ckpt", "step4.ckpt"]


def test_seconds_instead_of_steps(tmp_path):
    saves = ModelCheckpoint("net", str(tmp_path), CheckpointConfig(0, 1000))
    model().train(1, Batches(4), callbacks=saves)
    assert os.listdir(tmp_path) == ["net-1_4.ckpt"]


def test_resuming_is_as_if_nothing_had_been(tmp_path, mode):
    def made():
        net = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
        return net, Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))

    whole, straight = made()
    straight.train(4, Batches())
    _, first = made()
    saves = ModelCheckpoint("net", str(tmp_path))
    first.train(2, Batches(), callbacks=saves)
    resumed, second = made()
    ms.load_checkpoint(saves.latest_ckpt_file_name, second.train_network)
    second.train(4, Batches(), initial_epoch=2)
    assert (resumed.weight.asnumpy() == whole.weight.asnumpy()).all()


def test_times(capsys):
    model({"mae"}).fit(1, Batches(), Batches(2), callbacks=TimeMonitor(data_time=True))
    time = r" +\d+\.\d\d\d ms"
    rest = rf" epoch time:{time}, per step time:{time} \(data time:{time}\)\n"
    assert re.fullmatch(f"Eval{rest}Train{rest}", capsys.readouterr().out)


def test_a_loss_that_is_not_finite_ends_training():
    class Divides(nn.Cell):
        def construct(self, logits, labels):
            return (logits - labels).sum() / 0.0

    net = nn.Dense(4, 2, weight_init="ones")
    with pytest.raises(ValueError, match="In epoch: 1 step: 1, loss is NAN or INF, here inf"):
        Model(net, Divides(), nn.SGD(net.trainable_params(), 0.1)).train(1, Batches(), callbacks=LossMonitor())


def test_a_loss_scale_that_changes(mode, capsys):
    manager = ms.DynamicLossScaleManager(4.0, 2, 2)
    trained = model(loss_scale_manager=manager, amp_level="O0")
    trained.train(1, Batches(), callbacks=LossMonitor(3))
    assert re.fullmatch(r"epoch: 1 step: 3, loss is [\d.e-]+\n", capsys.readouterr().out)


def test_data_sink_begins_anew():
    seen = []
    step = ms.data_sink(lambda x, y: seen.append(x) or len(seen), Batches(3), sink_size=2)
    assert [step() for _ in range(3)] == [2, 4, 6]
    net = nn.Dense(4, 2)
    compiled = ms.data_sink(lambda x, y: net(x).sum() + y.sum(), Batches(), 2, ms.JitConfig())
    assert np.isclose(compiled().item(), (net(ops.ones((2, 4))).sum() + 4).item(), rtol=1e-5)


def test_a_helper_goes_over_the_data_again():
    helper = train.DatasetHelper(Batches(3), False, epoch_num=2)
    assert [[type(batch) for batch in helper] for _ in range(2)] == [[list] * 3] * 2
    assert helper.sink_size() == 1


def test_predicting_evaluating_and_building(mode):
    built = model({"mae", "loss"})
    built.build(Batches(), Batches())
    assert built.predict(ops.ones((1, 4))).shape == (1, 2)
    assert not built.predict_network.training
    assert sorted(built.eval(Batches())) == ["loss", "mae"]
    own = Model(
        nn.Dense(4, 2),
        metrics={"mae"},
        eval_network=nn.WithEvalCell(nn.Dense(4, 2), nn.MSELoss()),
        eval_indexes=[0, 1, 2],
    )
    assert list(own.eval(Batches())) == ["mae"]


class Old(train.Callback):
    def step_end(self, run_context):
        pass


def test_older_names_of_callbacks(capsys):
    model().train(1, Batches(), callbacks=Old())
    with pytest.raises(ValueError, match="on_train_"):
        model({"mae"}).fit(1, Batches(), callbacks=Old())


def test_a_dataset_belongs_to_one_model():
    dataset, first = Batches(), model()
    first.train(1, dataset)
    first.train(1, dataset)
    with pytest.raises(RuntimeError, match="another Model"):
        model().train(1, dataset)


def test_callbacks_are_entered_and_left():
    class Entered(train.Callback):
        left = None

        def __exit__(self, *error):
            self.left = error

    calm, broken = Entered(), Entered()
    model().train(1, Batches(), callbacks=calm)
    with pytest.raises(ArithmeticError):
        model().train(1, Batches(), callbacks=[broken, Ends(ArithmeticError)])
    assert (calm.left, broken.left[0]) == ((None, None, None), ArithmeticError)


ERRORS = [
    (lambda: model(foo=3), ValueError, "the 'kwargs' must be out of"),
    (lambda: model(boost_level="O1"), ValueError, "the 'boost_level' must be 'O0'"),
    (lambda: Model(3), TypeError, "the 'network' must be a Cell"),
    (lambda: Model(nn.Dense(4, 2), metrics={"mae"}), ValueError, "the 'eval_network' must be given"),
    (lambda: Model(nn.Dense(4, 2), loss_fn=3), AttributeError, "'int' object has no attribute 'get_inputs'"),
    (lambda: Model(nn.Dense(4, 2), amp_level="O2"), ValueError, "the 'amp_level' must be 'O0'"),
    (lambda: model(amp_level="O9"), ValueError, "level"),
    (lambda: model().train(0, Batches()), ValueError, "the 'epoch' must be"),
    (lambda: model().train(1, Batches(), dataset_sink_mode=3), TypeError, "the 'dataset_sink_mode' must be"),
    (lambda: model().train(1, Batches(), sink_size=0), ValueError, "the 'sink_size' must be -1"),
    (lambda: model().train(1, Batches(), initial_epoch=3), ValueError, "the 'initial_epoch' must be less"),
    (lambda: model().train(1, Batches(), callbacks=3), TypeError, "the 'callbacks' must be a Callback"),
    (lambda: model().train(1, Batches(0)), ValueError, "the 'train_dataset' must be of at least one"),
    (lambda: model().train(1, Batches(1, columns=1)), ValueError, "the 'train_dataset' must be of 2 columns"),
    (lambda: model().eval(Batches()), ValueError, "the 'metrics' must be given"),
    (lambda: model().fit(1, Batches(), Batches()), ValueError, "the 'metrics' must be given"),
    (lambda: model().fit(1, Batches(), valid_frequency="a"), TypeError, "the 'valid_frequency' must be"),
    (lambda: model().predict(ops.ones((0, 4))), ValueError, "the 'predict_data' must be of at least one element"),
    (lambda: model().predict(object()), TypeError, "the 'predict_data' must be"),
    (lambda: model().predict(backend="foo"), ValueError, "the 'backend' must be"),
    (lambda: model().build(), ValueError, "the 'train_dataset' must be given"),
    (lambda: model().infer_train_layout(Batches()), RuntimeError, "one device"),
    (lambda: CheckpointConfig(save_checkpoint_steps=-1), ValueError, "the 'save_checkpoint_steps' must be"),
    (lambda: CheckpointConfig(0, 0, 0, 0), ValueError, "the 'save_checkpoint_steps' must be above 0"),
    (lambda: CheckpointConfig(append_info=["foo"]), ValueError, "the 'append_info' must be"),
    (lambda: CheckpointConfig(append_info=3), TypeError, "the 'append_info' must be"),
    (lambda: CheckpointConfig(append_info=[{}, {}]), TypeError, "the 'append_info' must be"),
    (lambda: CheckpointConfig(remove_redundancy=True), TypeError, "the 'remove_redundancy' must be False"),
    (lambda: CheckpointConfig(saved_network=3), TypeError, "the 'saved_network' must be"),
    (lambda: ModelCheckpoint("a/b"), ValueError, "the 'prefix' must be"),
    (lambda: ModelCheckpoint("a", config=3), TypeError, "the 'config' must be"),
    (lambda: LossMonitor(-1), ValueError, "The input value must be int, 0 or more, for 'per_print_times'"),
    (lambda: LossMonitor("a"), TypeError, "The input value must be int"),
    (lambda: LossMonitor(True), TypeError, "The input value must be int"),
    (lambda: TimeMonitor(data_time=3), TypeError, "the 'data_time' must be"),
    (lambda: train.EarlyStopping(mode="foo"), ValueError, "the 'mode' must be"),
    (lambda: train.EarlyStopping(monitor=3), TypeError, "the 'monitor' must be"),
    (lambda: train.ReduceLROnPlateau(factor=2.0), ValueError, "the 'factor' must be"),
    (lambda: train.ReduceLROnPlateau(patience=-1), ValueError, "the 'patience' must be"),
    (lambda: train.RunContext(3), TypeError, "the 'original_args' must be a dict"),
    (lambda: ms.data_sink(print, Batches(), 0), ValueError, "the 'sink_size' must be"),
    (lambda: ms.data_sink(print, Batches(0))(), ValueError, "the 'dataset' must be of at least one batch"),
    (lambda: train.DatasetHelper(Batches(), sink_size=0), ValueError, "the 'sink_size' must be -1"),
]


@pytest.mark.parametrize(("call", "error", "text"), ERRORS)
def test_errors(call, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


def test_policy_and_defaults():
    config = CheckpointConfig(10, 20, keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=5)
    assert config.get_checkpoint_policy() == {
        "save_checkpoint_steps": 10, "save_checkpoint_seconds": None, "keep_checkpoint_max": 0,
        "keep_checkpoint_per_n_minutes": 5, "saved_network": None,
    }  # fmt: skip
    assert CheckpointConfig(keep_checkpoint_max=0).keep_checkpoint_max == 1


class SmallSteps(nn.TrainOneStepCell):
    """A step with a hundredth of the loss's gradient."""

    def __init__(self, network, optimizer):
        super().__init__(network, optimizer, sens=0.01)


class OwnNetworks(Model):
    """Builds its own networks, as MindArmour's ``DPModel`` and ``SuppressModel`` do."""

    def _build_train_network(self):
        assert self._parallel_mode == "stand_alone" and self._device_number == 1 and not self._parameter_broadcast
        self._check_kwargs({"keep_batchnorm_fp32": self._keep_bn_fp32})
        assert self._keep_bn_fp32 is None and not self._loss_scale_manager_set and self._amp_level == "O0"
        return SmallSteps(nn.WithLossCell(self._network, self._loss_fn), self._optimizer)

    def _build_eval_network(self, metrics, eval_network, eval_indexes):
        assert metrics == self._metrics == {"mae"} and eval_network is eval_indexes is None
        super()._build_eval_network(metrics, eval_network, eval_indexes)
        self._eval_network = nn.WithEvalCell(nn.SequentialCell(self._network, nn.ReLU()), self._loss_fn)

    def _build_predict_network(self):
        self._predict_network = nn.SequentialCell(self._network, nn.ReLU())


def test_subclasses_build_the_networks():
    net = nn.Dense(4, 2, weight_init="ones", bias_init=-5.0)
    model = OwnNetworks(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
    assert model.predict(ops.ones((1, 4))).asnumpy().max() == 0  # -1 before ReLU
    assert model.eval(Batches()) == {"mae": 2.0}  # 4 without ReLU
    model.train(1, Batches(count=1))
    # The mean square of four differences of -2 has slope -1 by each, so -2 by each weight, for two rows of ones.
    np.testing.assert_allclose(net.weight.asnumpy(), 1 + 0.002, rtol=1e-6)


class OwnLoops(Model):
    """Records the calls of MindSpore's loops and steps; trains in a loop of its own, by their parts."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.calls = []

    def _train(self, epoch, train_dataset, **kwargs):
        self.calls.append(("_train", epoch, sorted(kwargs)))
        super()._train(epoch, train_dataset, **kwargs)

    def _train_process(self, epoch, train_dataset, list_callback, cb_params, initial_epoch=0, valid_infos=None):
        self.calls.append(("_train_process", epoch, cb_params.batch_num, initial_epoch, valid_infos[1:]))
        helper, network = self._exec_preprocess(True, train_dataset, False, epoch_num=epoch)
        cb_params.update(dataset_sink_mode=False, cur_epoch_num=epoch)
        context = train.RunContext(cb_params)
        list_callback.on_train_begin(context)
        for batch in helper:
            cb_params.cur_step_num += 1
            self._check_network_mode(network, True)
            cb_params.net_outputs = network(*batch)
            list_callback.on_train_step_end(context)
        self._eval_during_train(valid_infos, cb_params, list_callback)
        self._flush_from_cache(cb_params)
        list_callback.on_train_end(context)

    def _eval_process(self, valid_dataset, list_callback=None, cb_params=None, add_eval_loss=False):
        self.calls.append(("_eval_process", cb_params.mode, cb_params.batch_num, add_eval_loss))
        return {**super()._eval_process(valid_dataset, list_callback, cb_params, add_eval_loss), "own": 1}

    def _update_metrics(self, outputs):
        self.calls.append(("_update_metrics", len(outputs)))
        super()._update_metrics(outputs)

    def _check_network_mode(self, network, is_train):
        self.calls.append(("_check_network_mode", is_train))
        return super()._check_network_mode(network, is_train)


def test_subclasses_train_and_evaluate_in_their_loops(capsys):
    net = nn.Dense(4, 2)
    model = OwnLoops(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
    model.fit(5, Batches(count=2), Batches(count=1), callbacks=LossMonitor(), initial_epoch=3)
    of_fit = "callbacks dataset_sink_mode initial_epoch sink_size valid_dataset valid_dataset_sink_mode valid_frequency"
    of_evaluation = [("_check_network_mode", False), ("_update_metrics", 3)]
    assert model.calls == [
        ("_train", 5, of_fit.split()),
        ("_train_process", 5, 2, 3, (1, False)),
        *[("_check_network_mode", True)] * 2,
        ("_eval_process", "eval", 1, True),
        *of_evaluation,
    ]
    assert capsys.readouterr().out.count("epoch: 5 step:") == 2
    model.calls.clear()
    assert model.eval(Batches(count=1))["own"] == 1
    assert model.calls == [("_eval_process", "eval", 1, False), *of_evaluation]
    model.calls.clear()
    model.train(1, Batches())
    assert model.calls[0] == ("_train", 1, of_fit.split()[:4])


class OwnSinking(Model):
    """Trains in sink mode by a loop of its own."""

    def _train_dataset_sink_process(
        self, epoch, train_dataset, list_callback=None, cb_params=None, sink_size=-1, initial_epoch=0, valid_infos=None
    ):
        helper = None
        self.losses = []
        for _ in range(epoch):
            helper, network = self._exec_preprocess(True, train_dataset, True, sink_size, epoch, helper)
            self.losses += [(inputs, network(*inputs).item()) for inputs in helper]


def test_subclasses_sink_in_their_loops_on_an_accelerator(sink_mode):
    net = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
    model = OwnSinking(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(2, Batches(count=2), dataset_sink_mode=True)
    # Each step multiplies the difference, 3 before the first, by 1 - 0.1 * (4 + 1).
    assert model.losses == [((), pytest.approx(1.5**2)), ((), pytest.approx(0.375**2))]


def test_callbacks_find_the_optimizer_in_sink_mode(sink_mode):
    class Reads(train.Callback):
        def on_train_step_end(self, run_context):
            network = run_context.original_args().train_network
            self.seen = network.network.optimizer, network.optimizer

    net = nn.Dense(4, 2)
    optimizer, reads = nn.SGD(net.trainable_params(), 0.1), Reads()
    Model(net, nn.MSELoss(), optimizer).train(1, Batches(), reads, dataset_sink_mode=True)
    assert all(each is optimizer for each in reads.seen)


def test_training_begins_in_training_mode():
    net = nn.Dense(4, 2)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(1, Batches())
    net.set_train(False)
    model.train(1, Batches())
    assert net.training


class TrainableCheckpoint(ModelCheckpoint):
    """Saves what is trained alone, with the parts of `ModelCheckpoint` that mindpet and mindformers use."""

    def _save_ckpt(self, cb_params, force_to_save=False):
        if self._need_flush_from_cache or cb_params.cur_step_num == self._last_triggered_step:
            return
        if not self._check_save_ckpt(cb_params, force_to_save):
            return
        self._manager.update_ckpoint_filelist(self._directory, self._prefix)
        if 0 < self._config.keep_checkpoint_max <= self._manager.ckpoint_num:
            self._manager.remove_oldest_ckpoint_file()
        self._last_triggered_step = cb_params.cur_step_num
        self._append_dict_content(cb_params.cur_epoch_num, cb_params.cur_step_num)
        path = os.path.join(self._directory, f"{self._prefix}-{cb_params.cur_step_num}_1.ckpt")
        ms.save_checkpoint(cb_params.network.trainable_params(), path, append_dict=self._append_dict)


def test_subclasses_save_in_their_way(tmp_path):
    net = nn.Dense(4, 2)
    net.bias.requires_grad = False
    config = CheckpointConfig(2, keep_checkpoint_max=2, append_info=["epoch_num", "step_num"])
    saves = TrainableCheckpoint("net", str(tmp_path), config)
    Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(3, Batches(), callbacks=saves)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net-8_1.ckpt", "net-9_1.ckpt"]
    saved = ms.load_checkpoint(str(tmp_path / "net-9_1.ckpt"))
    assert {name: int(saved[name].asnumpy()) for name in ("epoch_num", "step_num")} == {"epoch_num": 3, "step_num": 9}
    assert set(saved) == {"weight", "epoch_num", "step_num"}
