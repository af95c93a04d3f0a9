"""Finds which dotted names a Python text uses, from its syntax tree alone: nothing is imported or run.

A name is followed through imports (``import a.b as c``, ``from a import b``, ``*``, those inside of functions), through
assignments (``nn = mindspore.nn``) and through scopes; if branches bind it differently, each binding counts.
The result of a call is a value, whose attributes the syntax does not show.
"""

import ast
import builtins
import sys

# When a line runs: at its module's import, in a branch or loop of the module that may not run, or in a later call.
AT_IMPORT, IN_BRANCH, LATER = range(3)

_NOTHING = frozenset()
_ELSEWHERE = ""  # stands for the dotted name of what is not of the watched modules
_BUILTINS = frozenset(dir(builtins))
_CATCH_MISSING = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception"}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_WITHOUT_EXPRESSIONS = {"ctx", "op", "ops"}


def names_used(source, roots):
    """The names that ``source`` uses of the modules ``roots``.

    Args:
        source (str | bytes): a Python text.
        roots (set of str): names of whole modules, ``{"mindspore"}``.
    Returns:
        (list of (int, str, bool, int, tuple), list of (int, int, str, list of str, int)): the uses, each with its line,
        the dotted name, whether the text handles its absence (``try: ... except ImportError``), when the line runs,
        and the names that the text takes instead (``except ImportError: ...``), or that this one is taken instead of,
        ``""`` for one of another module; and the unguarded imports, of any module, that run when the text is imported:
        the line, the level, the module, the names imported from it, and when. ``a.*.b`` is a name ``b`` that only
        ``from a import *`` can have bound.
    Raises:
        SyntaxError: if it is not valid Python.
    """
    reader = _Reader(roots)
    try:
        reader.read(ast.parse(source))
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nested too deeply
        raise SyntaxError(str(error)) from None
    return sorted(reader.uses), reader.imports


class _Alternatives(frozenset):
    """Dotted names, one of which a ``try`` with an ``except ImportError`` binds."""

    def extended(self, attributes):
        """The alternatives for an attribute of them."""
        return _Alternatives([".".join([path, *attributes]) if path else path for path in self])


class _Scope:
    """The scope of a module, class or function: the dotted names that each name may be bound to."""

    __slots__ = ("names", "outer", "is_class", "elsewhere")

    def __init__(self, outer=None, is_class=False):
        self.names = {}
        self.outer = outer
        self.is_class = is_class
        self.elsewhere = {}  # names declared global or nonlocal, and the scope that binds them

    def find(self, name):
        """The dotted names that a name may be bound to, or None if nothing binds it."""
        scope = self
        while scope is not None:
            if name in scope.names and (scope is self or not scope.is_class):
                return scope.names[name]
            scope = scope.outer
        return None

    def bind(self, name, paths=_NOTHING):
        home = self.elsewhere.get(name)
        if home is None:
            self.names[name] = paths
        else:  # some time or other
            home.names[name] = paths | home.names.get(name, _NOTHING)

    def module(self):
        return self if self.outer is None else self.outer.module()


