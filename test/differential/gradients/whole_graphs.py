# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of a whole graph at one point: along random directions against differences, the first also
against the interpreter's tape, the second among themselves, and all against those of executables."""

import base64
import collections
import json
import math
import random
import struct
import subprocess

import finite
from asked import NotSupported
from gradient_requests import without_locations
from wide_ir import wide_call, wide_text

DIRECTIONS = 2
NEAR = 1e-9  # how far the tape may be, seen from the largest number
DEADLINE = 300
UNSUPPORTED = 4


def packed(values, dims):
    return {"dtype": "float64", "shape": dims,
            "b64": base64.b64encode(struct.pack(f"<{len(values)}d", *values)).decode()}


def numbers(member):
    raw = base64.b64decode(member["b64"])
    return list(struct.unpack(f"<{len(raw) // 8}d", raw))


class Failed(Exception):
    pass


class WholeGraph:
    """A graph file with the flags that ask for derivatives, or IR of 64 bits that does, and a call."""

    def __init__(self, tools, name, graph, flags, call, folder):
        self.sluicec, self.name, self.folder = tools, name, folder
        self.graph, self.flags, self.call = graph, flags, wide_call(call)
        self.rng, self.counts = random.Random(name), collections.Counter()

    def raised(self):
        """IR of 64 bits, or None if this is not the graph that has the names."""
        if self.graph.suffix == ".mlir":
            return self.graph.read_text()
        done = subprocess.run([self.sluicec, self.graph, *self.flags, "--stop-after=raise"],
                              capture_output=True, text=True, check=False, timeout=DEADLINE)
        return wide_text(without_locations(done.stdout)) if done.returncode == 0 else None

    def answers(self, text, calls, *flags, linked=False):
        file = self.folder / "graph.mlir"
        file.write_text(text)
        command = [self.sluicec, str(file), *flags]
        if linked:
            program = str(file.with_suffix(""))
            self.finish([*command, "-o", program], "")
            command = [program]
        lines = self.finish([*command, "--calls=-"], "\n".join(map(json.dumps, calls)))
        found = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
        errors = [answer["error"] for answer in found if "error" in answer]
        if errors:
            raise NotSupported(f"a call fails: {errors[0]['code']}: {errors[0]['message'][:80]}")
        return [answer["outputs"] for answer in found]

    def finish(self, command, text):
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False,
                              timeout=DEADLINE)
        if done.returncode == UNSUPPORTED:
            raise NotSupported(done.stderr.splitlines()[0].split("error: ")[-1])
        if done.returncode not in (0, 1) or not done.stdout and "--calls=-" in command:
            raise Failed(f"{' '.join(map(str, command))}: {done.stderr[:2000]}")
        return done.stdout

    # ---- One request

    def check(self, asked):
        """Raises Failed, or NotSupported."""
        call = {**self.call, "signature": "main", "want_state": False}
        base, again = self.answers(asked.values(), [call, call], "--interpret=differentiate")
        if base != again:
            raise NotSupported("values change from call to call")
        missing = [x.variable for x in asked.xs if x.variable and x.variable not in call["state"]]
        if missing:
            raise NotSupported("a variable has no value")
        ys, rest = base[:len(asked.ys)], iter(base[len(asked.ys):])
        here = {}
        for i, x in enumerate(asked.xs):
            member = call["state"][x.variable] if x.variable else next(rest)
            here[f"x{i}"] = member
        call["inputs"] = {**call.get("inputs", {}), **{f"held{i}": next(rest)
                                                       for i in range(len(asked.held))}}
        weights = {f"first_seed{i}": self.drawn(y["shape"]) for i, y in enumerate(ys)}
        weights |= {f"second_seed{i}": self.drawn(x["shape"]) for i, x in enumerate(here.values())}
        self.judge(asked, call, here, weights)

    def drawn(self, dims):
        return packed([self.rng.uniform(-1.5, 1.5) for _ in range(math.prod(dims))], dims)

    def at(self, asked, call, moved, weights):
        """A call at another point."""
        inputs, state = {**call.get("inputs", {}), **weights}, dict(call.get("state", {}))
        for i, x in enumerate(asked.xs):
            if x.variable:
                state[x.variable] = moved[f"x{i}"]
            else:
                inputs[f"x{i}"] = moved[f"x{i}"]
        return {**call, "inputs": inputs, "state": state}

    def judge(self, asked, call, here, weights):
        text, count = asked.derivatives(2), len(asked.ys)
        base = self.at(asked, call, here, weights)
        claimed, = self.answers(text, [base], "--interpret=differentiate")
        linked, = self.answers(text, [base], linked=True)
        if json.dumps(claimed) != json.dumps(linked) and not has_nan(claimed):
            raise Failed("an executable gives other bits than the interpreter")
        self.are_symmetric(text, base, claimed[-len(asked.xs):])
        firsts = claimed[count:count + len(asked.xs)]
        self.by_tape(asked, call, here, weights, firsts)
        parts = {"first": (0, count), "second": (count, len(asked.xs))}
        for order, (begin, length) in parts.items():
            claims = claimed[begin + length:begin + length + len(asked.xs)]
            factors = [numbers(weights[f"{order}_seed{i}"]) for i in range(length)]
            claims = dict(zip(here, map(numbers, claims)))

            def values_at(moves, begin=begin, length=length):
                calls = [self.at(asked, call, {name: packed(move[name], here[name]["shape"])
                                               for name in here}, weights) for move in moves]
                return [[numbers(one) for one in outputs[begin:begin + length]]
                        for outputs in self.answers(text, calls, "--interpret=differentiate")]
            self.compare(order, claims, {name: numbers(member) for name, member in here.items()},
                         values_at, factors)

    def are_symmetric(self, text, base, products):
        """<u, Hv> is <v, Hu>, for the Hessian H and the vectors v that `base` has."""
        names = [f"second_seed{i}" for i in range(len(products))]
        vectors = {name: numbers(base["inputs"][name]) for name in names}
        others = {name: self.drawn(base["inputs"][name]["shape"]) for name in names}
        call = {**base, "inputs": {**base["inputs"], **others}}
        found, = self.answers(text, [call], "--interpret=differentiate")
        one = [finite.inner(numbers(others[name]), numbers(product))
               for name, product in zip(names, products)]
        other = [finite.inner(vectors[name], numbers(product))
                 for name, product in zip(names, found[-len(names):])]
        if abs(math.fsum(one) - math.fsum(other)) > NEAR * (1 + math.fsum(map(abs, one))):
            raise Failed(f"second: expected a symmetric Hessian but got {one} and {other}")
        self.counts["symmetric"] += 1

    def by_tape(self, asked, call, here, weights, firsts):
        weights = {name: member for name, member in weights.items() if name.startswith("first")}
        found, = self.answers(asked.derivatives(1), [self.at(asked, call, here, weights)],
                              "--interpret=raise")
        for wanted, got in zip(found[len(asked.ys):], firsts):
            pairs = list(zip(numbers(wanted), numbers(got)))
            largest = max((abs(one) for one, _ in pairs), default=0)
            if any(abs(one - other) > NEAR * (1 + largest) for one, other in pairs):
                raise Failed(f"by tape: expected {numbers(wanted)} but got {numbers(got)}")
        self.counts["by tape, right"] += 1

    def compare(self, order, claims, here, values_at, factors):
        sizes = {name: len(values) for name, values in here.items()}
        for direction in finite.draw_directions(self.rng, sizes, list(sizes), order, DIRECTIONS):
            claim = math.fsum(finite.inner(claims[name], rates)
                              for name, rates in direction.of.items())
            slopes = []
            for step in (finite.STEP, *finite.SMALLER):
                moves = [finite.moved(here, direction, side) for side in (-step, step)]
                sides = values_at(moves)
                slopes.append(finite.slope(*sides, factors, step))
                if finite.agrees(claim, slopes[-1]):
                    break
            verdict = "nan" if math.isnan(claim) else finite.verdict(claim, slopes)
            if verdict == "wrong" and finite.is_bent(sides[0], values_at([here])[0], sides[1],
                                                     factors, step):
                verdict = "kink"
            self.counts[f"{order}, {verdict}"] += 1
            if verdict == "wrong":
                raise Failed(f"{order}: expected {[each.value for each in slopes]} but got {claim}")


def has_nan(outputs):
    return any(math.isnan(number) for one in outputs for number in numbers(one))
