"""Composed transforms: in sequence, at random, in random order."""

from ..._contracts.check import number, refuse
from ..._contracts.kinds import Static
from .._pipeline.draws import within
from .._pipeline.values import is_pil_image, narrowed
from .base import Transform, check_transforms


def _probability(value, arg_name, owner):
    if not 0 <= number(value, arg_name, owner) <= 1:
        refuse(ValueError, owner, arg_name, "in the range [0, 1]", value)
    return float(value)


Probability = Static(_probability, float, int)


class _Composed(Transform):
    """The base of composed transforms: their inputs and outputs are those of their parts."""

    def __init__(self, transforms):
        self.transforms = check_transforms(transforms, type(self).__name__)

    @property
    def _is_python(self):
        return any(getattr(each, "_is_python", False) for each in self.transforms)

    def __call__(self, *values):
        return _result(self._apply(values))

    def _apply(self, values):
        raise NotImplementedError

    def _draws_for(self, values):
        """The random numbers for ``values``; for Pillow images they are those of MindSpore's Python transform."""
        return self._draws(any(map(is_pil_image, values)))


def run(transforms, values):
    """The values (tuple) after ``transforms``, in sequence."""
    for each in transforms:
        outputs = getattr(each, "_in_map", each)(*values)
        values = outputs if isinstance(outputs, tuple) else (outputs,)
    return values


def _result(values):
    return narrowed(values[0]) if len(values) == 1 else values


class Compose(_Composed):
    """Transforms in sequence.

    Args:
        transforms (list[callable]): functions and transforms.
    Raises:
        TypeError: if one is not callable.  ValueError: if there are none.
    Example:
        >>> float(mindspore.dataset.transforms.Compose([lambda x: x + 1, lambda x: x * 2])(np.array(3.0)))
        8.0
    Source: mindspore.dataset.transforms.Compose
    """

    def __init__(self, transforms):
        if len(transforms) == 1 and isinstance(transforms, list) and isinstance(transforms[0], list):
            transforms = transforms[0]
        super().__init__(transforms)

    def __call__(self, *values):
        """The result; as in MindSpore a tuple, even of one value, if a part or the image (Pillow's) is Python's."""
        results = self._apply(values)
        return results if self._is_python or (len(values) == 1 and is_pil_image(values[0])) else _result(results)

    def _apply(self, values):
        return run(self.transforms, values)


class RandomApply(_Composed):
    """Applies all of ``transforms`` with probability ``prob``, otherwise none.

    Args:
        transforms (list[callable]): functions and transforms.
        prob (float): the probability. Default: ``0.5``.
    Source: mindspore.dataset.transforms.RandomApply
    """

    def __init__(self, transforms, prob: Probability = 0.5):
        super().__init__(transforms)
        self.prob = prob

    def _apply(self, values):
        return within(run, self.transforms, values) if self._draws_for(values).double() <= self.prob else values


class RandomChoice(_Composed):
    """Applies one of ``transforms`` (list[callable]) at random.  Source: mindspore.dataset.transforms.RandomChoice"""

    def _apply(self, values):
        return within(run, [self._draws_for(values).choice(self.transforms)], values)


class RandomOrder(_Composed):
    """Applies ``transforms`` (list[callable]) in random order.  Source: mindspore.dataset.transforms.RandomOrder"""

    _is_python = True

    def _apply(self, values):
        return within(run, self._draws(in_python=True).shuffled(self.transforms), values)