class _Reader:
    def __init__(self, roots):
        self.roots = roots
        self.uses = set()
        self.stars = []  # the modules of ``from m import *``
        self.later = []  # bodies of functions, which run after the code around them
        self.imports = []
        self.is_guarded = False
        self.tried = set()  # the names used in the innermost `try`; None for a module that may not be installed
        self.instead = ()  # those of the `try` whose handler for missing names is being read
        self.when = AT_IMPORT
        self.when_annotated = LATER if sys.version_info >= (3, 14) else AT_IMPORT  # 3.14 evaluates annotations lazily

    def read(self, module):
        scope = _Scope()
        self._block(module.body, scope)
        self.is_guarded = False
        self.when = LATER
        for body, inner in self.later:  # grows during the loop
            self._block(body, inner)

    def _block(self, statements, scope):
        for statement in statements:
            read = _STATEMENTS.get(type(statement))
            if read is None:
                self._expressions([statement], scope)
            else:
                read(self, statement, scope)

    # -- uses --------------------------------------------------------------------------------------------------------

    def _use(self, line, path):
        self._use_any(line, [path])

    def _use_any(self, line, paths):
        for path in paths:
            if path.partition(".")[0] in self.roots:
                self.tried.add(path)
                instead = tuple(sorted(paths - {path})) if type(paths) is _Alternatives else self.instead
                self.uses.add((line, path, self.is_guarded, self.when, instead))

    def _runs_import(self, line, level, module, names):
        root = module.partition(".")[0]
        if level or root not in self.roots:
            self.tried.add(_ELSEWHERE if not level and root in sys.stdlib_module_names else None)
        if self.when != LATER and not self.is_guarded:
            self.imports.append((line, level, module, names, self.when))

    def _expressions(self, stack, scope):
        """Records the names in expressions, the longest first: ``a.b.c`` as a whole."""
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is ast.Name:
                if type(node.ctx) is ast.Load:
                    self._use_any(node.lineno, self._paths(node, scope))
                else:
                    scope.bind(node.id)
            elif kind is ast.Attribute:
                paths = self._paths(node, scope) if type(node.ctx) is ast.Load else None
                if paths:
                    self._use_any(node.lineno, paths)
                elif paths is None or type(node.value) is not ast.Name:
                    stack.append(node.value)
            elif kind is ast.Lambda:
                self._arguments(node.args, scope)
                self._later([ast.Expr(node.body)], node.args, scope)
            elif kind in _COMPREHENSIONS:
                self._comprehension(node, scope)
            elif kind is ast.NamedExpr:
                stack.append(node.value)
                scope.bind(node.target.id, self._paths(node.value, scope))
            elif kind is not ast.Constant:
                for field in _fields(kind):
                    value = getattr(node, field)
                    if isinstance(value, ast.AST):
                        stack.append(value)
                    elif type(value) is list:
                        stack.extend([item for item in value if isinstance(item, ast.AST)])

    def _paths(self, node, scope):
        """The dotted names that an expression may evaluate to."""
        kind = type(node)
        if kind is ast.Name:
            paths = scope.find(node.id)
            if paths is None and self.stars and node.id not in _BUILTINS:
                return frozenset([f"{module}.*.{node.id}" for module in self.stars])
            return paths or _NOTHING
        if kind is ast.Attribute:
            parts = []
            while type(node) is ast.Attribute:
                parts.append(node.attr)
                node = node.value
            if type(node) is not ast.Name:
                return _NOTHING
            paths = self._paths(node, scope)
            if type(paths) is _Alternatives:
                return paths.extended(parts[::-1])
            return frozenset([".".join([path, *parts[::-1]]) for path in paths]) if paths else _NOTHING
        if kind is ast.IfExp:
            return self._paths(node.body, scope) | self._paths(node.orelse, scope)
        if kind is ast.BoolOp:
            return frozenset().union(*[self._paths(value, scope) for value in node.values])
        return _NOTHING

    # -- bindings ----------------------------------------------------------------------------------------------------

    def _import(self, node, scope):
        for item in node.names:
            self._use(node.lineno, item.name)
            self._runs_import(node.lineno, 0, item.name, [])
            root = item.name.partition(".")[0]
            if item.asname:
                scope.bind(item.asname, frozenset([item.name]) if root in self.roots else _NOTHING)
            else:
                scope.bind(root, frozenset([root]) if root in self.roots else _NOTHING)

    def _import_from(self, node, scope):
        names = [item.name for item in node.names]
        self._runs_import(node.lineno, node.level, node.module or "", names)
        if node.module == "__future__" and "annotations" in names:
            self.when_annotated = LATER
        is_watched = not node.level and node.module.partition(".")[0] in self.roots
        for item in node.names:
            if item.name == "*":
                if is_watched:
                    self._use(node.lineno, node.module)
                    self.stars.append(node.module)
            elif is_watched:
                path = f"{node.module}.{item.name}"
                self._use(node.lineno, path)
                scope.bind(item.asname or item.name, frozenset([path]))
            else:
                scope.bind(item.asname or item.name)

    def _assign(self, node, scope):
        self._expressions([node.value], scope)
        for target in node.targets:
            self._bind(target, node.value, scope)

    def _assign_annotated(self, node, scope):
        self._annotations([node.annotation], scope)
        self._expressions([node.value] if node.value is not None else [], scope)
        self._bind(node.target, node.value, scope)

    def _assign_in_place(self, node, scope):
        self._expressions([node.value], scope)
        self._bind(node.target, None, scope)

    def _bind(self, target, value, scope):
        if type(target) is ast.Name:
            scope.bind(target.id, self._paths(value, scope))
        elif type(target) in (ast.Tuple, ast.List):
            is_pairwise = type(value) in (ast.Tuple, ast.List) and len(value.elts) == len(target.elts)
            values = value.elts if is_pairwise else [None] * len(target.elts)
            for item, part in zip(target.elts, values, strict=True):
                self._bind(item, part, scope)
        else:
            self._expressions([target], scope)

    def _delete(self, node, scope):
        for target in node.targets:
            self._bind(target, None, scope)

    def _global(self, node, scope):
        scope.elsewhere.update(dict.fromkeys(node.names, scope.module()))

    def _nonlocal(self, node, scope):
        for name in node.names:
            home = scope.outer
            while home.outer is not None and (home.is_class or name not in home.names):
                home = home.outer
            scope.elsewhere[name] = home

    # -- branches ----------------------------------------------------------------------------------------------------

    def _branches(self, scope, *blocks):
        """Reads alternative blocks: afterwards a name has the bindings of all of them."""
        before, ends, was = scope.names, [], self.when
        self.when = max(was, IN_BRANCH)
        for block in blocks:
            scope.names = dict(before)
            self._block(block, scope)
            ends.append(scope.names)
        scope.names = _joined(ends)
        self.when = was

    def _if(self, node, scope):
        self._expressions([node.test], scope)
        if _is_type_checking(node.test):  # the program never runs the body
            before, was_guarded = scope.names, self.is_guarded
            scope.names, self.is_guarded = dict(before), True
            self._block(node.body, scope)
            after, scope.names, self.is_guarded = scope.names, dict(before), was_guarded
            self._block(node.orelse, scope)
            scope.names = _joined([after, scope.names])
        elif _is_main(node.test):  # an import does not run the body
            was, self.when = self.when, LATER
            self._block(node.body, scope)
            self.when = was
            self._block(node.orelse, scope)
        else:
            self._branches(scope, node.body, node.orelse)

    def _for(self, node, scope):
        self._expressions([node.iter], scope)
        self._bind(node.target, None, scope)
        self._branches(scope, node.body, [])
        self._block(node.orelse, scope)

    def _while(self, node, scope):
        self._expressions([node.test], scope)
        self._branches(scope, node.body, [])
        self._block(node.orelse, scope)

    def _with(self, node, scope):
        for item in node.items:
            self._expressions([item.context_expr], scope)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, None, scope)
        self._block(node.body, scope)

    def _match(self, node, scope):
        self._expressions([node.subject], scope)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
                    scope.bind(part.name)
            self._expressions([case.pattern, *([case.guard] if case.guard else [])], scope)
        self._branches(scope, *[case.body for case in node.cases], [])

    def _try(self, node, scope):
        was_guarded, was_tried = self.is_guarded, self.tried
        self.is_guarded |= any(map(_catches_missing, node.handlers))
        self.tried = set()
        before = dict(scope.names)
        self._block(node.body, scope)
        tried = () if None in self.tried else tuple(sorted(self.tried))
        self.tried |= was_tried
        self.is_guarded = was_guarded
        after = scope.names
        scope.names = dict(after)
        self._block(node.orelse, scope)
        ends, was = [scope.names], self.when
        alternatives = {}
        self.when = max(was, IN_BRANCH)
        for handler in node.handlers:
            start = _joined([before, after])
            scope.names = dict(start)
            if handler.type is not None:
                self._expressions([handler.type], scope)
            if handler.name:
                scope.bind(handler.name)
            was_instead = self.instead
            self.instead = tried if _catches_missing(handler) else was_instead
            self._block(handler.body, scope)
            self.instead = was_instead
            ends.append(scope.names)
            if _catches_missing(handler):
                bound = [name for name in after if _is_bound(name, before, after) and _is_bound(name, start, ends[-1])]
                alternatives.update({name: _either(after[name], ends[-1][name]) for name in bound})
        scope.names, self.when = _joined(ends) | alternatives, was
        self._block(node.finalbody, scope)

    # -- scopes ------------------------------------------------------------------------------------------------------

    def _function(self, node, scope):
        self._expressions(list(node.decorator_list), scope)
        self._annotations([node.returns] if node.returns else [], scope)
        self._arguments(node.args, scope)
        scope.bind(node.name)
        self._later(node.body, node.args, scope)

    def _arguments(self, arguments, scope):
        """Reads arguments: their defaults and annotations belong to the enclosing scope."""
        annotations = [argument.annotation for argument in _all(arguments) if argument.annotation is not None]
        defaults = [value for value in (*arguments.defaults, *arguments.kw_defaults) if value is not None]
        self._annotations(annotations, scope)
        self._expressions(defaults, scope)

    def _annotations(self, nodes, scope):
        was, self.when = self.when, max(self.when, self.when_annotated)
        self._expressions(nodes, scope)
        self.when = was

    def _later(self, body, arguments, scope):
        inner = _Scope(scope)
        for argument in _all(arguments):
            inner.bind(argument.arg)
        self.later.append((body, inner))

    def _class(self, node, scope):
        self._expressions([*node.decorator_list, *node.bases, *[word.value for word in node.keywords]], scope)
        self._block(node.body, _Scope(scope, is_class=True))
        scope.bind(node.name)

    def _comprehension(self, node, scope):
        inner = _Scope(scope)
        for part in node.generators:
            self._expressions([part.iter], inner)
            self._bind(part.target, None, inner)
            self._expressions(list(part.ifs), inner)
        results = [node.key, node.value] if type(node) is ast.DictComp else [node.elt]
        self._expressions(results, inner)


