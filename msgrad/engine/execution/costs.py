"""Costs of compiling, launching and fetching on each kind of device, by which `tiers` chooses NumPy or XLA."""

import functools
import math
from typing import NamedTuple

import jax

from .. import host
from ..separation import barriers


class Costs(NamedTuple):
    """Seconds, all less than what was measured, except for those of compiling on a CPU.

    Attributes:
        compiling (float): XLA's for any program.
        compiling_kind (float): XLA's for each kind of primitive in it: of equal ones, as layers repeat them, it makes
            one kernel, but for products of one row.
        compiling_each (float): XLA's for each primitive in it.
        compiling_fused (float): XLA's for what its fusions of small arrays are made of (`Kernels.fused`).
        compiled (float): the share of the time of compiled code on a CPU that it takes on this device.
        interpreting (float): of each launch by NumPy, besides what the plan computes.
        launching (float): of a launch of compiled code, which NumPy saves.
        fetching (float): of an operand whose values the host does not have.
        fetching_byte (float): of each of its bytes.
        storing_byte (float): of each byte of a result on its way to the device.
        padded (float): the share of the time of compiled code on a CPU that it takes on this device, at most. By it
            programs of several sizes are compared.
        most_fused (float): XLA's for its fusions of small arrays, from which on a program gets `barriers`, or has
            equal kernels and needs none.
        compiling_separated (float): XLA's for these fusions in such a program.
        pace (float): the share of XLA's seconds for a program that they take where those of NumPy were taken.
    """

    compiling: float
    compiling_each: float
    interpreting: float
    launching: float = 0.0
    fetching: float = 0.0
    fetching_byte: float = 0.0
    storing_byte: float = 0.0
    compiling_kind: float = 0.0
    compiling_fused: float = 0.0
    compiled: float = 0.0
    padded: float = 1.0
    most_fused: float = math.inf
    compiling_separated: float = 0.0
    pace: float = 1.0

    def of_compiling(self, plan):
        """Seconds that XLA takes to compile what ``plan`` computes."""
        fused = self.compiling_fused * plan.kernels.fused
        if fused > self.most_fused and barriers.are_on():
            fused = self.compiling_separated
        kinds = self.compiling_kind * (plan.kinds + plan.kernels.alone)
        return self.pace * (self.compiling + kinds + self.compiling_each * plan.size + fused)

    def of_launch(self, plan):
        """Seconds by which a launch by NumPy takes longer than one of compiled code, if the host has the operands.

        0 where it takes no longer: such a program is never compiled.
        """
        seconds = plan.seconds + self.interpreting + self.storing_byte * plan.result_bytes
        return max(0.0, seconds - self.launching - self.compiled * plan.compiled_seconds)

    def of_fetching(self, operands):
        """Seconds until the host has the values of all operands."""
        if not self.fetching:
            return 0.0
        unknown = [array for array in jax.tree.leaves(operands) if not host.has_values_of(array)]
        return self.fetching * len(unknown) + self.fetching_byte * sum([array.nbytes for array in unknown])


# The number of primitives, that of their kinds, and the processor seconds of lowering and compiling them on a busy
# machine with two cores (JAX 0.10.2, no cache):
#
# | | forward | with all gradients | its optimizer |
# |---|---|---|---|
# | an operation | 1, 1: 0.04; 9, 8: 0.24 | | |
# | MLP of 2 layers | 14, 7: 0.60 | 35, 12: 0.61 | Adam: 103, 20: 0.38 |
# | of 40 | 280, 7: 0.64 | 681, 12: 0.74 | Adam: 2003, 20: 0.64 |
# | transformer of 1 layer | 154, 77: 0.69 | 449, 188: 2.3 | Adam: 403, 69: 0.8 |
# | of 4; a token of it | 493, 77: 0.86; 480, 69: 1.7 | 1259, 188: 2.7 | Adam: 1303, 69: 1.3 |
# | of 12 | 1397, 77: 1.2 | | |
# | residual convolutions with norms, 2 | 32, 14: 0.51 | 63, 21: 1.1 | SGD: 79, 16: 0.24 |
# | 8 | | 255, 21: 1.9 | SGD: 313, 16: 0.30 |
# | LSTM of 2 layers | | 167, 42: 1.2 | |
#
# Of arrays up to 16 KiB, with all gradients: the number of primitives, that of sums and extremes, and the seconds
# without `barriers` and, where there are any, with them:
#
# | transformer of width 32, of 1, 4, 12 layers | 248, 39: 1.6 | 992, 153: 8.4, 3.9 | 2976, 457: 80, 5.5 |
# | tanh, exp and a sum, 16, 32, 64 times | 258, 49: 1.0 | 514, 97: 2.8 | 1026, 193: 11, 1.3 |
# | MLP of 40 layers | 681, 81: 0.7, 0.8 | residual convolutions with norms, 24 (72 convolutions) | 2207, 193: 2.9 |
#
# So what is repeated costs little, but for small arrays, and programs of equally many kinds differ threefold. The costs
# below are right within a factor of 2 for most of these, and of 6 for all; they are too low for large convolutions.
#
# The machine of NumPy's estimates (`interpreter.table`; two cores with AVX-512) is twice as fast (`pace`): there a
# gradient of 23, 12 takes 0.07 s, one of an MLP of 3 layers (52, 28) 0.15 to 0.17, its Adam (153, 35) 0.28 to 0.29,
# LeNet's gradient (52, 40) 0.56: 0.4 to 0.6 of what the costs tell, and LeNet's as much.
#
# Which programs get barriers is decided when they are compiled (`barriers.MOST_COPIES`, with figures), since these
# estimates are wrong by a factor of 8 where kernels are equal: MLPs of 40 layers get 14 and take 1.5 to 1.7.
CPU = Costs(
    compiling=15e-3,
    compiling_kind=12e-3,
    compiling_each=0.6e-3,
    compiling_fused=55e-6,
    most_fused=2.9,
    compiling_separated=1.0,
    pace=0.5,
    interpreting=20e-6,
    storing_byte=0.05e-9,
    compiled=1.0,
)

# An H100 in a virtual machine (JAX 0.11.2): an addition is compiled in 80 ms, a softmax in 130, a convolution in 400 to
# 1 200, the gradient of 160 operations in 1.1 s; launched in 50 us. Four bytes reach the device in 50 us while the host
# goes on, and come back in 640 us, for which it waits; 64 MiB in 14 and 65 ms. By its data sheet it multiplies
# float32 at 67 TFLOP/s and reads memory at 3.4 TB/s, both more than 100 times as fast as two cores. Figures of TPUs are
# not known.
ACCELERATOR = Costs(
    compiling=80e-3,
    compiling_each=6e-3,
    interpreting=60e-6,
    launching=50e-6,
    fetching=600e-6,
    fetching_byte=1e-9,
    storing_byte=0.2e-9,
    padded=0.01,
)


def current():
    """The `Costs` of the current device."""
    return CPU if host.is_cpu(host.current_device()) else ACCELERATOR


@functools.cache
def allow_numpy():
    """Whether this process may run launches by NumPy at all.

    Not on several CPU devices, which only programs use that are sharded over them; nor where processes exchange values
    of accelerators.
    """
    if jax.default_backend() == "cpu":
        return jax.local_device_count() == 1
    return jax.process_count() == 1
