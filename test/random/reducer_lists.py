# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reducer's step for lists: a new list for one that was made in many steps."""

import graph
from graph import LIST, Node, node_of, type_of


def use_new_lists(program, used):
    """A list of elements that nobody has set for one that is used. With three elements it may do
    for a list of unknown length."""
    homes = {node.name: (number, node.op) for number, nodes in enumerate(program.bodies())
             for node in nodes}
    homes |= {name: (number, "") for number, function in enumerate(program.functions.values(), 1)
              for name, _ in function.arguments}
    for ref in used:
        dtype, elements, pivot = program.facts.get(ref, ("", None, ""))
        home, op = homes.get(node_of(ref), (None, ""))
        is_new = op in ("TensorListReserve", "EmptyTensorList")
        if dtype != LIST or elements is None or home is None or is_new:
            continue
        for rows in {max(elements.rows, 0), 3}:
            def new(other, ref=ref, elements=elements, pivot=pivot, home=home, rows=rows):
                nodes = reserved(f"fixed_{ref.replace(':', '_')}_{rows}", elements, rows, pivot)
                other.bodies()[home].extend(nodes)
                other.replace_uses(ref, nodes[-1].name)
            yield (ref, "list", rows), new


def reserved(name, elements, rows, pivot):
    """The nodes of a new list, which is the last."""
    after = [pivot] if pivot else []
    shape = () if elements.nested else elements.shape
    nodes = [graph.constant(f"{name}_shape", "i", list(shape), (len(shape),), after),
             graph.constant(f"{name}_rows", "i", [rows], (), after)]
    return [*nodes, Node(name, "TensorListReserve", [node.name for node in nodes], {
        "element_dtype": type_of(elements.dtype), "shape_type": type_of("i")})]
