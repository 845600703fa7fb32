# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws functions that call themselves, or each other. All end: a counter says how often."""

import control
import functional
from functions import Drawn, affordable, call, fill, fresh, give, inside, like, offer, rounds
from graph import type_of
from library import Function

DEPTHS = {1: 5, 2: 3}  # by how often a function calls itself
STYLES = ["if", "if", "case", "primitives", "loop"]


def recursion(draw, place):
    style = draw.rng.choice(STYLES)
    times = 2 if style == "loop" else draw.rng.choice([1, 1, 2])
    depth = draw.rng.randint(1, DEPTHS[times])
    cost = 4 * (times ** (depth + 1) + depth)
    if place.depth >= control.DEEPEST - 1 or not affordable(draw, place, cost):
        return
    slots, supplied = offer(draw, place)
    (where,) = functional.insert(draw, slots, supplied, counter(draw, place, depth))
    results = functional.draw_results(draw, slots) or [("f", ())]
    group = [Drawn(Function(draw.new_name("again")), slots, results, cost, counts=True)
             for _ in range(draw.rng.choice([1, 1, 1, 2, 3]))]
    for number, drawn in enumerate(group):
        Step(draw, drawn, group[(number + 1) % len(group)], where, times).draw_body(
            place, supplied, style)
    call(draw, place, group[0], supplied)


def counter(draw, place, depth):
    """How often a function will call itself: not more than `depth` times."""
    if draw.rng.random() < 0.4:
        return draw.constant(place, "i", [draw.rng.randint(0, depth)])
    most = draw.constant(place, "i", [depth])
    return place.add("Minimum", [draw.scalar(place, "i"), most], [("i", ())], T=type_of("i"))[0]


class Step:
    """One function of a cycle; `following` is the next. It calls so many times."""

    def __init__(self, draw, drawn, following, where, times):
        self.draw, self.drawn, self.following = draw, drawn, following
        self.where, self.times = where, times

    def draw_body(self, place, supplied, style):
        draw, drawn, cost = self.draw, self.drawn, self.drawn.cost
        # What all activations cost is known, and paid for by the call from outside.
        before, draw.allowance = draw.allowance, 10 * rounds(place)
        with inside(draw, place, drawn.slots, supplied, drawn=drawn) as (_, here):
            fill(draw, here, most=2)
            values = {"if": self.by_if, "case": self.by_case, "loop": self.by_loop,
                      "primitives": self.by_primitives}[style](here)
            give(draw, here, drawn, [
                value if draw.rng.random() < 0.8 else like(draw, here, *alike)
                for value, alike in zip(values, drawn.results)])
        drawn.cost, draw.allowance = cost, before

    def again(self, place, arguments):
        """Calls from a place that sees such arguments; returns as many values as there are results."""
        draw, values = self.draw, []
        one = draw.constant(place, "i", [draw.rng.choice([1, 1, 1, 2])])
        fewer = place.add("Sub", [arguments[self.where], one], [("i", ())], T=type_of("i"))[0]
        for _ in range(self.times):
            supplied = [fewer if number == self.where else
                        like(draw, place, dtype, shape) if kind == "value" else given
                        for number, ((kind, dtype, shape), given)
                        in enumerate(zip(self.drawn.slots, arguments))]
            values = call(draw, place, self.following, supplied)
            draw.block(place, draw.rng.randint(0, 2))
        return [value if draw.rng.random() < 0.5 else like(draw, place, *alike)
                for value, alike in zip(values, self.drawn.results)]

    def side(self, here, goes_on):
        """A function that runs on one side of the decision."""
        draw, slots = self.draw, self.drawn.slots
        if not goes_on:
            return fresh(draw, here, slots, here.arguments, self.drawn.results)
        with inside(draw, here, slots, here.arguments) as (drawn, inner):
            fill(draw, inner, most=2)
            give(draw, inner, drawn, self.again(inner, inner.arguments))
        drawn.single = True
        return drawn

    def bounded(self, here, most=None):
        """The counter, at least 0."""
        value = here.arguments[self.where]
        for op, bound in (("Maximum", 0), ("Minimum", most)):
            if bound is not None:
                value = here.add(op, [value, self.draw.constant(here, "i", [bound])], [("i", ())],
                                 T=type_of("i"))[0]
        return value

    def positive(self, here):
        return here.add("Greater", [here.arguments[self.where],
                                    self.draw.constant(here, "i", [0])], [("b", ())],
                        T=type_of("i"))[0]

    def by_if(self, here):
        sides = [self.side(here, True), self.side(here, False)]
        as_number = self.draw.rng.random() < 0.2
        predicate = self.bounded(here) if as_number else self.positive(here)
        return functional.if_node(self.draw, here, predicate, sides, here.arguments, 1)

    def by_case(self, here):
        sides = [self.side(here, False), self.side(here, True)]
        sides += [sides[1]] * self.draw.rng.randint(0, 2)
        index = self.bounded(here, len(sides) - 1)
        return functional.case_node(self.draw, here, index, sides, here.arguments, 1)

    def by_primitives(self, here):
        """Nothing but what steers values decides whether there is one more call."""
        draw = self.draw
        stop, more = sides = control.open_branch(draw, here, self.positive(here))
        arguments = list(here.arguments)
        arguments[self.where] = more.bring(arguments[self.where], here)
        merged = [control.merge(draw, here, [like(draw, stop, value.dtype, value.shape), value])
                  for value in self.again(more, arguments)]
        control.merge_orders(draw, here, sides)
        return merged

    def by_loop(self, here):
        """A loop that runs as often as there may be calls."""
        def call_again(body, _, arguments):
            self.again(body, arguments)
            return {}
        slots, supplied = list(self.drawn.slots), list(here.arguments)
        # A call for each round, each of which is as deep as the counter says.
        rounds_left, self.times = self.bounded(here, self.times), 1
        functional.functional_loop(self.draw, here, rounds_left, (slots, supplied), self.where,
                                   call_again)
        return [like(self.draw, here, *alike) for alike in self.drawn.results]
