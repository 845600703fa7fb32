# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws loops over arrays and stacks: each iteration has elements of its own, or what one loop has
pushed a later one pops, as gradients do."""

from dataclasses import dataclass

import arrays
import effects
import gradients
from control import DEEPEST, Loop, merge_orders, merge_some, open_branch
from graph import Value, type_of
from places import Place
from resources import ELEMENTS, Resource, usable


# Arrays

@dataclass
class Walk:
    """An array of which an iteration uses the element at `index`, which is a value of `place`."""
    array: Resource
    index: Value
    place: Place
    state: str = "empty"  # empty, perhaps, there, gone


def visit(draw, place, walk):
    """One more use of the element of this iteration."""
    array = walk.array
    if usable(place, array) is None:
        return
    index = place.bring(walk.index, walk.place)
    adds = array.kind == "gradient"
    if walk.state == "gone" and not draw.fails(0.2):
        return
    writes = walk.state == "empty" or adds and draw.rng.random() < 0.7
    if (writes or draw.fails(0.2)) and not array.sealed:
        flows = [arrays.put(draw, place, array, index)]
        arrays.order(draw, place, array, flows)
        walk.state = "there"
    elif walk.state == "there" or array.declared or draw.fails(0.2):
        results = arrays.get(draw, place, array, index)
        arrays.finish_read(draw, place, array, results)
        walk.state = "gone" if array.clears else walk.state


def visit_on_sides(draw, place, walks):
    """On one side of a branch or on both."""
    sides = open_branch(draw, place)
    before = [walk.state for walk in walks]
    after = []
    for side in sides:
        for walk, state in zip(walks, before):
            walk.state = state
            if draw.rng.random() < 0.7:
                visit(draw, side, walk)
        after.append([walk.state for walk in walks])
    for walk, *states in zip(walks, *after):
        if states[0] != states[1]:
            walk.state = "gone" if "gone" in states else "perhaps"
    merge_some(draw, place, sides, 2)
    merge_orders(draw, place, sides)
    draw.branches.append(sides)


def walk_through(draw, loop, walks):
    """The body of a loop."""
    body = loop.body
    for _ in range(draw.rng.randint(1, 3)):
        for walk in draw.some(walks, len(walks)):
            visit(draw, body, walk)
        if body.depth < DEEPEST and draw.rng.random() < 0.25:
            visit_on_sides(draw, body, walks)
        draw.block(body, draw.rng.randint(0, 2))
    for walk in walks:  # what is to be stacked up has to be there
        if walk.state == "empty" and (not walk.array.declared or draw.rng.random() < 0.8):
            visit(draw, body, walk)


def arithmetic(place, op, left, right):
    return place.add(op, [left, right], [("i", ())], T=type_of("i"))[0]


def target(draw, place, rows):
    """An array to be written in a loop; perhaps it grows there."""
    dtype, shape = draw.rng.choice(ELEMENTS)
    dynamic = draw.rng.random() < 0.4
    first = draw.rng.randint(0, rows) if dynamic else rows
    array = arrays.new_array(draw, place, dtype, shape, draw.constant(place, "i", [first]), rows,
                             dynamic, clears=draw.rng.random() < 0.3,
                             declared=draw.rng.random() < 0.5)
    array.next = rows
    return array


def sources(draw, place):
    """Arrays that are there, or are made now, all with as many elements or more."""
    there = [one for one in draw.resources
             if one.kind == "array" and one.owner is place and one.exact and not one.lengths
             and not one.read and one.size and not one.closed]
    found = draw.some(there, 2) if there and draw.rng.random() < 0.6 else []
    if not found and draw.rng.random() < 0.7:
        found = [arrays.unstack(draw, place) or arrays.filled(draw, place)]
    return found


def backwards(draw, place, rows):
    """The arguments of a loop that goes from the last element to the first."""
    return {"limit": draw.constant(place, "i", [0]), "start": draw.constant(place, "i", [rows]),
            "step": -1}


def run(draw, place, rows, carried):
    """A loop over so many elements, and the position in its body."""
    kept = [one for one in carried if not one.sealed]
    if draw.rng.random() < 0.7:
        made = Loop(draw, place, draw.constant(place, "i", [rows]), carried=kept)
        return made, made.counter.inside
    made = Loop(draw, place, carried=kept, **backwards(draw, place, rows))
    one = draw.constant(made.body, "i", [1])
    return made, arithmetic(made.body, "Sub", made.counter.inside, one)


def array_loop(draw, place):
    """Reads arrays in order, writes others in order, and stacks them up."""
    if place.depth >= DEEPEST:
        return
    taken = sources(draw, place)
    rows = min([one.size for one in taken], default=draw.rng.randint(1, 5))
    made_here = [target(draw, place, rows) for _ in range(draw.rng.randint(not taken, 2))]
    loop, index = run(draw, place, rows, taken + made_here)
    walks = ([Walk(one, index, loop.body, "there") for one in taken]
             + [Walk(one, index, loop.body) for one in made_here])
    walk_through(draw, loop, walks)
    loop.close()
    finish(draw, place, walks, rows)


def use_all(draw, place, array):
    kind = draw.rng.choice([arrays.stack_up, arrays.stack_up, arrays.join, arrays.add_up])
    kind(draw, place, array)


def finish(draw, place, walks, rows):
    """Uses what the loop has made."""
    for walk in walks:
        array = walk.array
        if array.clears and walk.state != "there":
            array.read.update(range(rows))
        if array.kind == "array" and walk.state == "there":
            array.exact = True
        if array.read:
            continue
        if array.exact and draw.rng.random() < 0.7:
            if array.size == rows:
                use_all(draw, place, array)
        elif array.exact or array.declared:
            draw.rng.choice([arrays.add_up, arrays.ask_size, arrays.read])(draw, place, array)


def nested_loop(draw, place):
    """An array whose elements are used in a loop in a loop, and one for each inner loop."""
    if place.depth + 1 >= DEEPEST:
        return
    rows, columns = draw.rng.randint(1, 3), draw.rng.randint(1, 3)
    whole = (arrays.filled(draw, place, rows * columns) if draw.rng.random() < 0.5
             else target(draw, place, rows * columns))
    outer_one = target(draw, place, rows)
    outer, i = run(draw, place, rows, [whole, outer_one])
    outer_walk = Walk(outer_one, i, outer.body)
    if draw.rng.random() < 0.5:
        visit(draw, outer.body, outer_walk)
    inner_one = (arrays.filled(draw, outer.body, columns) if draw.rng.random() < 0.5
                 else target(draw, outer.body, columns))
    inner, j = run(draw, outer.body, columns, [whole, outer_one, inner_one])
    first = arithmetic(inner.body, "Mul", inner.body.bring(i, outer.body),
                       draw.constant(inner.body, "i", [columns]))
    at = arithmetic(inner.body, "Add", first, j)
    walks = [Walk(one, at if one is whole else j, inner.body, "there" if one.exact else "empty")
             for one in (whole, inner_one)]
    walk_through(draw, inner, walks)
    if outer_walk.state == "there" and not outer_one.clears:
        visit(draw, inner.body, Walk(outer_one, i, outer.body, "there"))
    inner.close()
    finish(draw, outer.body, walks[1:], columns)
    walk_through(draw, outer, [outer_walk])
    outer.close()
    finish(draw, place, [outer_walk, walks[0]], rows)


def gradient_loop(draw, place):
    """The elements of an array, and what is added to its gradients' in a loop or two."""
    if place.depth >= DEEPEST:
        return
    kinds = [one for one in ELEMENTS if one[0] != "b"]
    there = [one for one in draw.resources if one.kind == "array" and one.owner is place
             and one.exact and not one.lengths and one.dtype != "b" and not one.closed and one.size]
    array = (draw.rng.choice(there) if there and draw.rng.random() < 0.6
             else arrays.filled(draw, place, dtype_and_shape=draw.rng.choice(kinds)))
    names = draw.rng.sample(["gradients", "gradients_1"], draw.rng.randint(1, 2))
    made = [one for one in draw.resources if one.forward is array and one.owner is place
            and not one.read]
    made += [gradients.gradient(draw, place, array, name) for name in names
             if all(one.forward is not array or one.source != name for one in draw.resources)]
    made = [one for one in made if one]
    if not made:
        return
    for one in made:
        if draw.rng.random() < 0.3:
            gradients.spread(draw, place, one)
    for _ in range(draw.rng.randint(1, 2)):
        loop, index = run(draw, place, array.size, made + [array])
        walk_through(draw, loop, [Walk(one, index, loop.body) for one in made]
                     + [Walk(array, index, loop.body, "gone" if array.read else "there")])
        if draw.rng.random() < 0.3:
            for one in made:
                gradients.accumulate(draw, loop.body, one)
        loop.close()
    for one in made:
        use_all(draw, place, one)


