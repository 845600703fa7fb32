# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses scenarios that show their goals: TensorFlow runs them, and nothing else gives the same."""

import copy

from scenario import merged

import drawn_ops  # isort: skip
import goals  # isort: skip
import scenarios  # isort: skip
from tensorflow_session import as_array, has_no_kernel

import cases  # isort: skip
import known_differences  # isort: skip
import op_signatures  # isort: skip
import operands  # isort: skip
import tolerances  # isort: skip

ATTEMPTS = 60
REFUSALS = 4  # by TensorFlow, for want of a kernel, until it is believed
APART = goals.Goal("", None)
NUMBERS = (operands.draw_quarters, operands.draw_edges)  # the second where the first show nothing


def same(a, b):
    """Whether both have no value, or equal ones within tolerance."""
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and not any(tolerances.differ(*pair) for pair in zip(a, b))


def is_telling(outputs):
    """Numbers of ordinary size, and not all the same."""
    numbers = [x for tensor in outputs for x in (
        tensor["data"] if "data" in tensor else tolerances.numbers_of(tensor))]
    ordinary = all(isinstance(x, str) or abs(x) < 1e4 for x in numbers)  # which NaN is not
    return ordinary and len(set(numbers)) > 1


def is_rival(signature, other):
    """Whether a line of the tables could have the other op by mistake."""
    required = [name for name, attr in other.attrs.items()
                if not attr.default and name not in signature.attrs and attr.kind != "string"]
    return (other.name != signature.name and not required and not other.deprecated
            and other.name not in scenarios.WRITTEN and cases.has_rule(other)
            and [(bool(arg.count), arg.dtype in signature.attrs) for arg in signature.inputs]
            == [(bool(arg.count), arg.dtype in other.attrs) for arg in other.inputs]
            and len(signature.outputs) == len(other.outputs))


def telling(verdicts):
    """A case that a rival would fail, of (verdict, case): by another result, or by none where it
    has one for other numbers of the same dims."""
    def kind(case):
        return repr(case.attrs), repr([operand.dims if operand.dtype in operands.FLOATS
                                       else operand.data for operand in case.inputs])

    alike, silent = set(), {}
    for verdict, pair in verdicts:
        if verdict == "apart":
            return pair
        if verdict == "same":
            alike.add(kind(pair[0]))
        else:
            silent[kind(pair[0])] = pair
    return next((pair for of, pair in silent.items() if of in alike), None)


