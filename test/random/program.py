# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program: a graph, what of it is called, and the calls."""

import base64
import json
import math
import pathlib
import struct
from dataclasses import dataclass, field

import library

NAMES = {"f": "float32", "d": "float64", "i": "int32", "l": "int64", "b": "bool"}
FORMATS = {"f": "f", "d": "d", "i": "i", "l": "q", "b": "?"}


@dataclass
class Signature:
    name: str
    feeds: list
    fetches: list
    targets: list = field(default_factory=list)
    gradients: list = field(default_factory=list)  # [[[y, seed], …], xs, stops]

    def roots(self):
        """What must be computed."""
        return self.fetches + self.targets + [
            ref for ys, xs, _ in self.gradients for ref in [*(ref for y in ys for ref in y), *xs]]

    def gradient_texts(self):
        """As flags take them."""
        return ["+".join("*".join(y) for y in ys) + "=" + ",".join(xs)
                + ("!" + ",".join(stops) if stops else "") for ys, xs, stops in self.gradients]

    def described(self):
        """As a file of signatures has it."""
        return {**vars(self), "gradients": self.gradient_texts()}


@dataclass
class Program:
    nodes: list
    signatures: list
    requests: list  # as in a line of --calls
    # ref → (dtype, shape, node that a constant in its place must wait for, or ""): for the reducer.
    facts: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)  # by name

    @property
    def differentiates(self):
        return any(one.gradients for one in self.signatures)

    @property
    def stateful(self):
        return any(node.op in ("VarHandleOp", "VariableV2") for node in self.all_nodes())

    def all_nodes(self):
        """Also those of functions."""
        return [node for nodes in self.bodies() for node in nodes]

    def bodies(self):
        """The lists of nodes: the graph's own, and those of functions."""
        return [self.nodes, *(function.nodes for function in self.functions.values())]

    def rewrite(self, other):
        """Replaces all that refers to a node or value by what `other` says."""
        for node in self.all_nodes():
            node.inputs = [other(ref) for ref in node.inputs]
        for function in self.functions.values():
            function.results = [(name, kind, other(ref)) for name, kind, ref in function.results]
        for one in self.signatures:
            one.fetches = [other(ref) for ref in one.fetches]
            one.gradients = [[[[other(y), seed] for y, seed in ys], xs, stops]
                             for ys, xs, stops in one.gradients]

    def replace_uses(self, ref, by):
        self.rewrite(lambda one: by if one == ref else one)

    def replace_waits(self, name, by):
        """For a control edge from a node, those that `by` says."""
        for node in self.all_nodes():
            node.inputs = [other for ref in node.inputs
                           for other in (by if ref == f"^{name}" else [ref])]

    def text(self):
        return library.print_program(self.nodes, self.functions)

    def calls_text(self):
        return "".join(json.dumps({**request, "want_state": True}) + "\n"
                       for request in self.requests)

    def selection_flags(self, stem):
        """Flags of the compiler that choose the signatures; writes a file if one is needed."""
        if len(self.signatures) > 1:
            path = stem.with_name(stem.name + "-signatures.json")
            path.write_text(json.dumps({"signatures": [one.described() for one in self.signatures]},
                                       indent=1) + "\n")
            return [f"--signatures={path}"]
        one = self.signatures[0]
        return ([f"--feed={name}" for name in one.feeds]
                + [f"--fetch={ref}" for ref in one.fetches]
                + [f"--run={name}" for name in one.targets]
                + [f"--gradients={request}" for request in one.gradient_texts()])


def tensor(dtype, elements, shape):
    """A tensor of a request."""
    raw = struct.pack(f"<{math.prod(shape)}{FORMATS[dtype]}", *elements)
    return {"dtype": NAMES[dtype], "shape": list(shape), "b64": base64.b64encode(raw).decode()}


def save(program, stem, **more):
    """Writes `stem.pbtxt` and `stem.json`; `more` goes into the latter."""
    stem = pathlib.Path(stem)
    stem.with_suffix(".pbtxt").write_text(program.text())
    record = {"signatures": [vars(one) for one in program.signatures],
              "requests": program.requests, **more}
    stem.with_suffix(".json").write_text(json.dumps(record, indent=1) + "\n")


def load(stem):
    """Returns the program and all that its record holds."""
    stem = pathlib.Path(stem)
    record = json.loads(stem.with_suffix(".json").read_text())
    nodes, functions = library.parse_program(stem.with_suffix(".pbtxt").read_text())
    program = Program(nodes, [Signature(**one) for one in record["signatures"]],
                      record["requests"], functions=functions)
    return program, record
