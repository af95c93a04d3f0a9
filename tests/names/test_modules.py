"""Every file of msgrad can be imported as a module: no function or class shadows a module's name."""

import importlib
import pkgutil
import types

import msgrad


def modules(package):
    """``(name, module, its package)`` of every module below a package."""
    for module_info in pkgutil.iter_modules(package.__path__):
        if module_info.name != "__main__":  # importing it runs it
            name = f"{package.__spec__.name}.{module_info.name}"
            module = importlib.import_module(name)
            yield name, module, package
            if module_info.ispkg:
                yield from modules(module)


def test_no_module_is_hidden_by_a_name_of_its_package():
    hidden = [
        name
        for name, _, package in modules(msgrad)
        if not isinstance(getattr(package, name.rpartition(".")[2]), types.ModuleType)
    ]
    assert not hidden
