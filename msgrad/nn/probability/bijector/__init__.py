"""Bijectors: invertible functions with log-determinants of their Jacobians."""

from .bijector import Bijector
from .exp import Exp
from .gumbel_cdf import GumbelCDF
from .invert import Invert
from .power_transform import PowerTransform
from .scalar_affine import ScalarAffine
from .softplus import Softplus

__all__ = [
    "Bijector",
    "Exp",
    "GumbelCDF",
    "Invert",
    "PowerTransform",
    "ScalarAffine",
    "Softplus",
]