class Chooser:
    """What it could not do for the last op is in `missed`."""

    def __init__(self, tensorflow, reads, refused):
        self.tensorflow, self.reads, self.refused = tensorflow, reads, refused
        self.signatures = op_signatures.supported()
        self.no_kernel, self.missed, self.chosen = {}, [], 0

    def choose(self, signature):
        """One scenario of all goals, or None."""
        self.missed, found, drawn = [], [], []
        for goal in scenarios.goals_of(signature, self.reads[signature.name]):
            if (signature.name, goal) in self.refused:
                continue
            if scenarios.builder(signature, goal):
                found += self.written(signature, goal)
            else:
                drawn += self.drawn(signature, goal)
        if drawn:
            drawn += self.told_apart(signature, list(drawn))
            if scenarios.builder(signature, APART):
                found += self.written(signature, APART)
        found += [drawn_ops.scenario_of(case) for case, _ in drawn]
        return merged(signature.name, found) if found else None

    def name(self):
        self.chosen += 1
        return f"c{self.chosen}"

    def run(self, scenario):
        definition = scenarios.definition([scenario], self.signatures)
        return self.tensorflow.run(definition, scenario)

    # ---- Written scenarios

    def written(self, signature, goal):
        scenario = scenarios.written(signature, goal, self.name())
        answers = self.run(scenario)
        if reason := has_no_kernel(answers):
            self.no_kernel[signature.name, goal] = reason
            return []
        if len(answers) != len(scenario.steps):
            self.missed.append((goal, answers[0]["error"][1]))
            return []
        scenario.fails = ["error" in answer for answer in answers]
        return [scenario]

    # ---- Drawn ones

    def outputs(self, case):
        """What TensorFlow gives, or None; and why it has no kernel, or None."""
        answers = [self.tensorflow.run_case(case)]
        if has_no_kernel(answers):  # outside of graphs, which may be rewritten, or old
            answers = self.run(drawn_ops.scenario_of(case))
        outputs = answers[0].get("outputs")
        return outputs and outputs[:known_differences.defined_results(case)], has_no_kernel(answers)

    def candidates(self, signature, goal, name, numbers=NUMBERS[0]):
        """(case, outputs) that meet the goal, the telling ones first.

        Last come ordinary numbers at which Sluice may differ: the recording shows whether it does.
        """
        plain, doubtful, refusals = [], [], 0
        for number in range(ATTEMPTS):
            case = drawn_ops.draw(signature, goal, name, number, numbers)
            if not goals.is_met(goal, signature, case.attrs) or not drawn_ops.is_small(case):
                continue
            outputs, reason = self.outputs(case)
            refusals += reason is not None
            if refusals == REFUSALS:
                self.no_kernel[signature.name, goal] = reason
                return
            if not outputs:
                continue
            if known_differences.reason(case, [as_array(each) for each in case.inputs]):
                doubtful.append((case, outputs))
            elif not is_telling(outputs):
                plain.append((case, outputs))
            else:
                yield case, outputs
        yield from plain
        if numbers == NUMBERS[0]:
            yield from doubtful

    def matters(self, signature, goal, case, outputs):
        """Whether another value of the goal's attribute gives something else."""
        attr = signature.attrs.get(goal.attr)
        if not attr or attr.kind in ("type", "list(type)"):
            return True
        kind, value = case.attrs[goal.attr]
        others = {"bool": lambda: [not value],
                  "string": lambda: [text for text in attr.allowed if text != value],
                  "int": lambda: [int(attr.default)], "float": lambda: [float(attr.default)]}
        return any(not same(self.outputs(self.with_value(case, goal.attr, other))[0], outputs)
                   for other in others[kind]())

    def with_value(self, case, name, value):
        other = copy.deepcopy(case)
        other.attrs[name] = (case.attrs[name][0], value)
        return other

    def drawn(self, signature, goal):
        name, found = self.name(), []
        for numbers in NUMBERS:
            for case, outputs in self.candidates(signature, goal, name, numbers):
                if self.matters(signature, goal, case, outputs):
                    if is_telling(outputs):
                        return [(case, outputs)]
                    found = found or [(case, outputs)]
                    break  # those that follow are not telling either
        if not found and (signature.name, goal) not in self.no_kernel:
            self.missed.append((goal, "no operands show it"))
        return found

    # ---- Ops that could be taken for each other

    def as_rival(self, case, rival):
        other = copy.deepcopy(case)
        other.op = rival.name
        words = {name: ("string", "") for name, attr in rival.attrs.items()
                 if attr.kind == "string" and not attr.default}
        other.attrs = words | {name: value for name, value in case.attrs.items()
                               if name in rival.attrs}
        return self.outputs(other)[0]

    def told_apart(self, signature, found):
        """More cases, for rivals that give the same in all that there are."""
        more = []
        for rival in self.signatures.values():
            if is_rival(signature, rival) and not telling(
                    (self.verdict(pair, rival), pair) for pair in found + more):
                more += self.apart_from(signature, rival)
        return more

    def verdict(self, pair, rival):
        outputs = self.as_rival(pair[0], rival)
        return "no value" if outputs is None else "same" if same(outputs, pair[1]) else "apart"

    def apart_from(self, signature, rival):
        name, verdicts = self.name(), []
        for numbers in NUMBERS:
            for pair in self.candidates(signature, APART, name, numbers):
                verdicts.append((self.verdict(pair, rival), pair))
                if verdicts[-1][0] == "apart":
                    return [pair]
        if pair := telling(verdicts):
            return [pair]
        if any(verdict == "same" for verdict, _ in verdicts):
            print(f"{signature.name}: the same as {rival.name}")
        return []
