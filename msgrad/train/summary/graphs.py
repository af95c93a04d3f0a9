"""The graph of a network for TensorBoard: the operations that a compiled call of it recorded."""

import itertools

from ...nn._cell import calling
from .events import library


def graph_of(cell):
    """The graph of the last compiled call of a Cell, as tensorboardX's ``GraphDef``; None if there is none."""
    plan = calling.plan_of(cell)
    if plan is None:
        return None
    sources = [*[f"input_{k}" for k in range(plan.argument_count)], *map(_name_of, itertools.count(), plan.fixed)]
    proto = library().proto
    graph = proto.graph_pb2.GraphDef()
    names = [sources[k] for k in plan.order]
    for name in sorted(set(names)):
        graph.node.append(proto.node_def_pb2.NodeDef(name=name, op="Leaf"))
    _add(graph, plan.program, names, "")
    return graph


def _name_of(number, item):
    return getattr(item, "name", None) or f"constant_{number}"


def _add(graph, program, leaves, scope):
    """Adds the operations of a Program; those of a transformed Program are in a scope of their own."""
    node_def = library().proto.node_def_pb2.NodeDef
    names = {~position: name for position, name in enumerate(leaves)}
    for node in program.nodes:
        name = f"{scope}{node.op.name}_{node.first}"
        inputs = [names[index] for index in node.inputs]
        inner = getattr(node.op, "program", None)
        if inner is not None:
            _add(graph, inner, inputs[: len(inner.leaves)], f"{name}/")
        graph.node.append(node_def(name=name, op=node.op.name, input=inputs))
        for output in range(len(node.avals)):
            names[node.first + output] = f"{name}:{output}" if output else name
