"""Writes ``probability.json``: what MindSpore makes of the rows of ``tests/nn/probability_cases.py``.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_probability.py

Its documentation lists the distributions for Ascend and GPU alone, but nearly all of their kernels are there for CPUs.
"""

import pathlib
import sys

import mindspore as ms
import mindspore.nn.probability.bijector as msb
import mindspore.nn.probability.bnn_layers as bnn
import mindspore.nn.probability.distribution as msd
import numpy as np
from _figures import encoded
from _tables import write_nested

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nn"))

import probability_cases as cases  # noqa: E402  (found beside this folder)

SCOPE = {"ms": ms, "msd": msd, "msb": msb, "bnn": bnn, "x": ms.Tensor([1.5, 0.5])}
MISSING = (NotImplementedError, ValueError)  # MindSpore has no such method; other errors say that it lacks a kernel


def tensor(numbers):
    return ms.Tensor(np.array(numbers, np.float32))


def figure(call, name):
    """What ``call()`` gives, by value; the name of the exception; or None for what MindSpore has no kernel for."""
    try:
        result = call()
        return encoded(result.asnumpy()) if isinstance(result, ms.Tensor) else result
    except MISSING as error:
        return type(error).__name__
    except Exception as error:
        print(name, "|", str(error).strip().splitlines()[:1], file=sys.stderr)
        return None


def figures_of(case):
    made = getattr(msd, case.name)(*[tensor(numbers) for numbers in case.parameters])
    results = {}
    for method in cases.METHODS:
        arguments = cases.arguments(case, method, tensor)
        results[method] = figure(lambda: getattr(made, method)(*arguments), f"{case.name}.{method}")  # noqa: B023
    weights = [ms.Parameter(tensor(numbers), name=f"p{i}") for i, numbers in enumerate(case.parameters)]
    learnt = getattr(msd, case.name)(*weights)
    value = tensor([[each] for each in case.values if each > 0])
    gradients = ms.grad(lambda x: learnt.log_prob(x).sum(), None, ms.ParameterTuple(weights))(value)
    results["slopes"] = [encoded(gradient.asnumpy()) for gradient in gradients]
    if isinstance(results["sample"], dict):
        del results["sample"]["data"]
    return results


def refusal(text):
    try:
        eval(text, SCOPE)
    except Exception as error:
        return type(error).__name__


def layer(text):
    np.random.seed(7)
    made = eval(text, SCOPE)
    parameters = {
        parameter.name: [list(parameter.shape), parameter.requires_grad] for parameter in made.get_parameters()
    }
    return {"text": repr(made), "parameters": parameters, "divergence": encoded(made.compute_kl_loss().asnumpy())}


def main():
    figures = {"distributions": {case.name: figures_of(case) for case in cases.DISTRIBUTIONS}}
    figures["bijectors"] = {}
    for name, (text, values, images) in cases.BIJECTORS.items():
        made = eval(text, SCOPE)
        points = {mapping: images if mapping.startswith("inverse") else values for mapping in cases.MAPPINGS}
        figures["bijectors"][name] = {
            mapping: encoded(getattr(made, mapping)(tensor(point)).asnumpy()) for mapping, point in points.items()
        }
    figures["shown"] = {text: repr(eval(text, SCOPE)) for text in cases.SHOWN}
    figures["refused"] = {text: refusal(text) for text in cases.REFUSED}
    figures["layers"] = {text: layer(text) for text in cases.LAYERS}
    write_nested(HERE / "probability.json", figures)


main()
