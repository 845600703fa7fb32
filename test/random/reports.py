# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws ops that do something beside computing a value, but not to a variable: prints, checks and
random numbers. What stands for a value of which nobody knows anything is here as well."""

from graph import shape_of, text, type_of, types_of


def report(draw, place):
    {"print": print_, "check": check, "random": random_numbers, "fake": fake}[
        draw.rng.choices(["print", "check", "random", "fake"], [2, 2, 3, 1.5])[0]](draw, place)


def after_last(draw, place):
    """As a rule such nodes follow each other."""
    return place.reports[-1:] if draw.rng.random() < 0.7 else []


def print_(draw, place):
    values = [value for value in (draw.pick(place) for _ in range(2)) if value is not None]
    if values:
        kinds = {"T": type_of(values[0].dtype), "U": types_of([one.dtype for one in values])}
        printed = place.add("Print", [values[0], *values], [(values[0].dtype, values[0].shape)],
                            after=after_last(draw, place), message=text("it is "), **kinds)
        place.values += printed
        place.reports.append(printed[0].node)


def check(draw, place):
    """That something is true, as a rule one that always is."""
    holds = draw.scalar(place, "b")
    if not draw.fails():
        other = place.add("LogicalNot", [holds], [("b", ())])[0]
        holds = place.add("LogicalOr", [holds, other], [("b", ())])[0]
    value = draw.pick(place) or holds
    place.reports.append(place.add("Assert", [holds, value], after=after_last(draw, place),
                                   T=types_of([value.dtype]), summarize="i: 3"))


def random_numbers(draw, place):
    size = draw.rng.choice([(), (3,), (2, 2), (16,)])
    shape = draw.constant(place, "i", size, (len(size),))
    dtype = draw.rng.choice("fd")
    made = place.add("RandomUniform", [shape], [(dtype, size)], seed=f"i: {draw.rng.randint(1, 9)}",
                     seed2=f"i: {draw.rng.randint(1, 9)}", T=type_of("i"), dtype=type_of(dtype))
    place.values += made
    place.reports.append(made[0].node)


def fake(draw, place):
    """A value as functions give it that have none."""
    dtype, shape = draw.rng.choice([("f", ()), ("i", (3,)), ("b", ())])
    place.values += place.add("FakeParam", [], [(dtype, shape)], dtype=type_of(dtype),
                              shape=shape_of(shape))
