# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws branches and loops that are made of functions, and branches of several ways."""

import control
from functions import (argument_types, affordable, choose, fill, function_text, give, inside,
                       invoke, like, offer)
from graph import RESOURCE, Value, text, type_of, types_of
from places import Way


def draw_results(draw, slots):
    """What the functions of a branch give: rather what they get."""
    kinds = [(dtype, shape) for kind, dtype, shape in slots if kind == "value"]
    kinds += [("f", ()), ("i", ())]
    least = 0 if any(kind != "value" for kind, _, _ in slots) else 1
    return [draw.rng.choice(kinds) for _ in range(draw.rng.randint(least, 3))]


def decision(draw, place):
    """A predicate of any type. One that is no scalar may fail: import takes for a scalar what has no
    known rank yet."""
    kind = draw.rng.random()
    if kind < 0.5:
        return draw.predicate(place)
    value = draw.pick(place) if kind < 0.7 else draw.scalar(place, draw.rng.choice("filb"))
    if value is None or value.shape and not draw.is_odd():
        value = draw.scalar(place, "i")
    if draw.rng.random() < 0.2:
        return place.add("ToBool", [value], [("b", ())], T=type_of(value.dtype))[0]
    return value


def functional_branch(draw, place):
    slots, supplied = offer(draw, place)
    results = draw_results(draw, slots)
    sides = [choose(draw, place, slots, supplied, results) for _ in range(2)]
    cost = max(side.cost for side in sides)
    if affordable(draw, place, cost):
        if_node(draw, place, decision(draw, place), sides, supplied, cost)


def if_node(draw, place, predicate, sides, supplied, cost):
    """`sides`: on true, on false."""
    drawn = sides[0]
    return invoke(draw, place, "If", [predicate], drawn.slots, supplied, drawn.results, cost,
                  Tcond=type_of(predicate.dtype), Tin=argument_types(drawn.slots),
                  Tout=types_of([dtype for dtype, _ in drawn.results]), output_shapes="list { }",
                  then_branch=function_text(sides[0].name),
                  else_branch=function_text(sides[1].name))


def draw_index(draw, place):
    if draw.rng.random() < 0.15:
        names = ["CPU", *draw.rng.sample(["TPU", "GPU", "NPU"], draw.rng.randint(0, 2))]
        draw.rng.shuffle(names)
        listed = " ".join(text(name) for name in names)
        return place.add("DeviceIndex", [], [("i", ())], device_names=f"list {{ {listed} }}")[0]
    return draw.scalar(place, "i")


def functional_case(draw, place):
    slots, supplied = offer(draw, place)
    results = draw_results(draw, slots)
    sides = [choose(draw, place, slots, supplied, results)
             for _ in range(draw.rng.choice([1, 2, 2, 3, 3, 4, 5]))]
    cost = max(side.cost for side in sides)
    if affordable(draw, place, cost):
        case_node(draw, place, draw_index(draw, place), sides, supplied, cost)


def case_node(draw, place, index, sides, supplied, cost):
    drawn, listed = sides[0], " ".join(function_text(side.name) for side in sides)
    return invoke(draw, place, "Case", [index], drawn.slots, supplied, drawn.results, cost,
                  Tin=argument_types(drawn.slots),
                  Tout=types_of([dtype for dtype, _ in drawn.results]), output_shapes="list { }",
                  branches=f"list {{ {listed} }}")


# Loops

def results_of(slots):
    return [(RESOURCE if kind == "variable" else dtype, () if kind == "variable" else shape)
            for kind, dtype, shape in slots if kind != "named"]


def carried_on(draw, here, slots, fixed):
    """What a loop's body gives: `fixed` by position of the slot, where it is no matter of chance."""
    values = []
    for number, ((kind, dtype, shape), argument) in enumerate(zip(slots, here.arguments)):
        if kind == "named":
            continue
        if kind == "variable":
            values.append(Value(argument.handle.ref, RESOURCE))
        elif number in fixed:
            values.append(fixed[number])
        elif draw.rng.random() < 0.35:  # the same in all iterations
            values.append(argument)
        else:
            values.append(like(draw, here, dtype, shape))
        if draw.rng.random() < 0.2:
            dtype = values[-1].dtype
            values[-1] = here.add("Identity", [values[-1]], [(dtype, shape)], T=type_of(dtype))[0]
    return values


def insert(draw, slots, supplied, *values):
    """Adds slots for values anywhere; returns where they are."""
    for value in values:
        where = draw.rng.randint(0, len(slots))
        slots.insert(where, ("value", value.dtype, value.shape))
        supplied.insert(where, value)
    return [position(supplied, value) for value in values]


def position(supplied, value):
    return next(number for number, one in enumerate(supplied) if one is value)


