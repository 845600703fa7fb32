# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops that compute from tensors: operands are drawn until they show what they must.

Operands are ordinary numbers, since what is asked is which op runs, with which attributes, and
edges where nothing else tells two ops apart. How an op treats extreme ones is the differential
test's matter.
"""

import random

import scenario
from goals import OTHER, Goal, plain_type

import cases  # isort: skip
import graphs  # isort: skip
import known_differences  # isort: skip
import operands  # isort: skip

KERNELS = {"Targmax": "int64"}  # types of which alone TensorFlow has kernels
SMALL = 480  # bytes of operands


def wanted_attrs(signature, goal, rng):
    """What a case for the goal does not draw."""
    wanted = {}
    same = rng.random() < 0.4  # as a few ops want it
    for name, attr in signature.attrs.items():
        if attr.kind == "type":
            fits = same and goal.value in attr.allowed
            plain = KERNELS.get(name) or plain_type(attr)
            wanted[name] = ("type", goal.value if fits else plain)
        elif attr.kind == "bool":
            wanted[name] = ("bool", attr.default == "true")
        elif attr.kind == "float" and goal == Goal(name, OTHER):
            wanted[name] = ("float", rng.choice([0.375, 1.25]))
        elif attr.kind == "string":
            first = attr.allowed[0] if attr.allowed and not attr.default else attr.default
            wanted[name] = ("string", first.strip("'"))
    if goal.attr and goal.value != OTHER:
        kind = signature.attrs[goal.attr].kind
        if kind in ("type", "bool", "string"):
            wanted[goal.attr] = (kind, "int32" if goal.value == "string" and kind == "type"
                                 else goal.value)
    return wanted


def with_strings(case, attr, signature):
    """The same with texts for the numbers of one type attribute."""
    case.attrs[attr] = ("type", "string")
    flat = [arg for arg in signature.inputs
            for _ in range(case.attrs[arg.count][1] if arg.count else 1)]
    for i, (arg, operand) in enumerate(zip(flat, case.inputs)):
        if arg.dtype == attr:
            numbers = [int.from_bytes(operand.data[at:at + 4], "little", signed=True)
                       for at in range(0, len(operand.data), 4)]
            case.inputs[i] = scenario.of("string", operand.dims, [b"t%d" % n for n in numbers])
    return case


def draw(signature, goal, name, attempt, numbers=operands.draw_quarters):
    """A case for the goal, or one that misses it: the caller tries again."""
    rng = random.Random(f"{signature.name}/{goal}/{attempt}")
    case = cases.draw(signature, name, rng, wanted_attrs(signature, goal, rng), numbers)
    attr = signature.attrs.get(goal.attr)
    if goal.value == "string" and attr and attr.kind == "type":
        with_strings(case, goal.attr, signature)
    return case


def is_small(case):
    return sum(len(operand.data) for operand in case.inputs) <= SMALL


def scenario_of(case):
    """The nodes of one case, and its one run."""
    found = scenario.Scenario(case.op, case.name)
    sources = []
    for i, operand in enumerate(case.inputs):
        make = found.const if operand.constant else found.feed
        sources.append(make(f"x{i}", operand))
    found.nodes += graphs.case_nodes(case, sources)
    found.ops.add(case.op)
    found.step([f"{case.name}:{i}" for i in range(known_differences.defined_results(case))])
    return found
