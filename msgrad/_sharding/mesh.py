"""Meshes of devices, and the choice of mesh axes for a given number of shards.

One program has one mesh: XLA combines shardings over different ones badly (JAX 0.10 fails on the results). So all
strategies of a program use one mesh with axes of prime lengths, which can express every number of shards that divides
the number of devices: 8 devices are ``(2, 2, 2)``, and 4 shards take two axes.
"""

import functools
import itertools
import math

import jax
import numpy as np
from jax.sharding import Mesh


@functools.lru_cache(maxsize=16)
def device_mesh(count):
    """The mesh of JAX's first ``count`` devices, with axes ``d0``, ``d1``, ... of prime lengths."""
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


def axes_for(cuts, mesh):
    """Chooses axes of ``mesh`` for each number of shards in ``cuts``, each axis at most once, from the left.

    Args:
        cuts (sequence of int): numbers of shards; 1 takes no axis.
        mesh (Mesh): the mesh.
    Returns:
        list of tuple of str, one for each number; None if the mesh has no such axes.
    """
    free = list(mesh.axis_names)
    chosen = []
    for cut in cuts:
        axes = _of_product(free, mesh.shape, cut)
        if axes is None:
            return None
        chosen.append(axes)
        free = [name for name in free if name not in axes]
    return chosen


def _of_product(names, lengths, product):
    """The first axes among ``names`` whose lengths have the given product; None if there are none."""
    if product == 1:
        return ()
    for count in range(1, len(names) + 1):
        for axes in itertools.combinations(names, count):
            if math.prod([lengths[name] for name in axes]) == product:
                return axes
    return None
