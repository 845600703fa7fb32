# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws loops over lists, of primitives or of functions: each iteration reads and sets elements of
its own, or what one loop has pushed a later one pops, as gradients do."""

from dataclasses import replace

import functional
import list_looks
import lists
from control import DEEPEST, Loop
from functions import affordable
from graph import LIST, type_of
from kinds import Elements
from resources import ELEMENTS


def run(draw, place, limit, carried, captured, step):
    """A loop that runs `limit` times at most. `step` is given a place, the index, and the lists that
    are carried and captured; it returns what becomes of those that are carried. Returns how often
    the loop has run, and what it has made of these."""
    carried = [replace(one, shape=replace(one.shape, rows=-1)) for one in carried]
    if draw.calls and draw.rng.random() < 0.6 and affordable(draw, place, 20):
        return of_functions(draw, place, limit, carried, captured, step)
    loop = Loop(draw, place, limit, carried=[], more=carried)
    inside = [one.inside for one in loop.given]
    outer = [loop.body.bring(one, place) for one in captured]
    for variable, value in zip(loop.given, step(loop.body, loop.counter.inside, inside, outer)):
        variable.kept = value
    loop.close()
    return loop.counter.after, [one.after for one in loop.given]


def of_functions(draw, place, limit, carried, captured, step):
    offered = [*carried, *(replace(one) for one in captured)]
    slots = [("value", one.dtype, one.shape) for one in offered]

    def body(here, index, arguments):
        carried_in, outer = arguments[:len(carried)], arguments[len(carried):]
        after = step(here, index, carried_in, outer)
        return dict(enumerate([*after, *outer]))
    return functional.functional_loop(draw, place, limit, (slots, offered), extra=body)


def subtract(place, left, right):
    return place.add("Sub", [left, right], [("i", ())], T=type_of("i"))[0]


def source(draw, place):
    """A list with elements to read."""
    one = draw.pick_any(place, lambda value: value.dtype == LIST and not value.shape.nested
                        and 0 < value.shape.rows <= 8)
    if one is None or draw.rng.random() < 0.5:
        one = lists.from_tensor(draw, place, draw.pick(
            place, lambda value: value.shape and 0 < value.shape[0] <= 8))
    return one


def how_often(draw, place, rows, one):
    if draw.rng.random() < 0.3:
        return list_looks.length_of(place, one)
    limit = draw.constant(place, "i", [rows + draw.fails(0.3)])
    if draw.rng.random() < 0.3:
        return place.add("Minimum", [draw.scalar(place, "i"), limit], [("i", ())],
                         T=type_of("i"))[0]
    return limit


def map_loop(draw, place):
    """Reads the elements of one list, and sets those of others."""
    if place.depth >= DEEPEST:
        return
    one = source(draw, place)
    rows = one.shape.rows
    targets = [lists.reserve(draw, place, Elements(*draw.rng.choice(ELEMENTS), rows))
               for _ in range(draw.rng.randint(1, 2))]
    backwards = draw.rng.random() < 0.3

    def step(here, index, carried, captured):
        if backwards:
            index = subtract(here, draw.constant(here, "i", [rows - 1]), index)
        here.values.append(list_looks.get(draw, here, captured[0], index))
        draw.block(here, draw.rng.randint(0, 3))
        return [set_or_leave(draw, here, target, index) for target in carried]
    _, made = run(draw, place, how_often(draw, place, rows, one), targets, [one], step)
    for target in made:
        known = replace(target, shape=replace(target.shape, rows=rows))
        place.values.append(known)
        if draw.rng.random() < 0.8:
            list_looks.look_at(draw, place, known)


def set_or_leave(draw, here, target, index):
    if draw.rng.random() < 0.1:
        return target
    return lists.put(draw, here, target, index, lists.item(draw, here, target.shape))


def push_loops(draw, place):
    """What one loop pushes, a later one pops or reads from the end."""
    if place.depth >= DEEPEST:
        return
    begun = [lists.empty(draw, place) for _ in range(draw.rng.randint(1, 2))]
    most = draw.constant(place, "i", [3])
    limit = place.add("Minimum", [draw.scalar(place, "i"), most], [("i", ())], T=type_of("i"))[0]

    def forward(here, index, carried, captured):
        draw.block(here, draw.rng.randint(0, 2))
        return [lists.push(draw, here, one) for one in carried]
    count, pushed = run(draw, place, limit, begun, [], forward)
    draw.block(place, draw.rng.randint(0, 2))
    if draw.rng.random() < 0.3:
        pushed = pushed[:1]

    def pop_all(here, index, carried, captured):
        left = [lists.pop(draw, here, one, sure=True)[0] for one in carried]
        draw.block(here, draw.rng.randint(0, 2))
        return left

    def read_all(here, index, carried, captured):
        last = subtract(here, subtract(here, captured[-1], index), draw.constant(here, "i", [1]))
        for one in captured[:-1]:
            here.values.append(list_looks.get(draw, here, one, last))
        draw.block(here, draw.rng.randint(0, 2))
        return carried
    if draw.rng.random() < 0.7:
        run(draw, place, count, pushed, [], pop_all)
    else:
        run(draw, place, count, [], [*pushed, count], read_all)


def nested_loops(draw, place):
    """A loop that pushes a list each time, and one that reads each of these."""
    if place.depth >= DEEPEST:
        return
    inner = lists.draw_elements(draw, deep=False)
    inner = replace(inner, rows=draw.rng.choice([1, 3]), whole=draw.rng.random() < 0.5)
    outer = lists.empty(draw, place, Elements(LIST, inner))
    limit = draw.constant(place, "i", [draw.rng.randint(1, 3)])

    def forward(here, index, carried, captured):
        draw.block(here, draw.rng.randint(0, 2))
        return [lists.push(draw, here, carried[0])]

    def backward(here, index, carried, captured):
        left, one = lists.pop(draw, here, carried[0], sure=True)
        list_looks.look_at(draw, here, one)
        draw.block(here, draw.rng.randint(0, 2))
        return [left]
    count, made = run(draw, place, limit, [outer], [], forward)
    run(draw, place, count, made, [], backward)
