"""What code of programs means to MindSpore where that differs from Python, and what libraries replace.

| file | question it answers |
|---|---|
| `graph_code.py`, `assigned_names.py` | Which code means something else in a graph? `has_key`, `not`, globals. |
| `subscript_writes.py` | What does ``x[0][1] = v`` change in a graph? The variable. |
| `list_changes.py` | What does ``out.append(x)`` change in a graph? The variable; a list is a value. |
| `powers.py` | What is ``2 ** -1`` in a graph? 0. |
| `inner_functions.py` | Which variables has a function that a loop defines in a graph? Those of its turn. |
| `graph_methods.py` | What is a method without ``self`` in a graph? A function. |
| `named_parts.py` | Does it change ``x`` in a function that a graph calls? Unless the part has a name. |
| `replaced_functions.py`, `replaced_methods.py` | Who calls what a library puts in place of a function? Not msgrad. |

Each works only where it is needed: on the user's code when a graph reaches it, on a write to a part in a graph, on a
name when it is replaced.
"""
