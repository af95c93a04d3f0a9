"""Unsupported attributes of `Cell`: using one raises an error with an alternative."""

_GRAPHS = ("it is about the graphs of MindSpore's compiler", "Ask cell.compiled, or time the calls.")
_BOOKS = ("it records the names that MindSpore has given to Parameters so far", "Use cell.parameters_dict().")

LEFT_OUT = [
    ("compile_cache", _GRAPHS),
    ("compile_phase", _GRAPHS),
    (
        "enable_backward_hook",
        ("MindSpore never sets it", "A hook runs from its registration to handle.remove()."),
    ),
    ("exist_names", _BOOKS),
    ("exist_objs", _BOOKS),
    ("get_func_graph_proto(self)", ("it is about the graphs of MindSpore's compiler", "Use jax.make_jaxpr.")),
    (
        "global_cells",
        ("it keeps the constructor arguments of Cells for MindSpore's compiler", "Keep the arguments as attributes."),
    ),
    ("phase_cache", _GRAPHS),
    (
        "total_instance_count",
        ("it counts the Cells of a process", "Count those of a network: net.cells_and_names()."),
    ),
]
