# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""First derivatives by complex numbers, against differences along real and imaginary directions.

Of cases whose ops take complex numbers, all floats become such. What comes back is conjugated, as
TensorFlow does it: with Re<conj(seeds), ys> for what is differentiated, the derivatives `g` have
Re<conj(g), d> as its slope along a direction `d`.
"""

import base64
import math
import random
import struct

import finite

# Of elements; functions of one of them are kept away from their cuts, which lie on the left.
OPS = {"nd.add", "nd.sub", "nd.mul", "nd.neg", "nd.div", "nd.exp", "nd.expm1", "nd.log", "nd.log1p",
       "nd.sqrt", "nd.rsqrt", "nd.sin", "nd.cos", "nd.tanh", "nd.sigmoid", "nd.matmul",
       "nd.reduce_sum", "nd.reduce_mean", "nd.cumsum", "nd.transpose"}
STEP = 1e-5
TOLERANCE = 1e-6


def can_be(case):
    """Constants of floats would have to be written in another way."""
    return case.op in OPS and "dense<" not in "".join(
        line for line in case.text.splitlines() if "nd.constant" in line and "f64" in line)


def encoded(dims, values):
    raw = b"".join(struct.pack("<dd", value.real, value.imag) for value in values)
    return {"dtype": "complex128", "shape": dims, "b64": base64.b64encode(raw).decode()}


def numbers(output):
    raw = base64.b64decode(output["b64"])
    parts = struct.unpack(f"<{len(raw) // 8}d", raw)
    return [complex(*each) for each in zip(parts[::2], parts[1::2])]


def inner(first, second):
    """Re<conj(first), second>"""
    return math.fsum((a.conjugate() * b).real for a, b in zip(first, second))


class ComplexTrial:
    """Of cases of a Trial that has found seeds for them."""

    def __init__(self, trial, cases):
        self.trial, self.cases = trial, [case for case in cases if can_be(case)]
        self.rng = random.Random(len(self.cases))
        self.feeds = {case.name: {
            name: (tensor, [complex(value, self.rng.uniform(-0.7, 0.7)) for value in tensor.values]
                   if tensor.dtype == "f64" else None)
            for name, tensor in trial.feeds[case.name].items() if not name.startswith("weight")}
            for case in self.cases}

    def run(self, encode, counts):
        if not self.cases:
            return
        self.encode = encode
        path = self.trial.write("complex", [
            (case.name, [line.replace("f64", "complex<f64>") for line in
                         self.trial.with_requests(case, twice=False)]) for case in self.cases])
        self.command = self.trial.interpreted(path)
        here = self.answers([(case, None, 0) for case in self.cases])
        directions = [self.direction(case, unit) for case in self.cases for unit in (1, 1j)]
        sides = [self.answers([(case, direction, side) for case, direction in directions])
                 for side in (-STEP, STEP)]
        for i, (case, direction) in enumerate(directions):
            outputs = here[i // 2]
            if any(not side[i] for side in sides) or not outputs:
                continue
            counts[case.op]["complex directions"] += 1
            self.compare(case, direction, outputs, sides[0][i], sides[1][i])

    def direction(self, case, unit):
        return case, {x: [unit * self.rng.uniform(-1, 1) for _ in self.feeds[case.name][x][1]]
                      for x in case.xs}

    def answers(self, points):
        """Numbers of all outputs of each (case, direction, step); None after a failure."""
        calls = [(case.name, {
            name: self.encode(tensor) if values is None else encoded(tensor.dims, [
                value + step * rate for value, rate in zip(
                    values, direction[name] if direction and name in direction else
                    [0] * len(values))])
            for name, (tensor, values) in self.feeds[case.name].items()})
            for case, direction, step in points]
        found = []
        for (case, _, _), answer in zip(points, self.trial.calls(self.command, calls)):
            if "error" in answer:
                self.trial.fault(case, f"complex: {answer['error']['code']}: "
                                 f"{answer['error']['message']}\n{case.text}")
            found.append(None if "error" in answer else list(map(numbers, answer["outputs"])))
        return found

    def compare(self, case, direction, here, below, above):
        seeds = [self.feeds[case.name][f"seed{i}"][1] for i in range(len(case.ys))]
        claimed = math.fsum(inner(here[len(case.ys) + i], direction[x])
                            for i, x in enumerate(case.xs))
        slope = math.fsum((inner(seed, b) - inner(seed, a)) / (2 * STEP)
                          for seed, a, b in zip(seeds, below, above))
        size = math.fsum(abs(value) * abs(factor) for seed, values in zip(seeds, here)
                         for factor, value in zip(seed, values))
        allowed = TOLERANCE * (1 + abs(slope) + size) + finite.ROUNDING * size / STEP
        if not abs(claimed - slope) <= allowed:
            self.trial.fault(case, f"complex: expected {slope} but got {claimed}\n{case.text}\n"
                             f"{self.feeds[case.name]}")
