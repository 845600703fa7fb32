# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the derivatives that a program gives with differences of what it computes, and with those
of the interpreter's tape."""

import base64
import collections
import math
import pathlib
import random
import struct
import sys
import tempfile
import threading
from dataclasses import dataclass, replace

import answers
import second_order
import tape
from checking import Checker, Failure, kind_of_message, oracle_trouble
from differentiated import assigns, feeding, with_seeds, without_gradients
from program import tensor
from ways import DEADLINE, DIFFERENTIATED, ORACLE, Way

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "differential" / "gradients"))
import finite  # noqa: E402

DIRECTIONS = 3
SEED = 5  # of seeds, weights and directions
# What is no matter of the way to run.
DIFFERENCES = Way(["--interpret=differentiate"], [])
NOT_SUPPORTED = "exit code 4"


def numbers(member):
    raw = base64.b64decode(member["b64"])
    return list(struct.unpack(f"<{math.prod(member['shape'])}d", raw))


class Skipped(Exception):
    """Nothing can be said of the program, and why."""


@dataclass
class Point:
    """Where derivatives are looked at: `program` has seeds, and `xs` are those of its request that
    can be moved, with what they are there; those that are computed are fed then."""
    program: object
    answer: dict  # without gradients
    xs: dict
    computed: list
    state: dict

    @property
    def request(self):
        """Pairs of y and seed, all xs, and which of these are stops."""
        return self.program.signatures[-1].gradients[0]

    @property
    def fetches(self):
        return self.program.signatures[-1].fetches

    def calls(self, program, moves, more=None):
        """A program whose last call is made at several places, {x: numbers}."""
        signature, *_ = reversed(program.signatures)
        *before, call = program.requests
        there = []
        for move in moves:
            members = {x: tensor("d", move.get(x, numbers(member)), member["shape"])
                       for x, member in self.xs.items()}
            inputs = {name: members.get(name, call["inputs"].get(name)) for name in signature.feeds}
            state = {name: members.get(name, member) for name, member in self.state.items()}
            there.append({**call, "inputs": {**inputs, **(more or {})},
                          **({"state": state} if state else {})})
        return replace(program, requests=[*before, *there])


def is_whole(program):
    """Whether there is still something to look at while a program is made small."""
    if not program.requests or not program.signatures or not program.signatures[-1].gradients:
        return False
    main = program.signatures[-1]
    ys, xs, _ = main.gradients[0]
    return (program.requests[-1]["signature"] == main.name and bool(xs)
            and all(y in main.fetches and seed in main.feeds for y, seed in ys))


def prepare(checker, drawn, rng):
    if not is_whole(drawn):
        raise Skipped("nothing is asked for")
    xs = drawn.signatures[-1].gradients[0][1]
    computed = [x for x in xs if x in drawn.facts and x not in drawn.signatures[-1].feeds]
    plain = without_gradients(drawn)
    plain.signatures[-1].fetches = plain.signatures[-1].fetches + computed
    before = next(checker.answers(plain, [ORACLE]))
    if trouble := oracle_trouble(before):
        raise Skipped(f"without gradients: {trouble}")
    if any("error" in call for call in before.calls):
        raise Skipped("a call fails")
    answer, state = before.calls[-1], {}
    found = dict(zip(plain.signatures[-1].fetches, answer["outputs"]))
    if len(before.calls) > 1:
        state = before.calls[-2].get("state", {})
    if any(found[y]["dtype"] != "float64" for y, _ in drawn.signatures[-1].gradients[0][0]):
        raise Skipped("nothing is asked for")
    program = with_seeds(drawn, answer["outputs"], rng)
    known = {**{x: found[x] for x in computed}, **program.requests[-1]["inputs"], **state}
    if assigns(program, [y for y, _ in program.signatures[-1].gradients[0][0]]):
        known = {}
    return Point(program, answer, {x: known[x] for x in xs if x in known}, computed, state)


