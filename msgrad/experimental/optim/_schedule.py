"""The base class of learning rate schedulers."""

from ... import ops
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from .optimizer import Optimizer

_MSG_RESUMED = "For '{}', the group {} of the optimizer has no 'initial_lr', which a schedule that is resumed needs."


class LRScheduler:
    """The base class: a subclass defines ``get_lr``, the rates of the groups in the epoch ``last_epoch``.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        last_epoch (int): the epoch after which to resume; -1 starts from the beginning. Default: ``-1``.
    Raises:
        TypeError, ValueError: for other values.  KeyError: if it resumes, and a group has no ``initial_lr``.
    Example:
        >>> class Halved(optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [rate * 0.5 for rate in self._last_lr]
    Source: mindspore.experimental.optim.lr_scheduler.LRScheduler
    """

    def __init__(self, optimizer, last_epoch=-1):
        name = type(self).__name__
        self.optimizer = require(optimizer, Optimizer, name, "optimizer")
        if require(last_epoch, int, name, "last_epoch") < -1:
            refuse(ValueError, name, "last_epoch", "an int from -1 on", last_epoch)
        for index, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"].value())
            elif "initial_lr" not in group:
                raise KeyError(_MSG_RESUMED.format(name, index))
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._last_lr = list(optimizer.lrs)
        self.groups_num = len(optimizer.param_groups)
        self.last_epoch = Parameter(Tensor(float(last_epoch), dtypes.float32), name=f"last_epoch_{name}")
        self.step()

    def get_lr(self):
        """The rates of the epoch ``last_epoch`` (list); a subclass defines it."""
        raise NotImplementedError

    def get_last_lr(self):
        """The rates of the groups (list[Tensor])."""
        return [rate.value() for rate in self._last_lr]

    def step(self, epoch=None):
        """Writes the rates of the next epoch, or of ``epoch`` (int); returns True."""
        if epoch is None:
            ops.assign_add(self.last_epoch, Tensor(1.0, dtypes.float32))
            return self._write(self.get_lr())
        ops.assign(self.last_epoch, float(epoch))
        closed = getattr(self, "_get_closed_form_lr", self.get_lr)
        return self._write(closed())

    def _write(self, rates):
        for target, rate in zip(self._last_lr, rates, strict=True):
            ops.assign(target, rate)
        return True


def each_group(optimizer, value, owner, name):
    """A list with an item per group of the optimizer: ``value`` repeated, or ``value`` itself if it is a list."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (tuple, list)):
        return [value] * count
    if len(value) != count:
        refuse(ValueError, owner, name, f"one, or {count}, one for each group", value)
    return list(value)