def draw_condition(draw, place, slots, supplied, counter, limit):
    with inside(draw, place, slots, supplied, times=5) as (condition, here):
        if draw.chance("test"):
            draw.block(here, draw.rng.randint(1, 2), pure=not draw.chance("test"))
        goes_on = here.add("Less", [here.arguments[counter], here.arguments[limit]], [("b", ())],
                           T=type_of("i"))[0]
        also = draw.pick(here, lambda value: (value.dtype, value.shape) == ("b", ()))
        if also is not None and also.ref != goes_on.ref and draw.chance("test"):
            goes_on = here.add("LogicalAnd", [goes_on, also], [("b", ())])[0]
        if draw.rng.random() < 0.15:  # a number will do
            goes_on = here.add("Cast", [goes_on], [("f", ())], SrcT=type_of("b"),
                               DstT=type_of("f"))[0]
        give(draw, here, condition, [goes_on])
    return condition


def functional_loop(draw, place, limit=None, offered=None, fixed=None, extra=None):
    """`extra` draws something in the body, where the argument `fixed` of those that are offered
    is the same in all iterations; it is told the counter and the arguments, and says what some of
    these become, by their numbers. Returns how often the loop has run, and what became of all."""
    if place.depth >= control.DEEPEST or not affordable(draw, place, 10):
        return None
    if limit is None:
        most = draw.constant(place, "i", [3])
        limit = place.add("Minimum", [draw.scalar(place, "i"), most], [("i", ())],
                          T=type_of("i"))[0]
    slots, supplied = offered or offer(draw, place, most=4)
    given = list(supplied)
    counter, last = insert(draw, slots, supplied, draw.constant(place, "i", [0]), limit)
    places = [position(supplied, one) for one in given]
    condition = draw_condition(draw, place, slots, supplied, counter, last)
    with inside(draw, place, slots, supplied, times=4) as (body, here):
        fill(draw, here)
        after = extra(here, here.arguments[counter], [here.arguments[number] for number in places]
                      ) if extra else {}
        following = here.add("Add", [here.arguments[counter], draw.constant(here, "i", [1])],
                             [("i", ())], T=type_of("i"))[0]
        same = [last] if fixed is None else [last, places[fixed]]
        kept = {number: here.arguments[number] for number in same}
        kept |= {places[number]: value for number, value in after.items()}
        give(draw, here, body, carried_on(draw, here, slots, {counter: following, **kept}))
    condition.single = body.single = True  # nobody else would count right
    cost = 5 * condition.cost + 4 * body.cost
    values = invoke(draw, place, "While", [], slots, supplied, results_of(slots), cost,
                    T=argument_types(slots), cond=function_text(condition.name),
                    body=function_text(body.name), output_shapes="list { }",
                    parallel_iterations=f"i: {draw.rng.choice([1, 2, 10, 10])}")
    numbers = iter(values)
    results = [None if kind == "named" else next(numbers) for kind, _, _ in slots]
    return results[counter], [results[number] for number in places]


def functional_count(draw, place):
    if place.depth >= control.DEEPEST or not affordable(draw, place, 4):
        return
    slots, supplied = offer(draw, place, most=4)
    inner = [("value", "i", ()), *slots]
    with inside(draw, place, inner, [None, *supplied], times=4) as (body, here):
        fill(draw, here)
        give(draw, here, body, carried_on(draw, here, inner, {})[1:])
    body.single = True
    start, limit, delta = draw.rng.choice([(0, 3, 1), (3, 0, -1), (1, 6, 2), (4, -1, -2), (2, 2, 0),
                                           (0, 4, 1), (5, 5, 3)])
    if draw.fails():
        delta = -delta
    start, limit, delta = (draw.constant(place, "i", [one]) for one in (start, limit, delta))
    if draw.rng.random() < 0.5:  # a number that nobody knows
        known = draw.constant(place, "i", [3])
        limit = place.add("Minimum", [known, draw.scalar(place, "i")], [("i", ())],
                          T=type_of("i"))[0]
        start, delta = draw.constant(place, "i", [-1]), draw.constant(place, "i", [1])
    invoke(draw, place, "For", [start, limit, delta], slots, supplied, results_of(slots),
           4 * body.cost, T=argument_types(slots), body=function_text(body.name))


# Branches of several ways

def ways(draw, place):
    if place.depth >= control.DEEPEST:
        return
    count, index = draw.rng.choice([1, 2, 3, 3, 4]), draw.scalar(place, "i")
    flags = place.add("_SwitchN", [draw.scalar(place, "b"), index], [("b", ())] * count,
                      T=type_of("b"), num_outs=f"i: {count}")
    sides = [Way(draw, place, index, side, count, flags[side]) for side in range(count)]
    for side in sides:
        draw.block(side, draw.rng.randint(0, 3))
    control.merge_some(draw, place, sides, 3)
    control.merge_orders(draw, place, sides)