_STATEMENTS = {
    ast.Import: _Reader._import,
    ast.ImportFrom: _Reader._import_from,
    ast.Assign: _Reader._assign,
    ast.AnnAssign: _Reader._assign_annotated,
    ast.AugAssign: _Reader._assign_in_place,
    ast.For: _Reader._for,
    ast.AsyncFor: _Reader._for,
    ast.While: _Reader._while,
    ast.If: _Reader._if,
    ast.With: _Reader._with,
    ast.AsyncWith: _Reader._with,
    ast.Try: _Reader._try,
    ast.TryStar: _Reader._try,
    ast.Match: _Reader._match,
    ast.FunctionDef: _Reader._function,
    ast.AsyncFunctionDef: _Reader._function,
    ast.ClassDef: _Reader._class,
    ast.Global: _Reader._global,
    ast.Nonlocal: _Reader._nonlocal,
    ast.Delete: _Reader._delete,
}
_known_fields = {}


def _fields(kind):
    """The fields of a class of nodes that may hold expressions."""
    fields = _known_fields.get(kind)
    if fields is None:
        fields = _known_fields[kind] = [field for field in kind._fields if field not in _WITHOUT_EXPRESSIONS]
    return fields


def _joined(ends):
    """The joined scope after branches: a name has every binding that it has in one of them."""
    first, *rest = ends
    joined = dict(first)
    for names in rest:
        for name, paths in names.items():
            joined_values = joined.get(name, _NOTHING)
            joined[name] = paths if joined_values is paths or not joined_values else joined_values | paths
    return joined


def _is_bound(name, before, after):
    """Whether a block has bound a name to anything of the watched modules or, anew, to something else."""
    return name in after and (name not in before or after[name] is not before[name])


def _either(paths, others):
    """The alternatives of a ``try`` and its handler; nothing if neither is of the watched modules."""
    both = _Alternatives([*(paths or [_ELSEWHERE]), *(others or [_ELSEWHERE])])
    return _NOTHING if both == {_ELSEWHERE} else both


def _all(arguments):
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return every + [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]


def _is_type_checking(test):
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))


def _is_main(test):
    return type(test) is ast.Compare and getattr(test.left, "id", None) == "__name__" and type(test.ops[0]) is ast.Eq


def _catches_missing(handler):
    if type(handler.body[-1]) is ast.Raise:
        return False
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", None) in _CATCH_MISSING for kind in caught)
