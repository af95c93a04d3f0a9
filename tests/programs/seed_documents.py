"""Reads runnable examples out of documents about MindSpore that were saved as plain text.

Saving lost layout: some documents have a whole program on one line, some have lines without indentation. `rebreak` and
`reindent` bring both back by the grammar of Python and these habits of the documents: classes, imports and functions
without ``self`` stand at the left margin, and a function ends with its ``return`` or with the next ``def``.
"""

import ast
import builtins
import dataclasses
import re

_TOKEN = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|#|\d[\w.]*|\w+|\S")
_HEADERS = {"class", "def", "if", "elif", "else", "for", "while", "with", "try", "except", "finally"}
_OPERATORS = {"and", "or", "in", "is", "not", "as", "if", "else"}
_OTHER_KEYWORDS = {"import", "from", "return", "class", "def", "for", "while", "with", "lambda", "del", "raise"}
_STATEMENT_IN_COMMENT = re.compile(
    r"\s(?=(?:import|from|class|def|return|for|while|with)\s|[A-Za-z_][\w.]*\s*=[^=]|print\()"
)
_FENCE = re.compile(r"```(python|text)\s(.*?)```", re.DOTALL)
_DELETED = re.compile(r"删除`([^`]+)`")
_PROMPT = re.compile(r"(?<!\S)(?:>>>|\.\.\.)(?!\S)")
_CODE_LINE = re.compile(r"\s*(?:(?:import|from|class|def|return|with|for)\s|[\w.]+\s*=[^=]|[\w.]+\s?\(|#)[\x00-\x7f]*$")


@dataclasses.dataclass(frozen=True)
class Example:
    """A program of a document, and the text that the document says it prints."""

    name: str
    code: str
    expected: str


def examples(name, text):
    """Returns the `Example` objects of a document, by the way in which it marks its code."""
    if "```python" in text:
        return list(_fenced(name, text))
    if ">>>" in text:
        return [_prompted(name, text)]
    return [_commented(name, text)]


def rebreak(text):
    """Splits Python code on one line into its statements.

    A statement ends where an operand is followed by another operand outside brackets, which no expression allows, and
    after the colon of a header. A comment ends before the next thing in it that looks like a statement.
    """
    statements, start, depth, position, previous = [], 0, 0, 0, ""
    while match := _TOKEN.search(text, position):
        token, position = match.group(), match.end()
        if token == "#":
            statements.append(text[start : match.start()])
            first_word = re.compile(r"\s*\S*").match(text, position).end()
            end = _STATEMENT_IN_COMMENT.search(text, first_word)
            start = position = end.start() if end else len(text)
            previous = ""
            continue
        words = text[start : match.start()].split()
        continues = token in _OPERATORS or (token == "import" and words[:1] == ["from"] and "import" not in words)
        is_start = token[0].isalnum() or token[0] in "_'\""
        if depth == 0 and _ends_operand(previous) and is_start and not continues:
            statements.append(text[start : match.start()])
            start = match.start()
        depth += (token in "([{") - (token in ")]}")
        previous = token
        if token == ":" and depth == 0 and words and words[0] in _HEADERS:
            statements.append(text[start:position])
            start, previous = position, ""
    statements.append(text[start:])
    return [statement.strip() for statement in statements if statement.strip()]


def _ends_operand(token):
    is_word = bool(token) and (token[0].isalnum() or token[0] in "_'\"")
    return token in ("]", ")", "}") or (is_word and token not in _OPERATORS | _OTHER_KEYWORDS)


def reindent(statements):
    """Gives back the indentation of ``statements``, which have lost it, and joins them to a program."""
    lines, opened = [], []  # the keywords of the blocks that are open
    after_return = False
    for statement in statements:
        word = re.match(r"\w*", statement).group()
        is_method = bool(re.match(r"def \w+\(self\b", statement))
        if is_method:
            while opened and opened[-1] != "class":
                opened.pop()
        elif word in ("class", "import", "from", "def") or after_return:
            opened.clear()
        lines.append("    " * len(opened) + statement)
        after_return = word == "return"
        if statement.endswith(":"):
            opened.append(word)
    return "\n".join(lines) + "\n"


def _fenced(name, text):
    """A block with imports is a program; blocks without vary it, and the text block after them is what they print."""
    program, variation, since = "", [], 0
    for fence in _FENCE.finditer(text):
        kind, body = fence.groups()
        if kind == "python":
            code = reindent(rebreak(body))
            if re.search(r"^(?:import|from)\b", code, re.MULTILINE):
                program, variation = code, []
            elif _is_runnable(code, program):
                variation.append(code)
        else:
            deleted = _DELETED.search(text, since, fence.start())
            base = program.replace(deleted.group(1), "pass") if deleted else program
            yield Example(f"{name}-{text.count('```text', 0, fence.start())}", _vary(base, variation), body.strip())
            variation = []
        since = fence.end()


def _vary(program, variation):
    """Puts changed classes in the place of the old ones, and leaves out what the program printed before."""
    if not variation:
        return program
    return re.sub(r"^print\(.*\n", "", program, flags=re.MULTILINE) + "".join(variation)


def _is_runnable(code, program):
    """Tells a piece of program from an illustration: that one uses names that nothing defines."""
    stored = {node.id for node in ast.walk(ast.parse(program + code)) if isinstance(node, ast.Name) and _is_store(node)}
    bound = {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(program))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    classes = {node.name for node in ast.walk(ast.parse(program + code)) if isinstance(node, ast.ClassDef)}
    loaded = {
        node.id
        for statement in ast.parse(code).body
        if not isinstance(statement, ast.ClassDef | ast.FunctionDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and not _is_store(node)
    }
    return loaded <= stored | bound | classes | set(dir(builtins))


def _is_store(node):
    return isinstance(node.ctx, ast.Store)


def _prompted(name, text):
    """Code after ``>>>`` and ``...``; only ``print`` shows anything, which stands after its closing bracket."""
    body = text[text.index(">>>") :]
    if "\n>>>" in body:
        lines = [line[4:] for line in body.splitlines() if line.startswith(">>>")]
        return Example(name, "\n".join(lines) + "\n", "")
    lines, shown = [], []
    for piece in _PROMPT.split(body):
        piece = piece.strip()
        if piece.startswith("print("):
            end = _closing_bracket(piece)
            shown.append(piece[end:].strip())
            piece = piece[:end]
        if piece and not piece.startswith("#"):
            lines.append(piece)
    return Example(name, reindent(lines), "\n".join(shown))


def _closing_bracket(text):
    """Returns the position after the bracket that closes the first one."""
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += (match.group() in "([{") - (match.group() in ")]}")
        if depth == 0 and match.group() == ")":
            return match.end()
    raise ValueError(f"no closing bracket in {text!r}")


def _commented(name, text):
    """Lines of code between prose; the comments after a ``print`` are what it shows. A part for PyTorch is left out."""
    lines, shown, after_print = [], [], False
    _, marked, body = text.partition("# In MindSpore:")
    for line in (body if marked else text).partition("# In torch:")[0].splitlines():
        if line.startswith("#"):
            if after_print and line.strip("# ") != "Out:":
                shown.append(line.lstrip("# "))
        elif _CODE_LINE.match(line):
            lines.append(line.rstrip())
            after_print = line.lstrip().startswith("print")
    code = "\n".join(lines) + "\n"
    try:
        ast.parse(code)
    except SyntaxError:
        code = reindent([line.strip() for line in lines])
    return Example(name, code, "\n".join(shown))
