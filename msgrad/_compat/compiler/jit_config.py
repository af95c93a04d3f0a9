"""Hints for MindSpore's compiler."""

from ..._contracts.check import refuse

_CHOICES = {
    "jit_level": ("", "O0", "O1", "O2"),
    "exc_mode": ("auto", "sink", "no_sink"),
    "jit_syntax_level": ("", "STRICT", "COMPATIBLE", "LAX"),
    "debug_level": ("RELEASE", "DEBUG"),
    "infer_boost": ("on", "off"),
}


class JitConfig:
    """Hints for MindSpore's compiler, for ``Cell.set_jit_config``: checked, kept, and without effect on results.

    Args:
        jit_level (str): ``"O0"``, ``"O1"``, ``"O2"`` or ``""``. Default: ``""``.
        exc_mode (str): ``"auto"``, ``"sink"`` or ``"no_sink"``. Default: ``"auto"``.
        jit_syntax_level (str): ``"STRICT"``, ``"COMPATIBLE"``, ``"LAX"`` or ``""``. Default: ``""``.
        debug_level (str): ``"RELEASE"`` or ``"DEBUG"``. Default: ``"RELEASE"``.
        infer_boost (str): ``"on"`` or ``"off"``. Default: ``"off"``.
        kwargs: any other hints.
    Raises:
        ValueError: if an argument has another value.
    Example:
        >>> mindspore.JitConfig(jit_level="O1").jit_config_dict["jit_level"]
        'O1'
    Source: mindspore.JitConfig
    """

    def __init__(
        self, jit_level="", exc_mode="auto", jit_syntax_level="", debug_level="RELEASE", infer_boost="off", **kwargs
    ):
        hints = {
            "jit_level": jit_level,
            "exc_mode": exc_mode,
            "jit_syntax_level": jit_syntax_level,
            "debug_level": debug_level,
            "infer_boost": infer_boost,
        }
        for name, value in hints.items():
            if value not in _CHOICES[name]:
                refuse(ValueError, "JitConfig", name, f"one of {_CHOICES[name]}", value)
        self.jit_config_dict = {**kwargs, **hints}
