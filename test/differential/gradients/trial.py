# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a file of cases, calls each of them at many points, and compares."""

import base64
import json
import math
import struct
import subprocess

import finite
import gradient_requests as requests
import small_floats
from complex_numbers import ComplexTrial
from drawing import PACKED, Tensor

DEADLINE = 600  # seconds, on a machine that does much else
DIRECTIONS = 2  # of each order
NEAR = 2e-3  # how far 32 bits may be from 64, seen from the largest element
SAME = 1e-10  # how far the interpreter's own derivatives may be from the compiler's
NO_RULE = "UNIMPLEMENTED"


def encoded(tensor, dtype=None):
    name, form = PACKED[dtype or tensor.dtype]
    raw = struct.pack(f"<{len(tensor.values)}{form}", *tensor.values)
    return {"dtype": name, "shape": tensor.dims, "b64": base64.b64encode(raw).decode()}


def numbers(output):
    form = {"float64": "d", "float32": "f"}[output["dtype"]]
    raw = base64.b64decode(output["b64"])
    return list(struct.unpack(f"<{math.prod(output['shape'])}{form}", raw))


class Trial:
    def __init__(self, sluicec, folder, cases, rng):
        self.sluicec, self.folder, self.cases, self.rng = sluicec, folder, cases, rng
        self.faults = []  # (case, text)
        self.folder.mkdir(parents=True, exist_ok=True)

    def fault(self, case, text):
        self.faults.append((case, text))

    # ---- Running

    def write(self, stem, graphs):
        path = self.folder / f"{stem}.mlir"
        path.write_text("".join(requests.graph(name, lines) for name, lines in graphs))
        return path

    def calls(self, command, calls):
        """Answers; `calls` are pairs of a name of a case and its feeds."""
        lines = [json.dumps({"signature": name, "inputs": {
            feed: tensor if isinstance(tensor, dict) else encoded(tensor)
            for feed, tensor in feeds.items()}}) for name, feeds in calls]
        done = subprocess.run([*command, "--calls=-"], input="\n".join(lines), text=True,
                              capture_output=True, check=False, timeout=DEADLINE)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode not in (0, 1) or len(answers) != len(calls):
            raise SystemExit(f"{command[0]} {command[1:]} ended with {done.returncode} after "
                             f"{len(answers)} of {len(calls)} answers: {done.stderr[-3000:]}")
        return answers

    def interpreted(self, path, *flags):
        return [self.sluicec, str(path), "--interpret=differentiate", *flags]

    def linked(self, path):
        program = path.with_suffix("")
        done = subprocess.run([self.sluicec, path, "-o", program], capture_output=True, text=True,
                              check=False, timeout=DEADLINE)
        if done.returncode:
            raise SystemExit(f"sluicec ended with {done.returncode} for {path}: "
                             f"{done.stderr[-3000:]}")
        return [str(program)]

    def without_failures(self, cases, answers, what):
        """The cases whose answers are tensors, with these."""
        found = []
        for case, answer in zip(cases, answers):
            if "error" in answer:
                self.fault(case, f"{what}: {answer['error']['code']}: {answer['error']['message']}"
                           f"\n{case.text}")
            else:
                found.append((case, answer["outputs"]))
        return found

    # ---- What is compared

    def run(self, compiled, counts):
        """`compiled` are those that are tried with 32 bits, too."""
        alone = self.write("alone", [(case.name, [case.text, *requests.fetch(
            "y", [(y.name, y.type) for y in case.ys])]) for case in self.cases])
        answers = self.calls(self.interpreted(alone),
                             [(case.name, case.feeds) for case in self.cases])
        found = self.without_failures(self.cases, answers, "without derivatives")
        if not found:
            return
        self.feeds, graphs = {}, {}
        for case, outputs in found:
            self.feeds[case.name] = self.with_seeds(case, outputs)
            graphs[case.name] = self.with_requests(case)
        path = self.write("both", graphs.items())
        cases = [case for case, _ in found]
        answers = self.calls(self.interpreted(path), self.base(cases))
        values = {}
        for case, outputs in self.without_failures(cases, answers, "with derivatives"):
            values[case.name] = self.checked_shapes(case, outputs)
        cases = [case for case in cases if values.get(case.name)]
        if not cases:
            return
        self.against_differences(path, cases, values, counts)
        self.against_tape(cases, values, counts)
        self.in_executables(path, cases, dict(zip((case.name for case, _ in found), answers)))
        narrow = [case for case in compiled if case in cases and "mixes floats" not in case.traits]
        self.in_32_bits(narrow, graphs, values)
        for dtype in small_floats.BITS:
            self.in_16_bits(narrow, graphs, path, dtype)
        ComplexTrial(self, cases).run(encoded, counts)

    def base(self, cases, dtype=None):
        return [(case.name, {name: encoded(tensor, dtype if tensor.dtype == "f64" else None)
                             for name, tensor in self.feeds[case.name].items()})
                for case in cases]

    def drawn(self, dims):
        return Tensor("f64", dims, [self.rng.uniform(-2, 2) for _ in range(math.prod(dims))])

    def with_seeds(self, case, outputs):
        seeds = {f"seed{i}": self.drawn(output["shape"]) for i, output in enumerate(outputs)}
        weights = {f"weight{i}": self.drawn(case.feeds[x].dims) for i, x in enumerate(case.xs)}
        return {**case.feeds, **seeds, **weights}

    def with_requests(self, case, twice=True):
        names = [name for name in self.feeds[case.name] if name.startswith("seed")]
        ys = [(y.name, y.type) for y in case.ys]
        lines = [*case.text.splitlines(), *requests.fetch("y", ys)]
        return requests.with_requests(lines, case.xs, ys, [kind for _, kind in ys][:len(names)],
                                      twice)

    def checked_shapes(self, case, outputs):
        """{y0, first0, …: numbers}, or None if a shape is wrong."""
        count, feeds = len(case.ys), self.feeds[case.name]
        xs = case.xs
        names = ([f"y{i}" for i in range(count)] + [f"first{i}" for i in range(len(xs))]
                 + [f"second{i}" for i in range(len(xs) + count)])
        sources = [f"seed{i}" for i in range(count)] + xs + xs + [f"seed{i}" for i in range(count)]
        for name, source, output in zip(names, sources, outputs):
            if output["shape"] != feeds[source].dims:
                self.fault(case, f"{name}: expected the shape {feeds[source].dims} but got "
                           f"{output['shape']}\n{case.text}")
                return None
        return dict(zip(names, map(numbers, outputs)))

    def against_differences(self, path, cases, values, counts):
        tried = []
        for case in cases:
            feeds = self.feeds[case.name]
            sizes = {name: len(tensor.values) for name, tensor in feeds.items()}
            seeds = [f"seed{i}" for i in range(len(case.ys))]
            for order, names in (("first", case.xs), ("second", case.xs + seeds)):
                tried += [(case, direction) for direction in finite.draw_directions(
                    self.rng, sizes, names, order, DIRECTIONS)]
        doubtful = []
        for (case, direction), found in zip(tried, self.slopes(path, tried, finite.STEP)):
            claimed = self.claimed(case, direction, values[case.name])
            counts[case.op]["directions"] += 1
            if not finite.agrees(claimed, found):
                doubtful.append((case, direction, claimed, found))
        others = [self.slopes(path, [each[:2] for each in doubtful], step)
                  for step in finite.SMALLER] if doubtful else []
        for (case, direction, claimed, *slopes), *smaller in zip(doubtful, *others):
            slopes += smaller
            verdict = finite.verdict(claimed, slopes)
            counts[case.op]["kinks"] += verdict == "kink"
            if verdict == "wrong":
                self.fault(case, f"{direction.order} derivative: expected "
                           f"{[each.value for each in slopes]} but got {claimed}\n{case.text}\n"
                           f"{self.feeds[case.name]}\n{values[case.name]}")

    def claimed(self, case, direction, values):
        names = case.xs
        if direction.order == "second":
            names = case.xs + [f"seed{i}" for i in range(len(case.ys))]
        return math.fsum(finite.inner(values[f"{direction.order}{i}"], direction.of[name])
                         for i, name in enumerate(names))

    def slopes(self, path, tried, step):
        """Of each (case, direction)."""
        calls = []
        for case, direction in tried:
            feeds = self.feeds[case.name]
            values = {name: tensor.values for name, tensor in feeds.items()}
            for side in (-step, step):
                there = finite.moved(values, direction, side)
                calls.append((case.name, {name: Tensor(tensor.dtype, tensor.dims, there[name])
                                          for name, tensor in feeds.items()}))
        answers = self.calls(self.interpreted(path), calls)
        found = []
        for i, (case, direction) in enumerate(tried):
            begin, count, factors = 0, len(case.ys), "seed"
            if direction.order == "second":
                begin, count, factors = len(case.ys), len(case.xs), "weight"
            sides = []
            for answer in answers[2 * i:2 * i + 2]:
                if "error" in answer:
                    raise SystemExit(f"{case.name} fails at a point nearby: {answer['error']}")
                sides.append([numbers(one) for one in answer["outputs"][begin:begin + count]])
            feeds = self.feeds[case.name]
            found.append(finite.slope(*sides, [feeds[f"{factors}{j}"].values
                                               for j in range(count)], step))
        return found

    def against_tape(self, cases, values, counts):
        """First derivatives once more, which the interpreter finds with rules of its own."""
        path = self.write("tape", [(case.name, self.with_requests(case, twice=False))
                                   for case in cases])
        command = [self.sluicec, str(path), "--interpret=optimize"]
        feeds = [(case.name, {name: tensor for name, tensor in given.items()
                              if not name.startswith("weight")})
                 for case, (_, given) in zip(cases, self.base(cases))]
        for case, answer in zip(cases, self.calls(command, feeds)):
            if answer.get("error", {}).get("code") == NO_RULE:
                counts[case.op]["no rule"] += 1
                continue
            for _, outputs in self.without_failures([case], [answer], "by tape"):
                for i, output in enumerate(outputs[len(case.ys):]):
                    wanted = values[case.name][f"first{i}"]
                    if not near(wanted, numbers(output), SAME):
                        self.fault(case, f"first{i} by tape: expected {wanted} but got "
                                   f"{numbers(output)}\n{case.text}")

    def in_executables(self, path, cases, expected):
        for case, answer in zip(cases, self.calls(self.linked(path), self.base(cases))):
            if not same_bits(expected[case.name], answer):
                self.fault(case, f"executable: expected {expected[case.name]} but got {answer}"
                           f"\n{case.text}")

    def in_32_bits(self, cases, graphs, values):
        if not cases:
            return
        path = self.write("single", [(case.name, [line.replace("f64", "f32") for line
                                                  in graphs[case.name]]) for case in cases])
        answers = self.calls(self.linked(path), self.base(cases, "f32"))
        for case, outputs in self.without_failures(cases, answers, "in 32 bits"):
            for (name, wanted), output in zip(values[case.name].items(), outputs):
                if not near(wanted, numbers(output)):
                    self.fault(case, f"{name} in 32 bits: expected {wanted} but got "
                               f"{numbers(output)}\n{case.text}")


    def in_16_bits(self, cases, graphs, wide, dtype):
        """First derivatives, in the interpreter."""
        cases = [case for case in cases if case.op not in small_floats.WIDE]
        if not cases:
            return
        path = self.write(dtype, [(case.name, [line.replace("f64", dtype) for line
                                               in graphs[case.name]]) for case in cases])
        here, *neighbours = [
            self.calls(self.interpreted(wide), [
                (case.name, small_floats.moved(self.feeds[case.name], dtype, units))
                for case in cases]) for units in (0, 1, -1)]
        narrow = [(case.name, {name: small_floats.encoded(tensor, dtype) if tensor.dtype == "f64"
                               else encoded(tensor) for name, tensor in
                               small_floats.moved(self.feeds[case.name], dtype, 0).items()})
                  for case in cases]
        answers = self.calls(self.interpreted(path), narrow)
        for i, (case, answer) in enumerate(zip(cases, answers)):
            for _, outputs in self.without_failures([case], [answer], f"in {dtype}"):
                for j in range(len(case.ys) + len(case.xs)):
                    text = small_floats.first_difference(
                        numbers(here[i]["outputs"][j]),
                        [numbers(each[i]["outputs"][j]) for each in neighbours],
                        small_floats.numbers(outputs[j]), dtype)
                    if text:
                        self.fault(case, f"output {j} in {dtype}: {text}\n{case.text}")


def same_bits(one, other):
    def bits(answer):
        return [(output["shape"], ["nan" if math.isnan(x) else struct.pack("<d", x)
                                   for x in numbers(output)]) for output in answer["outputs"]]
    return "outputs" in other and bits(one) == bits(other)


def near(wanted, got, tolerance=NEAR):
    largest = max([abs(x) for x in wanted if abs(x) < 1e30], default=0)
    return all(abs(a - b) <= tolerance * (largest + 1) for a, b in zip(wanted, got) if abs(a) < 1e30)
