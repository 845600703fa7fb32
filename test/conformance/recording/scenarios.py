# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios for goals, wherever they come from, and what the compiler refuses of them."""

import json
import pathlib
import tempfile

from scenario import Scenario, g

import array_ops  # isort: skip
import chosen_ops  # isort: skip
import control_flow_ops  # isort: skip
import drawn_ops  # isort: skip
import encoded_ops  # isort: skip
import goals  # isort: skip
import list_ops  # isort: skip
import map_ops  # isort: skip
import matrix_ops  # isort: skip
import quantize_ops  # isort: skip
import queue_ops  # isort: skip
import random_ops  # isort: skip
import record_ops  # isort: skip
import recurrent_ops  # isort: skip
import row_ops  # isort: skip
import sparse_ops  # isort: skip
import special_ops  # isort: skip
import state_ops  # isort: skip
import table_ops  # isort: skip
import text_ops  # isort: skip

import cases  # isort: skip
import op_signatures  # isort: skip
import programs  # isort: skip

WRITTEN = {**control_flow_ops.BUILDERS, **array_ops.BUILDERS, **list_ops.BUILDERS,
           **queue_ops.BUILDERS, **state_ops.BUILDERS, **table_ops.BUILDERS, **text_ops.BUILDERS,
           **record_ops.BUILDERS, **matrix_ops.BUILDERS, **map_ops.BUILDERS,
           **quantize_ops.BUILDERS, **sparse_ops.BUILDERS, **special_ops.BUILDERS,
           **encoded_ops.BUILDERS, **recurrent_ops.BUILDERS, **row_ops.BUILDERS,
           **random_ops.BUILDERS, **chosen_ops.BUILDERS}
CURRENT = 1994  # the version of graphs
UNSUPPORTED = 4  # exit code

# What the importer reads of these changes no result: a bound, a name, a place, words of a message.
SILENT = {"parallel_iterations", "swap_memory", "message", "summarize", "first_n", "seed", "seed2"}


def goals_of(signature, reads):
    return goals.goals(signature, set(reads) - SILENT)


def attrs_for(signature, goal):
    """Attributes of an op with a written scenario."""
    attrs = {}
    for name, attr in signature.attrs.items():
        if attr.kind == "type":
            attrs[name] = ("type", goals.plain_type(attr))
        elif attr.kind == "list(type)":
            attrs[name] = ("types", [goals.plain_type(attr)])
        elif attr.kind == "bool":
            attrs[name] = ("bool", attr.default == "true")
        elif attr.kind == "string" and attr.allowed:
            attrs[name] = ("string", attr.default.strip("'"))
        elif name == "num_elements":
            attrs[name] = ("int", -1)
        elif name == "batch_dims" or name.endswith("_mask"):
            attrs[name] = ("int", 0)
        elif name in table_ops.NUMBERS or name in queue_ops.NUMBERS:
            attrs[name] = (attr.kind, attr.default)
    if goal.attr:
        kind, old = attrs.get(goal.attr, (signature.attrs[goal.attr].kind, None))
        attrs[goal.attr] = (kind, [goal.value] if kind == "types" else goal.value)
    return attrs


def builder(signature, goal):
    """What writes a scenario for the goal, or None if operands are drawn for it."""
    return (WRITTEN.get(signature.name)
            or chosen_ops.FOR_GOALS.get((signature.name, str(goal))))


def written(signature, goal, name):
    found = Scenario(signature.name, name)
    builder(signature, goal)(found, attrs_for(signature, goal))
    return found


def attempt(signature, goal, name, number=0):
    if builder(signature, goal):
        return written(signature, goal, name)
    return drawn_ops.scenario_of(drawn_ops.draw(signature, goal, name, number))


def has_scenarios(signature):
    return signature.name in WRITTEN or cases.has_rule(signature)


def producer_of(scenarios, signatures):
    """The newest version in which graphs may have all the ops."""
    ops = set().union(*(each.ops for each in scenarios))
    withdrawn = [signatures[op].deprecated for op in ops if signatures[op].deprecated]
    return min(withdrawn, default=CURRENT + 1) - 1


def definition(scenarios, signatures=None):
    """The graph of all of them."""
    nodes = [node for each in scenarios for node in each.nodes]
    return g.graph(*nodes, producer=producer_of(scenarios, signatures or op_signatures.supported()))


def refused_in(sluicec, folder, scenarios, signatures):
    """{scenario's name: (exit code, message)} of those that do not compile."""
    refused = {}
    while scenarios:
        (folder / "all.pb").write_bytes(definition(scenarios, signatures))
        wanted = [each.signature(i) for each in scenarios for i in range(len(each.steps))]
        (folder / "all.json").write_text(json.dumps({"signatures": wanted}))
        found = {node.split("_")[0]: why for node, why in
                 programs.refused(sluicec, folder, "all")[0].items()}
        left = [each for each in scenarios if each.name not in found]
        if len(left) == len(scenarios):
            if found:
                raise SystemExit(f"the compiler refuses more than the ops: {found}")
            break
        refused.update(found)
        scenarios = left
    return refused


def refused(sluicec, scenarios):
    """The same for any number of scenarios whose names have no `_`."""
    signatures = op_signatures.supported()
    by_version, found = {}, {}
    for each in scenarios:
        by_version.setdefault(producer_of([each], signatures), []).append(each)
    with tempfile.TemporaryDirectory() as scratch:
        for group in by_version.values():
            for start in range(0, len(group), 100):
                found |= refused_in(sluicec, pathlib.Path(scratch), group[start:start + 100],
                                    signatures)
    return found


def refused_goals(sluicec, signatures, reads):
    """{(op, goal): message} of what Sluice does not support, so that nothing can be recorded."""
    asked = {}
    for name, signature in signatures.items():
        for goal in goals_of(signature, reads[name]):
            asked[f"s{len(asked)}"] = (signature, goal)
    made = [attempt(signature, goal, name) for name, (signature, goal) in asked.items()]
    return {(asked[name][0].name, asked[name][1]): message
            for name, (code, message) in refused(sluicec, made).items() if code == UNSUPPORTED}
