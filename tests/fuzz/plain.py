"""Derivatives by finite differences, with which gradients are compared.

`Plain` stands for ``mindspore`` in a program. Its Cells are called without a recording, its transforms call their
function again and again, and rules, hooks and recomputation mean nothing to it.
"""

import time
import types

import numpy as np

import msgrad
from msgrad import Tensor, nn, ops

from . import running

STEP = 1e-3
DISAGREE = 1e-4  # of two quotients, from which on there is no derivative
SECONDS = 10  # for one program


class PlainCell(nn.Cell):
    def __call__(self, *args):
        return self.construct(*args)

    def recompute(self, **kwargs):
        pass


class PlainFunction:
    @classmethod
    def apply(cls, *args):
        return cls.forward(types.SimpleNamespace(save_for_backward=lambda *tensors: None), *args)


class Plain:
    """The transforms that programs use, on functions that may write the Parameters of ``net``."""

    nn = types.SimpleNamespace(Cell=PlainCell)
    _Function = PlainFunction

    def __init__(self):
        self.net = None
        self.deadline = time.monotonic() + SECONDS

    def __getattr__(self, name):
        return getattr(msgrad, name)

    def recompute(self, cell, *args):
        return cell(*args)

    def vmap(self, fn):
        return lambda batch: ops.stack([fn(each) for each in batch])

    def grad(self, fn, position=0, weights=None):
        return lambda *args: self._gradients(fn, args, position, weights)[1]

    def value_and_grad(self, fn, position=0, weights=None):
        return lambda *args: self._gradients(fn, args, position, weights)

    def vjp(self, fn, x):
        value, jacobian = self._jacobian(fn, (x,), 0)
        return value, lambda v: (Tensor(np.tensordot(v.asnumpy(), jacobian, v.ndim)),)

    def jvp(self, fn, x, v):
        value, tangent = self._along(fn, (x,), 0, v.asnumpy())
        return value, Tensor(tangent.reshape(value.shape))

    def jacrev(self, fn):
        return lambda x: Tensor(self._jacobian(fn, (x,), 0)[1])

    jacfwd = jacrev

    def directional_derivatives(self, program, args):
        """The derivatives by each input and Parameter, in a random direction for each."""

        def fn(*args):
            return self.net(*args)[0] if program.has_aux else self.net(*args)

        variables = {"x": 0, "y": 1} | {parameter.name: parameter for parameter in self.net.trainable_params()}
        before, derivatives = running.state(self.net), {}
        for name, place in variables.items():
            running.restore(self.net, before)
            _, derivative = self._along(fn, args, place, direction(self._value(args, place).shape))
            derivatives[name] = Tensor(derivative.sum())
        return derivatives

    def _gradients(self, fn, args, position, weights):
        variables = [] if position is None else [position]
        variables += [] if weights is None else weights if isinstance(weights, list) else [weights]
        gradients, result = [], None
        before = running.state(self.net)
        for place in variables:
            running.restore(self.net, before)
            result, jacobian = self._jacobian(fn, args, place)
            gradients.append(Tensor(jacobian.reshape(-1, *self._value(args, place).shape).sum(axis=0)))
        if isinstance(weights, list):
            by_weights = tuple(gradients[len(gradients) - len(weights) :])
            return result, (gradients[0], by_weights) if position is not None else by_weights
        return result, tuple(gradients) if len(gradients) > 1 else gradients[0]

    def _jacobian(self, fn, args, place):
        """Returns what ``fn`` returns, and the derivatives of all of it by a place: an argument's or a Parameter."""
        shape, before = self._value(args, place).shape, running.state(self.net)
        columns, result = [], None
        for index in np.ndindex(*shape):
            running.restore(self.net, before)
            direction = np.zeros(shape)
            direction[index] = 1
            result, column = self._along(fn, args, place, direction)
            columns.append(column)
        outer = result.shape if isinstance(result, Tensor) else (-1,)
        return result, np.stack(columns, -1).reshape(*outer, *shape)

    def _along(self, fn, args, place, direction):
        """Returns what ``fn`` returns, and the derivative of all of it, flat, in a direction; it writes state once."""
        value, before = self._value(args, place), running.state(self.net)
        if value.dtype != np.float64:
            raise running.Inconclusive(f"a {value.dtype}")
        result = fn(*args)
        after = running.state(self.net)

        def quotient(step):
            ends = []
            for signed in (step, -step):
                if time.monotonic() > self.deadline:
                    raise running.Inconclusive("no time left")
                running.restore(self.net, before)
                ends.append(flat(self._call_at(fn, args, place, value + signed * direction)))
            if ends[0].shape != ends[1].shape:
                raise running.Inconclusive("a shape that depends on values")
            return (ends[0] - ends[1]) / (2 * step)

        near, far = quotient(STEP), quotient(2 * STEP)
        running.restore(self.net, after)
        if near.shape != far.shape:
            raise running.Inconclusive("a shape that depends on values")
        best = near + (near - far) / 3  # of fourth order, so that differences of differences have digits left
        if not np.all(np.abs(near - far) <= DISAGREE * (1 + np.abs(best))):
            raise running.Inconclusive("a jump or a kink nearby")
        return result, best

    @staticmethod
    def _value(args, place):
        return (args[place] if isinstance(place, int) else place).asnumpy().copy()

    def _call_at(self, fn, args, place, value):
        if isinstance(place, int):
            return fn(*args[:place], Tensor(value), *args[place + 1 :])
        ops.assign(place, Tensor(value))
        return fn(*args)


def flat(value):
    """Returns all numbers of a nest, as one array of float64."""
    if isinstance(value, Tensor):
        return value.asnumpy().astype(np.float64).ravel()
    nested = list(value.values()) if isinstance(value, dict) else list(value)
    return np.concatenate([flat(each) for each in nested] or [np.zeros(0)])


def direction(shape):
    """Returns the direction in which a place of this shape is differentiated."""
    return np.random.RandomState(0).uniform(-1, 1, shape)


def observe(program):
    """What the first call of a program shows, as `running.observe` has it, gradients as directional derivatives."""
    ms = Plain()
    ms.net = net = running.make_net(program, ms, ms.nn)
    inputs = running.arguments(program, 0)
    seen = {}
    for observation, call in (("output", net), ("gradient", lambda *args: ms.directional_derivatives(program, args))):
        before = running.state(net)
        seen[f"call 0: {observation}"] = running.attempt(call, *inputs)
        if "raised" in seen[f"call 0: {observation}"]:
            running.restore(net, before)  # a call that fails leaves no trace
        seen[f"call 0: state after the {observation}"] = running.state(net)
    return seen
