# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a program that is asked for derivatives."""

import math
import random
import re
from dataclasses import replace

import doubles
import graph
from generator import Draw
from graph import Node, node_of, type_of
from program import Program, Signature, tensor

SEEDS = "seed_of_{}"
ASSIGNS = re.compile(r"Assign(Add|Sub)?(VariableOp)?")


class Smooth(Draw):
    """Programs that seldom fail or jump, with numbers that stay small."""

    def draw_features(self):
        super().draw_features()
        self.failure = self.failure and self.rng.choice([0, 0, 0, 0.03])
        self.chances["odd"] = 0

    def number(self, dtype):
        return super().number(dtype) if dtype in "bil" else self.rng.choice(
            [0.5, -0.75, 1.25, 1.0, 0.3])

    def element(self, dtype):
        return super().element(dtype) if dtype in "bil" else self.rng.uniform(-1.5, 1.5)


def draw_differentiated(seed):
    """A program of one signature, or of one that sets variables and one that is differentiated, which
    is called once; None if nothing in it can be."""
    drawn = Smooth(seed)
    program, rng = drawn.program(), random.Random(f"gradients {seed}")
    doubles.tame(program, rng)
    doubles.widen(program)
    signatures = [one for one in program.signatures if one.name in ("start", "main")]
    main = signatures[-1]
    ys, xs, stops = choose(program, drawn, main, rng)
    if not ys or not xs:
        return None
    main.fetches = list(dict.fromkeys(ys + main.fetches))
    program = Program(program.nodes, signatures, [], program.facts, program.functions)
    for number, y in enumerate(ys):
        name = SEEDS.format(number)
        program.nodes.append(Node(name, "Placeholder", [], {
            "dtype": type_of("d"), "shape": "shape { unknown_rank: true }"}))
        main.feeds.append(name)
    main.gradients = [[[[y, SEEDS.format(number)] for number, y in enumerate(ys)], xs, stops]]
    program.requests = [request(drawn, program, one) for one in signatures]
    return program


def request(drawn, program, signature):
    inputs = {}
    for name in signature.feeds:
        if name in program.facts:
            dtype, shape, _ = program.facts[name]
            elements = [drawn.element(dtype) for _ in range(math.prod(shape))]
            inputs[name] = tensor(dtype, elements, shape)
    return {"signature": signature.name, "inputs": inputs}


def choose(program, drawn, main, rng):
    """Values that depend on much, and what they depend on: feeds, variables, and perhaps a value that
    is computed, which is taken for a constant in what depends on it."""
    def is_float(ref):
        return program.facts.get(ref, ("",))[0] == "d"
    candidates = [value.ref for value in drawn.root.values
                  if is_float(value.ref) and node_of(value.ref) not in main.feeds]
    cones = {ref: {node.name for node in graph.reachable(program.nodes, [ref])}
             for ref in candidates}
    candidates.sort(key=lambda ref: -len(cones[ref]))
    best = candidates[:max(3, len(candidates) // 3)]
    ys = rng.sample(best, min(len(best), rng.choice([1, 1, 2])))
    seen = set().union(*(cones[ref] for ref in ys)) if ys else set()
    names = [name for name in main.feeds if is_float(name) and name in seen]
    names += [node.name for node in program.nodes if node.name in seen
              and node.op in ("VarHandleOp", "VariableV2") and "DOUBLE" in node.attributes["dtype"]]
    xs = rng.sample(names, min(len(names), rng.randint(1, 4)))
    computed = [ref for ref in candidates if node_of(ref) in seen and ref not in main.fetches + ys]
    stops = rng.sample(computed, 1) if computed and rng.random() < 0.2 else []
    return ys, xs + stops, stops


def with_seeds(program, outputs, rng):
    """With what the seeds are, now that it is known of which shapes the values are."""
    main, *before = program.signatures[-1], *program.signatures[:-1]
    call = program.requests[-1]
    inputs = dict(call["inputs"])
    ys = program.signatures[-1].gradients[0][0]
    for number, (y, name) in enumerate(ys):
        shape = outputs[main.fetches.index(y)]["shape"]
        inputs[name] = tensor("d", [rng.uniform(-1.5, 1.5) for _ in range(math.prod(shape))], shape)
    requests = [*program.requests[:-1], {**call, "inputs": inputs}]
    return Program(program.nodes, program.signatures, requests, program.facts, program.functions)


def without_gradients(program):
    """The same program, to be called with or without seeds."""
    signatures = [Signature(one.name, [name for name in one.feeds if not is_seed(name)],
                            one.fetches, one.targets) for one in program.signatures]
    requests = [{**one, "inputs": {name: value for name, value in one["inputs"].items()
                                   if not is_seed(name)}} for one in program.requests]
    nodes = [node for node in program.nodes if not is_seed(node.name)]
    return Program(nodes, signatures, requests, program.facts, program.functions)


def is_seed(name):
    return name.startswith(SEEDS.format(""))


def feeding(program, computed):
    """A copy that is fed what it computes otherwise."""
    *others, main = program.signatures
    main = replace(main, feeds=[*main.feeds, *computed])
    return replace(program, signatures=[*others, main])


def assigns(program, refs):
    """Whether what is asked for comes after assignments in the same call: derivatives do not pass
    through variables. Functions are taken to assign whatever any of them does."""
    starts = set(program.signatures[0].targets) if len(program.signatures) > 1 else set()
    nodes = graph.reachable(program.nodes, refs) + [
        node for function in program.functions.values() for node in function.nodes]
    return any(ASSIGNS.fullmatch(node.op) and node.name not in starts for node in nodes)
