# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Requests for derivatives that stand in IR, each as a graph that can be asked for second ones as well,
at any point: what is differentiated by is fed, or a variable whose value a call gives."""

import re
from dataclasses import dataclass

REQUEST = re.compile(r"^ *(?P<results>%.*?) = flow\.gradient of (?P<ys>.*) seeds(?P<seeds>.*) wrt "
                     r"(?P<xs>.*) stops *(?P<stops>.*?) *\{[^{}]*\} : \((?P<operands>.*)\) -> "
                     r"(?P<types>.*)$")
INDEPENDENT = re.compile(r"^ *(%\w+) = flow\.independent %\S+ \{.*\} : \(.*\) -> (.*)$")
HANDLE = re.compile(r"^ *(%\w+), %\w+ = state\.(?:reference|handle) *\{.*variable = (@\S+?)\}")
VARIABLE = re.compile(r'^ *state\.variable (@\S+) \{.*?key = "([^"]*)"')
GRAPH = re.compile(r"^ *flow\.graph @(\S+)")
FLOAT = re.compile(r"tensor<[^<>]*f64>$")


class NotSupported(Exception):
    """Nothing can be said of the request, and why."""


@dataclass
class X:
    value: str
    type: str  # of the value, which may be a handle
    result: str  # type of its derivative
    variable: str = ""  # its key, if it is one


def split(text):
    """A list at its commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text.strip():
        depth += (letter in "<({") - (letter in ">)}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


class Asked:
    """One request of a module of one graph."""

    def __init__(self, module, number):
        lines = module.splitlines()
        if any(line.startswith("module ") for line in lines):
            lines = [line for line in lines if line != "}" and not line.startswith("module ")]
        # Differences see what comes through these.
        lines = [line.replace("nd.stop_gradient ", "nd.assume_shape ") for line in lines]
        begin = next(i for i, line in enumerate(lines) if GRAPH.match(line))
        closing = re.match(" *", lines[begin])[0] + "}"
        end = next(i for i in range(begin, len(lines)) if lines[i] == closing)
        self.outside = lines[:begin] + lines[end + 1:]
        body = lines[begin + 1:end]
        requests = [line for line in body if REQUEST.match(line)]
        self.count = len(requests)
        match = REQUEST.match(requests[number])
        gone = {name.split(":")[0] for line in requests
                for name in split(REQUEST.match(line)["results"])}
        self.body = [line for line in body if line not in requests
                     and not re.match(r" *flow\.(fetch|target) ", line)]
        if any(re.search(rf"{re.escape(name)}\b", line) for name in gone for line in self.body):
            raise NotSupported("derivatives are used in the graph")
        self.read(match)

    def read(self, match):
        ys, xs, self.stops = split(match["ys"]), split(match["xs"]), split(match["stops"])
        kinds = split(match["operands"])
        self.ys = list(zip(ys, kinds))
        behind = kinds[len(kinds) - len(xs) - len(self.stops):]
        self.stop_types = behind[len(xs):]
        known = dict(match.groups() for match in map(INDEPENDENT.match, self.body) if match)
        if not all(stop in known for stop in self.stops):
            raise NotSupported("a stop has no mark")
        # They are fed as well, and never moved.
        self.held = [(stop, kind) for stop, kind in zip(self.stops, self.stop_types)
                     if stop not in xs]
        text = match["types"]
        results = split(text[1:-1] if text.startswith("(") else text)
        self.xs = [self.one(*each) for each in zip(xs, behind, results)]
        if not all(FLOAT.match(kind) for _, kind in self.ys):
            raise NotSupported("a list is differentiated")

    def one(self, value, kind, result):
        x = X(value, kind, result)
        if not kind.startswith("tensor<"):
            handles = dict(match.groups() for match in map(HANDLE.match, self.body) if match)
            keys = dict(match.groups() for match in map(VARIABLE.match, self.outside) if match)
            x.variable = keys[handles[value]]
        if not FLOAT.match(result):
            raise NotSupported("it is by something else than floats")
        return x

    # ---- Graphs

    def graph(self, more, fed=True):
        lines = [line for text in self.body for line in (self.feeding(text) if fed else [text])]
        return "\n".join([*self.outside, "flow.graph @main {", *lines, *more, "}"]) + "\n"

    def feeding(self, line):
        """What is differentiated by is fed, whatever it was."""
        match = INDEPENDENT.match(line)
        for number, x in enumerate(self.xs):
            if match and match[1] == x.value:
                return [f'%fed{number} = flow.feed {{name = "x{number}"}} : () -> {x.type}',
                        f'{x.value} = flow.independent %fed{number} {{name = "x{number}"}} '
                        f": ({x.type}) -> {x.type}"]
        for number, (stop, kind) in enumerate(self.held):
            if match and match[1] == stop:
                return [f'%held{number} = flow.feed {{name = "held{number}"}} : () -> {kind}',
                        f'{stop} = flow.independent %held{number} '
                        f'{{name = "held{number}"}} : ({kind}) -> {kind}']
        return [line]

    def fetches(self, name, values):
        return [f'flow.fetch {value} {{name = "{name}{i}"}} : ({kind}) -> ()'
                for i, (value, kind) in enumerate(values)]

    def values(self):
        """The graph with its ys, and its xs that are no variables."""
        return self.graph([*self.fetches("y", self.ys),
                           *self.fetches("x", [(x.value, x.type) for x in self.xs
                                               if not x.variable]),
                           *self.fetches("held", self.held)], fed=False)

    def derivatives(self, orders):
        """Fetches ys, then the derivatives of each order by each x."""
        lines, values = self.fetches("y", self.ys), self.ys
        for order in ["first", "second"][:orders]:
            seeds = [(f"%{order}_seed{i}", kind) for i, (_, kind) in enumerate(values)]
            lines += [f'{seed} = flow.feed {{name = "{seed[1:]}"}} : () -> {kind}'
                      for seed, kind in seeds]
            results = [(f"%{order}{i}", x.result) for i, x in enumerate(self.xs)]
            kinds = [kind for _, kind in values + seeds] + [x.type for x in self.xs]
            lines.append(
                f"{', '.join(value for value, _ in results)} = flow.gradient "
                f"of {', '.join(value for value, _ in values)} "
                f"seeds {', '.join(value for value, _ in seeds)} "
                f"wrt {', '.join(x.value for x in self.xs)} stops {', '.join(self.stops)} "
                f'{{name = "{order}"}} : ({", ".join(kinds + self.stop_types)}) '
                f"-> ({', '.join(x.result for x in self.xs)})")
            lines += self.fetches(order, results)
            values = results
        return self.graph(lines)
