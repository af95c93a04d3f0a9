"""The generator of the stubs: types from contracts and docstrings, definitions, modules, and the table of imports."""
