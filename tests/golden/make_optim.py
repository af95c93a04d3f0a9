"""Writes ``optim.json``, the Parameters and slots of optimizers after ten steps, and ``schedules.json``.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_optim.py [NAME ...]

Names select rows, the figures of the others being kept. The figures come from PYNATIVE_MODE. What MindSpore cannot
compute is named on the standard error stream.
"""

import json
import pathlib
import sys

import mindspore as ms
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nn"))

from optim_cases import CASES, run  # noqa: E402  (found beside this folder)
from schedule_cases import LISTS, STEPPED, rates_of  # noqa: E402

TARGET = HERE / "optim.json"


def encoded(array):
    return {"shape": list(array.shape), "data": [float(str(value)) for value in np.asarray(array).ravel()]}


def main(names):
    figures = json.loads(TARGET.read_text()) if names and TARGET.exists() else {}
    for case in CASES:
        if names and case.name not in names:
            continue
        try:
            result = run(case, ms)
        except Exception as error:  # MindSpore raises many types
            print(case.name, type(error).__name__, str(error).strip().splitlines()[:4], file=sys.stderr)
            continue
        steps = [[encoded(each) for each in step] for step in result["steps"]]
        figures[case.name] = {"steps": steps, "slots": result["slots"]}
    rows = [f"{json.dumps(name)}: {json.dumps(figures[name])}" for name in sorted(figures)]
    TARGET.write_text("{\n" + ",\n".join(rows) + "\n}\n")

    schedules = {name: [float(rate) for rate in eval(text, {"nn": ms.nn})] for name, text in LISTS.items()}
    stepped = {name: rates_of(name, ms) for name in STEPPED}
    rows = [
        f"{json.dumps(f'{kind} {name}')}: {json.dumps(rates)}"
        for kind, result in (("list", schedules), ("step", stepped))
        for name, rates in result.items()
    ]
    (HERE / "schedules.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


main(sys.argv[1:])
