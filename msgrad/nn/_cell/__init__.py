"""The machinery of Cells: members, calls, hooks, flags, state dicts."""
