# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives cases from what an op's shape rule may distinguish, one by one instead of at random.

A first case has sizes that all differ. Each *clause* changes one thing of it: an axis of an
operand repeats, dims are missing, a size is 0 wherever it occurs, an attribute has another value,
an operand is a view or shares its memory, a size is not known to the compiler. Nothing here knows
what an op makes of that: its shape rule says so when the case runs, with a result or an error,
which must then be the same in all forms.

Ops whose operands are drawn by one rule share their clauses among them, unless all are wanted.
"""

import itertools
import math
import random
import re
from dataclasses import dataclass, field, replace

import cases
import operand_rules
import operands
import views

# What must occur, and in a case that has a result; attributes and axes are each op's own.
KINDS = {
    "rank #", "size # is zero", "size # is one", "all sizes are zero", "all sizes are one",
    "the axis is #", "the axes are []", "the axes are [#]", "the axes are [#, #]",
    "the order is [#, #, #]", "operand # repeats along axis #",
    "operand # repeats along axis #, sizes unknown", "operand # lacks # dims",
    "operand # has a dim more", "operand # is a constant", "all operands are constants",
    "all operands are fed", "all operands are fed, sizes unknown",
    "operand # has unknown sizes", "operand # has an unknown axis #", "all sizes are unknown",
    "operand # has an unknown rank",
    "operands # and # are one value", "operands # and # share a buffer",
    *(f"operand # is {kind}" for kind in views.KINDS)}
SIZES = (2, 3, 5, 4, 7, 6)  # of the axes, in the order in which they are drawn
RANK = 3  # of operands, where the op leaves that open
HIGHEST_RANK = 4


@dataclass
class Plan:
    """What a systematic draw does otherwise than the first one."""
    rank: int = RANK
    sizes: dict = field(default_factory=dict)  # which drawn size → its value
    attrs: dict = field(default_factory=dict)  # name → (kind, value)
    fed: bool = False  # also operands that are mostly constants
    axis: int = None
    axes: tuple = None
    order: tuple = None


class Systematic(cases.Draw):
    """Draws what a plan says, with few choices of its own."""

    def __init__(self, signature, plan, seed):
        self.plan, self.drawn, self.data = plan, 0, []
        self.asked = {}  # "axis", "axes", "order" → the rank that they were asked for; "ints"
        super().__init__(signature, random.Random(f"{seed}/{signature.name}"))
        self.wild, self.constant = False, 0

    def draw_attr(self, name, attr):
        super().draw_attr(name, attr)
        if name in self.plan.attrs:
            self.attrs[name] = self.plan.attrs[name]
        elif attr.kind == "type":
            self.set(name, "type", "float" if "float" in attr.allowed else
                     "int32" if "int32" in attr.allowed else attr.allowed[0])
        elif attr.kind == "bool":
            self.set(name, "bool", False)
        elif attr.kind == "string" and attr.allowed:
            self.set(name, "string", attr.allowed[0])

    def chance(self, probability):
        return probability >= 0.75

    def sizes(self, count):
        found = []
        for _ in range(count):
            found.append(self.plan.sizes.get(self.drawn, SIZES[self.drawn % len(SIZES)]))
            self.drawn += 1
        return found

    def dims(self, least=0, most=HIGHEST_RANK):
        return self.sizes(min(max(self.plan.rank, least), most))

    def tensor(self, dtype, dims, wild=None):
        operand = small_numbers(self.rng, self.dtype(dtype), dims)
        self.data.append(operand)
        return operand

    def ints(self, dtype, values, dims=None):
        self.asked["ints"] = True
        return replace(super().ints(dtype, values, dims), constant=not self.plan.fed)

    def choose(self, what, rank, standard):
        self.asked[what] = rank
        chosen = getattr(self.plan, what)
        return standard if chosen is None else chosen

    def axis(self, rank):
        return self.choose("axis", rank, max(rank - 1, 0))

    def valid_axis(self, rank):
        axis = self.axis(rank)
        return axis if -rank <= axis < rank else rank - 1

    def axes(self, rank):
        return list(self.choose("axes", rank, range(rank)[-1:]))

    def order(self, rank):
        return list(self.choose("order", rank, range(rank)[::-1]))


def small_numbers(rng, dtype, dims):
    """Integers without 0, so that ops which divide by them have results."""
    if "int" not in dtype:
        return operands.draw_tensor(rng, dtype, dims)
    values = [rng.randint(1, 5) for _ in range(math.prod(dims))]
    return operands.integers(dtype, values, dims, constant=False)


def kind_of(name):
    """The name without the numbers that tell operands, axes and sizes apart."""
    return re.sub(r"-?\d+", "#", name)


class Clause:
    """A way to make a case: a plan, and what is changed once its operands are drawn."""

    def __init__(self, name, plan=None, change=None):
        self.name, self.plan, self.change = name, plan or Plan(), change or (lambda case, rng: None)

    def case(self, signature, name, seed):
        case = cases.made_by(Systematic(signature, self.plan, seed), name)
        case.family, case.clause = family(signature), self.name
        self.change(case, random.Random(f"{seed}/{signature.name}/{self.name}"))
        return case


# ---- What is changed of operands


def with_dims(i, change):
    def apply(case, rng):
        dims = list(case.inputs[i].dims)
        change(dims)
        case.inputs[i] = small_numbers(rng, case.inputs[i].dtype, dims)
    return apply


def repeats(axis):
    return lambda dims: dims.__setitem__(axis, 1)


def lacks(count):
    return lambda dims: dims.__delitem__(slice(0, count))


def made_as(i, kind):
    def apply(case, rng):
        case.made_of[i] = (kind, views.KINDS[kind][1](case.inputs[i], rng))
    return apply


def is_same(i, j):
    def apply(case, _):
        case.inputs[j] = case.inputs[i]
        case.same_as[j] = i
    return apply


def shares(i, j):
    return lambda case, _: setattr(case, "sharing", (i, j))


def is_constant(chosen):
    def apply(case, _):
        for i in chosen:
            case.inputs[i] = replace(case.inputs[i], constant=True)
    return apply


def both(first, second):
    def apply(case, rng):
        first(case, rng)
        second(case, rng)
    return apply


def unknown(chosen=None):
    return lambda case, _: case.forget_sizes(chosen)


def unknown_axis(i, axis):
    return lambda case, _: case.unknown.update({i: (axis,)})


# ---- The clauses of an op


def of_sizes(first):
    for rank in range(HIGHEST_RANK + 1):
        yield Clause(f"rank {rank}", Plan(rank=rank))
    for number, value in itertools.product(range(first.drawn), (0, 1)):
        yield Clause(f"size {number} is {'zero' if value == 0 else 'one'}",
                     Plan(sizes={number: value}))
    for value, word in ((0, "zero"), (1, "one")):
        yield Clause(f"all sizes are {word}", Plan(sizes=dict.fromkeys(range(first.drawn), value)))


def of_attributes(first):
    for name, attr in first.signature.attrs.items():
        values = {"bool": [False, True], "type": attr.allowed,
                  "string": attr.allowed}.get(attr.kind, [])
        if name in first.attrs:
            for value in values:
                yield Clause(f"{name} is {value}", Plan(attrs={name: (attr.kind, value)}))
    if first.asked.get("ints"):
        yield Clause("all operands are fed", Plan(fed=True))
        yield Clause("all operands are fed, sizes unknown", Plan(fed=True), unknown())
    if rank := first.asked.get("axis"):
        for axis in range(-rank, rank):
            yield Clause(f"the axis is {axis}", Plan(axis=axis))
    if rank := first.asked.get("axes"):
        for axes in itertools.chain.from_iterable(
                itertools.combinations(range(rank), count) for count in range(rank + 1)):
            yield Clause(f"the axes are {list(axes)}", Plan(axes=axes))
    if rank := first.asked.get("order"):
        for order in itertools.permutations(range(rank)):
            yield Clause(f"the order is {list(order)}", Plan(order=order))


def of_one_operand(i, operand):
    name, rank = f"operand {i}", len(operand.dims)
    for axis in range(rank):
        yield Clause(f"{name} repeats along axis {axis - rank}",
                     change=with_dims(i, repeats(axis)))
        yield Clause(f"{name} repeats along axis {axis - rank}, sizes unknown",
                     change=both(with_dims(i, repeats(axis)), unknown()))
        yield Clause(f"{name} has an unknown axis {axis - rank}", change=unknown_axis(i, axis))
        yield Clause(f"{name} lacks {axis + 1} dims", change=with_dims(i, lacks(axis + 1)))
    yield Clause(f"{name} has a dim more", change=with_dims(i, lambda dims: dims.insert(0, 1)))
    yield Clause(f"{name} is a constant", change=is_constant([i]))
    yield Clause(f"{name} has an unknown rank",
                 change=lambda case, _: case.unknown.update({i: cases.UNKNOWN_RANK}))
    if rank:
        yield Clause(f"{name} has unknown sizes", change=unknown([i]))
    for kind, (least, _, _) in views.KINDS.items():
        if rank >= least:
            yield Clause(f"{name} is {kind}", change=made_as(i, kind))


def of_operands(first, case):
    data = [i for i, operand in enumerate(case.inputs)
            if any(operand is other for other in first.data)]
    for i in data:
        yield from of_one_operand(i, case.inputs[i])
    for i, j in itertools.combinations(data, 2):
        if case.inputs[i].dtype == case.inputs[j].dtype:
            if case.inputs[i].dims == case.inputs[j].dims:
                yield Clause(f"operands {i} and {j} are one value", change=is_same(i, j))
            yield Clause(f"operands {i} and {j} share a buffer", change=shares(i, j))
    yield Clause("all operands are constants", change=is_constant(data))
    yield Clause("all sizes are unknown", change=unknown())


def clauses_of(signature, seed):
    first = Systematic(signature, Plan(), seed)
    case = cases.made_by(first, "")
    return [*of_sizes(first), *of_attributes(first), *of_operands(first, case)]


# ---- Which op has which clause


def family(signature):
    """Ops whose operands are drawn alike."""
    rule = operand_rules.RULES.get(signature.name)
    return rule.__name__ if rule else f"{len(signature.inputs)} alike"


def share_out(signatures, seed, every_clause=False):
    """[(signature, clause)]: each clause with one op of the family, or with each that has it."""
    families = {}
    for signature in signatures:
        clauses = families.setdefault(family(signature), {})
        for clause in clauses_of(signature, seed):
            clauses.setdefault(clause.name, []).append((signature, clause))
    chosen = []
    for clauses in families.values():
        for number, candidates in enumerate(clauses.values()):
            chosen += candidates if every_clause else [candidates[number % len(candidates)]]
    return chosen
