"""Meshes of devices, and which of their axes cut a length into so many parts.

One program has one mesh: XLA combines shardings over different ones badly (JAX 0.10 fails on the results). So all
strategies of a program are said with the axes of a mesh whose lengths are prime, with which every cut can be said that
divides the number of devices: 8 devices are ``(2, 2, 2)``, and a cut of 4 takes two axes.
"""

import functools
import itertools
import math

import jax
import numpy as np
from jax.sharding import Mesh


@functools.lru_cache(maxsize=16)
def device_mesh(count):
    """The mesh of the first ``count`` devices that JAX has, with axes of prime lengths ``d0``, ``d1``, ..."""
    lengths = _primes(count) or [1]
    return Mesh(np.array(jax.devices()[:count]).reshape(lengths), [f"d{k}" for k in range(len(lengths))])


def _primes(number):
    """The prime factors of a number, ascending."""
    factors, factor = [], 2
    while number > 1:
        while number % factor == 0:
            factors.append(factor)
            number //= factor
        factor += 1
    return factors


def axes_for(cuts, mesh, taken=()):
    """The axes of ``mesh`` that cut as often as each of ``cuts`` says, none of them twice, from the left.

    Args:
        cuts (sequence of int): numbers of parts; 1 takes no axis.
        mesh (Mesh): the mesh.
        taken (sequence of str): axes that are in use already. Default: none.
    Returns:
        list of tuple of str, one for each cut; None if the mesh has no such axes.
    """
    free = [name for name in mesh.axis_names if name not in taken]
    found = []
    for cut in cuts:
        axes = _of_product(free, mesh.shape, cut)
        if axes is None:
            return None
        found.append(axes)
        free = [name for name in free if name not in axes]
    return found


def _of_product(names, lengths, product):
    """The first axes among ``names`` whose lengths have a product; None if there are none."""
    if product == 1:
        return ()
    for count in range(1, len(names) + 1):
        for axes in itertools.combinations(names, count):
            if math.prod([lengths[name] for name in axes]) == product:
                return axes
    return None
