"""Rewriting of recorded operations as they are lowered: a pattern that a rule recognises becomes one Node.

A Program itself stays as it was recorded. So the rules see what is asked of it now: a value that is returned, or that
a hook changes, is never one that a rule removes.
"""

import collections
from typing import NamedTuple

from ..fusion import MODULES, Fusion, rule_of


class Match(NamedTuple):
    """The Nodes that a rule has recognised; ``node`` replaces all of them, at the place of the last."""

    nodes: list
    node: object


class Graph:
    """The Nodes of a Program that are needed, with the maker and the users of each value.

    Args:
        nodes (list of Node): in order.
        fixed (set of int): indices of values that must be computed.
        aval_of (function): gives the ``(shape, dtype)`` of a value.
    """

    def __init__(self, nodes, fixed, aval_of):
        self.fixed, self.aval_of = fixed, aval_of
        self.makers = {node.first + k: node for node in nodes for k in range(len(node.avals))}
        self.users = collections.defaultdict(list)
        for node in nodes:
            for index in node.inputs:
                self.users[index].append(node)

    def maker(self, index):
        """The Node that computes a value; None for a leaf."""
        return self.makers.get(index)

    def only_user(self, node):
        """The one Node that uses the first result of ``node``; None if there is another use, or none."""
        indices = [node.first + k for k in range(len(node.avals))]
        users = [user for index in indices for user in self.users[index]]
        if len(users) != 1 or not self.fixed.isdisjoint(indices) or node.first not in users[0].inputs:
            return None
        return users[0]


def rewritten(nodes, fixed, rules, aval_of):
    """The Nodes to run in place of ``nodes``.

    Args:
        nodes (list of Node): what is needed, in order.
        fixed (set of int): indices of values that must be computed.
        rules (dict): reverse rules of operations, by the index of their first result: these stay as they are.
        aval_of (function): gives the ``(shape, dtype)`` of a value.
    """
    anchors = [node for node in nodes if node.op in MODULES] if Fusion.allowed else []
    if not anchors:
        return nodes
    graph = Graph(nodes, fixed, aval_of)
    removed, put = set(), {}
    matches = [rule_of(anchor.op)(anchor, graph) for anchor in anchors]
    # The largest first: a product may be part of attention.
    for match in sorted(filter(None, matches), key=lambda match: -len(match.nodes)):
        if any(each in removed or (rules and each.first in rules) for each in match.nodes):
            continue
        removed.update(match.nodes)
        put[match.nodes[-1]] = match.node
    return [put.get(node, node) for node in nodes if node in put or node not in removed]
