"""The page of all messages: the texts of errors and warnings in the source, by what they are about."""

import ast
import collections
import pathlib

import msgrad

_ROOT = pathlib.Path(msgrad.__file__).parent
_AREAS = {
    "alias": "Starting",
    "_common context runtime log": "Settings and devices",
    "engine": "Computing",
    "tensor": "Tensors and Parameters",
    "ops": "Operations",
    "autodiff": "Gradients",
    "nn amp initializer experimental": "Networks",
    "train profiler": "Training and checkpoints",
    "dataset mindrecord": "Data",
    "communication parallel sharding _sharding": "Several devices and processes",
    "bridge": "Beside JAX",
    "tools": "The commands",
}
_AREAS = {part: area for parts, area in _AREAS.items() for part in parts.split()}
_OTHERS = "Others"
_HEAD = """# All messages

The texts of errors and warnings, as they are in the source: `{}` stands for what a message names. Errors about a single
argument have one form, *For '{}', the '{}' must be {}, but got {}.*, and are not listed. What to do about those that
users meet most is in [troubleshooting](troubleshooting.md).
"""


def page():
    """The page as Markdown."""
    by_area = collections.defaultdict(dict)
    for path, text in messages():
        area = _AREAS.get(path.parts[0].removesuffix(".py"), _OTHERS)
        if path.parts[:2] == ("engine", "processes") or path.parts[:2] == ("engine", "collectives"):
            area = _AREAS["parallel"]
        by_area[area][text] = None
    order = [area for area in dict.fromkeys([*_AREAS.values(), _OTHERS]) if by_area[area]]
    lists = ["\n".join([f"- {_code(text)}" for text in by_area[area]]) for area in order]
    return _HEAD + "".join(f"\n## {area}\n\n{listed}\n" for area, listed in zip(order, lists, strict=True))


def messages():
    """The messages, each with the file that has it, relative to ``msgrad``."""
    for file in sorted(_ROOT.rglob("*.py")):
        path, source = file.relative_to(_ROOT), file.read_text()
        for node in ast.parse(source).body if "MSG" in source else ():
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and "MSG" in node.targets[0].id:
                value = node.value.value if isinstance(node.value, ast.Constant) else None
                if isinstance(value, str) and len(value.split()) > _FEW:
                    yield path, value


_FEW = 4  # words of what is a part of another message


def _code(text):
    """A text as code in a list, on one line."""
    text = " ".join(text.split())
    return f"`` {text} ``" if "`" in text else f"`{text}`"
