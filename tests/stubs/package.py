"""Runs pyright on msgrad's own files: each error must be of a kind that is listed here, and no kind may grow.

python -m tests.stubs.package        needs the extra `types`; two minutes
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What pyright cannot know, by a pattern of rule and message, with the number of places; the first that matches counts.
KINDS = (
    ("unpacked arguments, whose number is not known", 23, r"Expected \d+ positional"),
    (
        "attributes given or found while the program runs, of MindSpore's classes and of libraries",
        52,
        r"^reportAttribute",
    ),
    ("values that a flag or a table says are not None", 56, r"^reportOptional|\bNone\b"),
    (
        "what libraries accept or export beyond their types",
        12,
        r"^reportPrivateImport|No overloads|ReadableBuffer|numpy",
    ),
    ("values whose type depends on another value", 35, r"^report(Argument|Operator|Index|General|Return|Assignment)"),
    ("constructors and functions that are made of rows", 19, r"^report(Call|Undefined)"),
)


def errors():
    """``(file, line, rule, message)`` of each error."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", "msgrad"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    for each in json.loads(ran.stdout)["generalDiagnostics"]:
        if each["severity"] == "error":
            file = pathlib.Path(each["file"]).relative_to(ROOT).as_posix()
            yield file, each["range"]["start"]["line"] + 1, each["rule"], each["message"]


def kind_of(rule, message):
    """The first listed kind of an error, or None."""
    text = f"{rule} {message}"
    return next((kind for kind, _, pattern in KINDS if re.search(pattern, text)), None)


def main():
    places = collections.defaultdict(list)
    for file, line, rule, message in errors():
        places[kind_of(rule, message)].append(f"{file}:{line}: {message.splitlines()[0]} ({rule})")
    most = {kind: count for kind, count, _ in KINDS}
    grown = [kind for kind, found in places.items() if len(found) > most.get(kind, 0)]
    for kind in grown:
        print(
            f"{kind or 'of no listed kind'}: {len(places[kind])}, where {most.get(kind, 0)} are listed", file=sys.stderr
        )
        print("\n".join(f"    {each}" for each in places[kind]), file=sys.stderr)
    print(", ".join(f"{len(found)} {kind}" for kind, found in places.items()))
    return bool(grown)


if __name__ == "__main__":
    sys.exit(main())
