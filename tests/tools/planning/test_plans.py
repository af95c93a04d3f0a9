"""What a plan says of a program that is not run."""

import json
import re
import resource
from xml.etree import ElementTree

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine import observation
from msgrad.tools.planning import advice, report
from msgrad.tools.planning.changing import Batches, in_precision
from msgrad.tools.planning.compiling import compiled
from msgrad.tools.planning.page import page
from msgrad.tools.planning.targets import TARGETS, place_of

from .planned import plan_of, pretended, summary_of

HERE = "test_plans.py"
SVG = "{http://www.w3.org/2000/svg}"
BATCH, WIDTH, INNER = 32, 512, 1024


class Net(nn.Cell):
    def __init__(self, width=WIDTH, inner=INNER):
        super().__init__()
        self.up, self.down = nn.Dense(width, inner), nn.Dense(inner, width)

    def construct(self, x):
        return self.down(ops.relu(self.up(x)))


def training(mode, steps=10, seen=None, optimizer=nn.Momentum, net=None, batch=lambda step: BATCH):
    """A script that trains a network."""

    def script():
        network = net() if net else Net()
        trained = optimizer(network.trainable_params(), 0.1)
        loss = lambda x: (network(x) ** 2).mean()  # noqa: E731
        gradient = ms.value_and_grad(loss, None, trained.parameters)

        def step(x):
            value, gradients = gradient(x)
            trained(gradients)
            return value

        run = ms.jit(step) if mode == "graph" else step
        for number in range(steps):
            value = run(Tensor(np.ones((batch(number), WIDTH), np.float32)))
            (seen if seen is not None else []).append(value)

    return script


def momentum(parameters, rate):
    return nn.Momentum(parameters, rate, 0.9)


PARAMETERS = 4 * (WIDTH * INNER + INNER + INNER * WIDTH + WIDTH)
PRODUCTS = 2 * BATCH * WIDTH * INNER * 5  # two forward, three of their gradients: none by the input


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_two_steps_are_planned_and_none_is_run(mode):
    seen = []
    plan = plan_of(training(mode, seen=seen, optimizer=momentum))
    assert plan["steps"] == 2 and plan["ended"]["reason"] == "2 training steps are planned"
    assert seen and all(value.asnumpy() == 0 for value in seen)
    peak = plan["programs"][plan["peak_program"]]["memory"]
    assert PARAMETERS <= peak["parameter"] <= PARAMETERS + 1000  # with the optimizer's rate
    assert PARAMETERS <= peak["optimizer"] <= PARAMETERS + 1000
    assert sum([n for kind, n in plan["step"]["flops"].items() if kind != "other"]) == PRODUCTS
    assert plan["fits"] and observation.observer is None


def test_layers_have_the_path_of_their_cell_and_the_line():
    plan = plan_of(training("pynative", optimizer=momentum))
    rows = {path: line for path, line, *_ in report.shares(plan)}
    assert {"Net.up", "Net.down"} <= set(rows) and f"{HERE}:" in rows["Net.up"]


def test_a_model_of_any_size_takes_no_memory():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    plan = plan_of(training("pynative", optimizer=momentum, net=lambda: Net(WIDTH, 1 << 20)))  # 1 G numbers
    assert plan["peak"] > 2**33
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**19  # KiB: half a GiB


def test_small_work_of_the_host_is_done():
    values = []

    def script():
        rate = Tensor(np.float32(0.5)) * 4
        values.append(float(rate))
        values.append((Tensor(np.arange(4.0)) > 1).sum().asnumpy())

    plan = plan_of(script)
    assert values == [2.0, 2] and plan["programs"] == []


def test_a_shape_that_changes_is_named():
    plan = plan_of(training("pynative", optimizer=momentum, batch=lambda step: BATCH + step))
    (found,) = [each for each in plan["findings"] if "compiled again" in each]
    assert HERE in found and "(33, 512)" in found and "(32, 512)" in found


def test_a_loop_on_values_ends_with_its_line(monkeypatch):
    monkeypatch.setattr("msgrad.tools.planning.ending.Ending.most_reads", 10)

    def script():
        loss = (Net()(Tensor(np.ones((4096, WIDTH), np.float32))) ** 2).mean()
        while float(loss) < 1:
            pass

    plan = plan_of(script)
    assert "a loop waits for a value" in plan["ended"]["reason"] and HERE in plan["ended"]["line"]
    assert len(plan["programs"]) >= 1
    assert "Stopped at" in report.text(plan)


