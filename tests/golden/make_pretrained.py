"""Writes ``compat_examples/pretrained/stripes.ckpt`` with MindSpore itself, by the network of ``fine_tuning.py``.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_pretrained.py
"""

import pathlib
import runpy

import mindspore as ms
import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "compat_examples"
STEPS = 150


def main():
    program = runpy.run_path(str(EXAMPLES / "fine_tuning.py"))
    random = np.random.RandomState(1)
    ms.set_seed(1)
    network = program["Classifier"](4)
    network.set_train()
    losses = program["train"](network, lambda: program["stripes"](32, random), STEPS, 0.05)
    assert np.mean(losses[-10:]) < 0.05, losses
    ms.save_checkpoint(network, program["PRETRAINED"], append_dict={"steps": STEPS})


if __name__ == "__main__":
    main()