# Stacks

class Record:
    """What one part of a program pushes and a later one pops, in the opposite order."""

    def __init__(self, draw, place, levels):
        self.draw = draw
        kinds = ["value", "value", "branch", "loop"] if levels else ["value"]
        self.steps = []
        for _ in range(draw.rng.randint(1, 2)):
            kind = draw.rng.choice(kinds)
            dtype = {"value": None, "branch": ("b", ()), "loop": ("i", ())}[kind]
            parts = {"value": 0, "branch": 2, "loop": 1}[kind]
            stack = effects.create_stack(draw, place, dtype)
            stack.private = True
            self.steps.append((kind, stack,
                               [Record(draw, place, levels - 1) for _ in range(parts)]))

    def stacks(self):
        found = []
        for _, stack, inner in self.steps:
            found += [stack] + [one for record in inner for one in record.stacks()]
        return found

    def forward(self, place):
        draw = self.draw
        for kind, stack, inner in self.steps:
            if kind == "value":
                effects.push(draw, place, stack)
            elif kind == "branch":
                predicate = draw.predicate(place)
                effects.push(draw, place, stack, predicate)
                self.on_sides(place, predicate, [record.forward for record in inner])
            else:
                most = draw.constant(place, "i", [3])
                limit = arithmetic(place, "Minimum", draw.scalar(place, "i"), most)
                loop = Loop(draw, place, limit, carried=inner[0].stacks())
                inner[0].forward(loop.body)
                draw.block(loop.body, draw.rng.randint(0, 2))
                loop.close()
                effects.push(draw, place, stack, loop.counter.after)

    def backward(self, place):
        draw = self.draw
        for kind, stack, inner in reversed(self.steps):
            popped = effects.pop(draw, place, stack, sure=True)
            if kind == "branch":
                self.on_sides(place, popped, [record.backward for record in inner])
            elif kind == "loop":
                loop = Loop(draw, place, draw.constant(place, "i", [0]), start=popped, step=-1,
                            carried=inner[0].stacks())
                inner[0].backward(loop.body)
                draw.block(loop.body, draw.rng.randint(0, 2))
                loop.close()

    def on_sides(self, place, predicate, steps):
        draw = self.draw
        sides = open_branch(draw, place, predicate)
        for side, step in zip(sides, steps):
            step(side)
        merge_some(draw, place, sides, 1)
        merge_orders(draw, place, sides)
        draw.branches.append(sides)


def stack_loops(draw, place):
    """What one loop pushes, a later one pops."""
    if place.depth >= DEEPEST:
        return
    record = Record(draw, place, min(DEEPEST - place.depth, draw.rng.randint(0, 2)))
    record.forward(place)
    draw.block(place, draw.rng.randint(0, 2))
    record.backward(place)


def bare_stack_loops(draw, place):
    """A loop that pushes, and one that pops as often."""
    if place.depth >= DEEPEST:
        return
    stack = effects.create_stack(draw, place)
    limit = arithmetic(place, "Minimum", draw.scalar(place, "i"), draw.constant(place, "i", [3]))
    forward = Loop(draw, place, limit, carried=[stack])
    draw.block(forward.body, draw.rng.randint(0, 3))
    effects.push(draw, forward.body, stack)
    forward.close()
    backward = Loop(draw, place, draw.constant(place, "i", [0]), start=forward.counter.after,
                    step=-1, carried=[stack])
    effects.pop(draw, backward.body, stack, sure=True)
    draw.block(backward.body, draw.rng.randint(0, 3))
    backward.close()