def test_time_ends_a_script():
    def script():
        while True:
            pass

    reason = plan_of(script, seconds=0.2)["ended"]["reason"]
    assert reason.startswith("0.2 seconds have passed, at ") and HERE in reason


def test_an_except_clause_does_not_keep_a_script_alive():
    caught = []

    def script():
        run = training("pynative", optimizer=momentum)
        for _ in range(2):
            try:
                run()
            except BaseException as error:
                caught.append(type(error).__name__)

    plan_of(script)
    assert caught == ["PlanComplete", "PlanComplete"]


@pytest.mark.parametrize(("excess", "fits"), [(-(2**20), True), (2**20, False)])
def test_it_fits_if_the_device_has_the_memory(excess, fits):
    limit = TARGETS["h100"].memory
    known = plan_of(training("graph", optimizer=momentum), pretended(0))
    plan = plan_of(training("graph", optimizer=momentum), pretended(limit - known["peak"] + excess))
    assert plan["fits"] is fits
    assert ("does NOT fit" in report.text(plan)) is not fits


def test_a_refusal_of_the_compiler_is_told_with_the_line():
    def refusing(planned):
        raise RuntimeError("no form\n of it")

    plan = plan_of(training("graph", optimizer=momentum), refusing)
    assert not plan["fits"]
    assert any(f"{HERE}:" in each and "no form of it" in each for each in plan["findings"])
    assert "the compiler refuses a program" in report.text(plan)


def test_reads_of_placeholders_are_told():
    def script():
        seen = []
        training("pynative", 1, seen, momentum)()
        print(seen[0])

    plan = plan_of(script)
    assert [HERE in line for line, _ in plan["reads"]] == [True]


def test_a_real_compiler_is_asked_for_this_machine():
    summary = summary_of(training("graph", optimizer=momentum), on="cpu")
    (planned,) = summary.to_compile()
    found = compiled(planned, place_of("cpu"))
    assert found.memory.arguments >= 2 * PARAMETERS and found.memory.overwritten >= PARAMETERS
    summary.add(planned, found)
    assert {"Net.up", "Net.down"} <= {row["path"] for row in summary.plan()["programs"][0]["layers"]}


def test_precision_lowers_products():
    with in_precision("bf16"):
        plan = plan_of(training("pynative", optimizer=momentum))
    products = {kind for kind, n in plan["step"]["flops"].items() if n and kind != "other"}
    assert products == {"bf16"}


def test_a_batch_size_replaces_that_of_datasets():
    def script():
        data = ms.dataset.NumpySlicesDataset(np.zeros((64, WIDTH), np.float32), ["x"], shuffle=False).batch(4)
        (rows,) = next(data.create_tuple_iterator())
        training("pynative", optimizer=momentum, batch=lambda step: rows.shape[0])()

    with Batches(16).changed() as batches:
        plan = plan_of(script)
    assert batches.count == 1
    assert sum(n for kind, n in plan["step"]["flops"].items() if kind != "other") == PRODUCTS * 16 / BATCH


def test_a_page_has_pictures_that_are_xml_and_no_link():
    plan = plan_of(training("graph", optimizer=momentum), pretended(2**30))
    text = page([plan, plan])
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    texts = [[each.text for each in ElementTree.fromstring(picture).iter(f"{SVG}text")] for picture in pictures]
    assert len(pictures) == 6 and any("Net.up" in row for row in map(str, texts[2]))
    assert "1.0 GiB" in str(texts[0]) and "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_compiler_that_ends_its_process_leaves_what_was_known():
    summary = summary_of(training("graph", optimizer=momentum))
    summary.begin(summary.to_compile()[0])  # what the file has when the process ends
    plan = advice.complete(json.loads(json.dumps(summary.plan(), default=float)), -6)
    assert not advice.is_good(plan) and plan["peak"] >= 2 * PARAMETERS
    assert any("ended its process (status -6)" in each and HERE in each for each in plan["findings"])
