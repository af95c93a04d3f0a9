"""The dict of tensors in what a torch file holds: the state dict itself, or a dict that has it under a key."""

from ..train._files.messages import DamagedError
from ._formats.pickled import Foreign
from .entries import Entry

_USUAL = ("state_dict", "model_state_dict", "model", "module", "net", "params", "weights")
_DEEPEST = 4
_MSG_OBJECT = (
    "it holds an object of {}, not tensors, so that only its own program can load it; in torch: "
    "torch.save(model.state_dict(), path)"
)
_MSG_SEVERAL = "it has tensors under several keys: give the 'key', one of {}"
_MSG_NO_KEY = "it has no tensors under the key {!r}, but under {}"
_MSG_VALUE = "its {!r} is an object of {}, of which no tensor can be made"


def state_of(value, key=None):
    """The tensors by name.

    Args:
        value (object): of the file.
        key (str): where the dict is, names joined by a dot. Default: ``None``, the only one, or the usual one.
    Raises:
        DamagedError: if there is none, or there are several.
    """
    if isinstance(value, Foreign):
        raise DamagedError(_MSG_OBJECT.format(value.name[:80]))
    found = dict(_states(value, (), _DEEPEST, set()))
    if not found:
        raise DamagedError("it has no dict of tensors")
    shown = ", ".join([repr(each) for each in found][:10])
    if key is not None:
        if key not in found:
            raise DamagedError(_MSG_NO_KEY.format(key, shown or "none"))
        return _tensors(found[key])
    usual = [each for each in _USUAL if each in found]
    if len(found) > 1 and "" not in found and len(usual) != 1:
        raise DamagedError(_MSG_SEVERAL.format(shown))
    return _tensors(found.get("") or found[usual[0] if usual else next(iter(found))])


def _states(value, path, depth, seen):
    """``(key, dict)`` of each dict with tensors, the outermost ones, and each once, however often it is there."""
    if not isinstance(value, dict) or not depth or id(value) in seen:
        return
    seen.add(id(value))
    if any(isinstance(each, Entry) for each in value.values()):
        yield ".".join(path), value
        return
    for name, each in value.items():
        if isinstance(name, str):
            yield from _states(each, (*path, name), depth - 1, seen)


def _tensors(state):
    """The tensors of a state dict; numbers, texts and None beside them are no weights."""
    for name, value in state.items():
        if isinstance(value, Foreign):
            raise DamagedError(_MSG_VALUE.format(f"{name}"[:80], value.name[:80]))
    return {name: value for name, value in state.items() if isinstance(value, Entry) and isinstance(name, str)}