class GradientChecker(Checker):
    """Of programs whose last call is for derivatives."""

    def __init__(self, compiler):
        super().__init__(compiler)
        self.counts, self.lock = collections.Counter(), threading.Lock()

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def check(self, drawn, chosen, twice):
        """(program with seeds, failures)"""
        try:
            rng = random.Random(SEED)
            point = prepare(self, drawn, rng)
            return point.program, self.judge(point, rng, chosen, twice)
        except Skipped as reason:
            self.count(f"skipped, {reason}")
            return drawn, []

    def difference(self, program, expected, way, got, deadline=DEADLINE):
        """Without some steps fewer arrays become lists, and only lists have derivatives."""
        if got.trouble.endswith(NOT_SUPPORTED) and "a derivative is asked for" in got.message:
            self.count("ways, not supported")
            return ""
        return super().difference(program, expected, way, got, deadline)

    def judge(self, point, rng, chosen, twice):
        program = point.program
        expected = next(self.answers(program, [DIFFERENTIATED]))
        if expected.trouble.endswith(NOT_SUPPORTED):
            raise Skipped("not supported" + kind_of_message(expected))
        if trouble := oracle_trouble(expected):
            return [Failure(DIFFERENTIATED, trouble + kind_of_message(expected), expected.message)]
        call, values = expected.calls[-1], len(point.fetches)
        if "error" in call:
            return [Failure(DIFFERENCES, "a call fails with gradients", str(call))]
        self.count("programs differentiated")
        failures = self.failures(program, chosen)
        if answers.comparable(call["outputs"][:values]) != answers.comparable(
                point.answer["outputs"][:values]):
            failures.append(Failure(DIFFERENCES, "values differ with gradients", str(call)))
        failures += self.by_tape(point, call["outputs"][values:])
        failures += self.first(point, call["outputs"][values:], rng)
        if twice and point.xs and not failures:
            failures += self.second(point, call["outputs"][values:], rng, chosen[:1])
        return failures

    def still_fails(self, drawn, failure):
        def test(program):
            _, failures = self.check(program, [failure.way], "second" in failure.what)
            return any(one.what == failure.what for one in failures)
        return test

    def by_tape(self, point, claimed):
        got = next(self.answers(point.program, [tape.TAPE]))
        verdict, detail = tape.verdict(got, claimed, numbers)
        self.count(f"first derivatives by tape, {verdict}")
        return [Failure(DIFFERENCES, f"tape: {verdict}", detail)] if detail else []

    # ---- Derivatives against differences

    def compare(self, what, point, claims, values_at, factors, rng):
        """`values_at(moves)`: lists of numbers for each of the moves, None where there are none."""
        here = {x: numbers(member) for x, member in point.xs.items()}
        sizes = {x: len(values) for x, values in here.items()}
        for direction in finite.draw_directions(rng, sizes, list(sizes), what, DIRECTIONS):
            claimed = math.fsum(finite.inner(claims[x], rates)
                                for x, rates in direction.of.items())
            verdict = "nan" if math.isnan(claimed) else ""
            slopes = []
            for step in (finite.STEP, *finite.SMALLER) if not verdict else ():
                sides = values_at([finite.moved(here, direction, side) for side in (-step, step)])
                if None in sides:
                    verdict = "fails nearby"
                    break
                slopes.append(finite.slope(*sides, factors, step))
                if finite.agrees(claimed, slopes[-1]):
                    break
            verdict = verdict or finite.verdict(claimed, slopes)
            if verdict == "wrong" and finite.is_bent(sides[0], values_at([here])[0], sides[1],
                                                     factors, step):
                verdict = "kink"
            self.count(f"{what} derivatives, {verdict}")
            if verdict == "wrong":
                return [Failure(DIFFERENCES, f"{what} derivatives are wrong",
                                f"along {direction.of}: expected {slopes} but got {claimed}")]
        return []

    def first(self, point, outputs, rng):
        ys, xs, _ = point.request
        plain = feeding(without_gradients(point.program), point.computed)
        places = [point.fetches.index(y) for y, _ in ys]

        def values_at(moves):
            got = next(self.answers(point.calls(plain, moves), [ORACLE]))
            return [None if "error" in call else [numbers(call["outputs"][place])
                                                  for place in places]
                    for call in got.calls[-len(moves):]] or [None]
        inputs = point.program.requests[-1]["inputs"]
        return self.compare("first", point, dict(zip(xs, map(numbers, outputs))), values_at,
                            [numbers(inputs[seed]) for _, seed in ys], rng)

    def second(self, point, outputs, rng, chosen):
        """Of the sum of products of the first ones and weights."""
        _, xs, _ = point.request
        program = feeding(point.program, point.computed)
        with tempfile.TemporaryDirectory(prefix="sluice-random-") as name:
            folder = pathlib.Path(name)
            ir = second_order.imported(self.compiler, program, folder)
            if isinstance(ir, answers.Answers):
                return [Failure(DIFFERENCES, "second: " + ir.trouble, ir.message)]
            ir = second_order.with_second(ir)
            weights = {second_order.WEIGHT.format(i): tensor(
                "d", [rng.uniform(-1.5, 1.5) for _ in numbers(output)], output["shape"])
                for i, output in enumerate(outputs)}

            def at(moves, way):
                return second_order.run(self.compiler, ir, point.calls(program, moves, weights),
                                        way, folder)
            got = at([{}], DIFFERENTIATED)
            if got.trouble.endswith(NOT_SUPPORTED):
                self.count("second derivatives, not supported" + kind_of_message(got))
                return []
            if point.computed and not got.trouble and "error" in got.calls[-1]:
                self.count("second derivatives, fails when it is fed")  # what else a node does is not done
                return []
            if got.trouble or "error" in got.calls[-1]:
                return [Failure(DIFFERENCES, "second: " + (got.trouble or "a call fails"),
                                f"{got.message}{got.calls}\n{ir}")]
            for way in chosen:
                if what := self.difference(program, got, way, at([{}], way)):
                    return [Failure(way, f"second: {what}", ir)]
            begin = len(point.fetches)

            def values_at(moves):
                found = at(moves, DIFFERENTIATED)
                return [None if "error" in call else
                        [numbers(one) for one in call["outputs"][begin:begin + len(xs)]]
                        for call in found.calls[-len(moves):]] or [None]
            claims = [numbers(one) for one in got.calls[-1]["outputs"][begin + len(xs):]]
            return self.compare("second", point, dict(zip(xs, claims)), values_at,
                                list(map(numbers, weights.values())), rng)
