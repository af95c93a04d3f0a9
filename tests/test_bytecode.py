"""Modules are found by the name of their bytecode as Python's finder finds them, and only if it is up to date."""

import os
import py_compile
import subprocess
import sys

import pytest

from msgrad import _bytecode

FINDER = _bytecode._Finder
COMPARED = (
    "import sys, msgrad\n"
    "from importlib.machinery import PathFinder\n"
    "from msgrad import _bytecode\n"
    "def about(spec):\n"
    "    return spec.origin, spec.cached, spec.has_location, spec.submodule_search_locations, spec.parent\n"
    "specs = [getattr(each, '__spec__', None) for each in sys.modules.values()]\n"
    "found = [each for each in specs if each and type(each.loader) is _bytecode._Loader]\n"
    "for spec in found:\n"
    "    path = sys.modules[spec.name.rpartition('.')[0]].__path__\n"
    "    assert about(spec) == about(PathFinder.find_spec(spec.name, path)), spec\n"
    "    assert spec.loader.get_source(spec.name) and spec.loader.get_code(spec.name)\n"
    "print(len(found), _bytecode._Finder in sys.meta_path)"
)


def python(*arguments):
    ran = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_modules_have_the_specs_of_pythons_finder():
    count, is_left = python("-c", COMPARED)
    assert int(count) > 300 and is_left == "False"


@pytest.mark.parametrize("arguments", [["-O"], ["-X", "pycache_prefix=/nowhere"]], ids=["-O", "another folder"])
def test_other_bytecode_is_left_to_python(arguments):
    block = "from msgrad._bytecode import _Finder, found_by_name\nwith found_by_name(): print(_Finder in sys.meta_path)"
    assert python("-B", *arguments, "-c", "import sys\n" + block) == ["False"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.setattr(_bytecode, "_PACKAGES", {"package"})
    (tmp_path / "inner").mkdir()
    for name in ("module.py", "inner/__init__.py"):
        (tmp_path / name).write_text("value = 1\n")
        py_compile.compile(str(tmp_path / name), invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
    return tmp_path


@pytest.mark.parametrize("name", ["package.module", "package.inner"])
def test_a_module_and_a_package_are_found(package, name):
    spec = FINDER.find_spec(name, [str(package)])
    scope = {}
    exec(spec.loader.get_code(name), scope)
    assert scope["value"] == 1 and (spec.submodule_search_locations is None) == (name == "package.module")


def test_bytecode_that_was_compiled_elsewhere_has_the_name_of_its_file(package):
    source = str(package / "module.py")
    py_compile.compile(source, dfile="elsewhere.py", invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
    spec = FINDER.find_spec("package.module", [str(package)])
    assert spec.loader.get_code("package.module").co_filename == source


def test_what_is_not_up_to_date_is_not_found(package):
    path, other = str(package), str(package / "inner")
    assert FINDER.find_spec("package.missing", [path]) is None
    assert FINDER.find_spec("another.module", [path]) is None
    assert FINDER.find_spec("package.module", [path, other]) is None and FINDER.find_spec("package") is None
    source = package / "module.py"
    status = source.stat()
    source.write_text("value = 20\n")
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert FINDER.find_spec("package.module", [path]) is None  # of another size
    source.write_text("value = 2\n")
    os.utime(source, (1, 1))
    assert FINDER.find_spec("package.module", [path]) is None  # of another time
    source.unlink()
    assert FINDER.find_spec("package.module", [path]) is None
