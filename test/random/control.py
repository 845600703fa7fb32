# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws branches and loops, as the primitives that TensorFlow makes of them."""

from dataclasses import dataclass

from graph import LIST, Node, Value, type_of
from kinds import vague
from places import Body, Branch, Test

DEEPEST = 4


def merge(draw, place, values):
    """One of the values, which are alive on different sides."""
    values = list(values)
    draw.rng.shuffle(values)
    merged = place.add("Merge", values, [(values[0].dtype, values[0].shape), ("i", ())],
                       N=f"i: {len(values)}", T=type_of(values[0].dtype))
    place.values += merged if draw.rng.random() < 0.2 else merged[:1]
    return merged[0]


def open_branch(draw, place, predicate=None):
    predicate = shown = predicate or draw.predicate(place)
    wider = [value for value in place.parent.values if (value.dtype, value.shape) == ("b", ())
             ] if place.kind == "branch" else []
    if wider and draw.chance("wider"):  # as it is known further out, where it is alive more often
        predicate = draw.rng.choice(wider)
        shown = place.bring(predicate, place.parent)
    switch = place.add("Switch", [shown, predicate], [("b", ())] * 2, T=type_of("b"))
    sides = [Branch(draw, place, predicate, side, switch[side]) for side in (0, 1)]
    for side in sides:
        draw.block(side, draw.rng.randint(0, 5))
    return sides


def merge_some(draw, place, sides, most):
    """Values that all sides have, merged."""
    for _ in range(draw.rng.randint(most > 1, most)):
        first = vague(draw, draw.pick_any(sides[0]))
        alike = [draw.pick_kind(side, first.dtype, first.shape) for side in sides[1:]]
        values = [first] + [value or draw.another(side, first.dtype, first.shape)
                            for value, side in zip(alike, sides[1:])]
        values = [gated(draw, side, value) for side, value in zip(sides, values)]
        merge(draw, place, meet(draw, place, values) if draw.chance("meet") else values)


def meet(draw, place, values):
    """One of the values comes from outside the branch, so that it meets those of all sides: it
    counts where the others are dead."""
    dtype, shape = values[0].dtype, values[0].shape
    outside = draw.pick_kind(place, dtype, shape)
    if dtype == LIST and outside is None:
        return values
    if dtype != LIST and (outside is None or draw.rng.random() < 0.3):  # a constant that folding finds
        number = draw.constant(place, "l", [draw.rng.randint(0, 3)], shape)
        outside = place.add("Cast", [number], [(dtype, shape)], SrcT=type_of("l"),
                            DstT=type_of(dtype))[0]
    values = list(values)
    values[draw.rng.randrange(len(values))] = place.grounded(outside)
    return values


def gated(draw, side, value):
    """Now and then with a node of its own, which more may wait for."""
    if draw.rng.random() < 0.6:
        return value
    return side.add("Identity", [value], [(value.dtype, value.shape)], T=type_of(value.dtype))[0]


def merge_orders(draw, place, sides):
    touched = {resource for side in sides for resource in side.orders
               if resource.owner is not side and resource.owner.is_around(place)}
    for resource in sorted(touched, key=draw.resources.index):
        merged = place.add("Merge", [side.order(resource) for side in sides],
                           [("f", ()), ("i", ())], N=f"i: {len(sides)}",
                           T=type_of("f"))
        place.orders[resource] = merged[0]
    for side in sides:
        side.closed = True


def branch(draw, place):
    if place.depth >= DEEPEST:
        return
    sides = open_branch(draw, place)
    if place.depth + 1 < DEEPEST and draw.rng.random() < 0.2:
        inner = open_branch(draw, sides[1])
        merge_some(draw, sides[1], inner, 1)
        merge_orders(draw, sides[1], inner)
        merge_some(draw, place, [sides[0], *inner], 2)  # one merge for both branches
    merge_some(draw, place, sides, 3)
    merge_orders(draw, place, sides)
    draw.branches.append(sides)
    if draw.chance("trigger"):
        waits = [f"^{draw.rng.choice(side.nodes)}" for side in sides]
        place.nodes.append(draw.add(Node(draw.new_name("trigger"), "ControlTrigger", waits)).name)


def gather_gradient(draw, place):
    """The gradient of a gather on one side of a branch. Its rows and their positions are those of
    either side, but how many rows there are is known on the one and is a constant outside."""
    size = draw.rng.randint(1, 5)
    source = (draw.pick(place, lambda value: value.dtype == "f" and value.shape == (size,))
              or draw.constant(place, "f", [draw.number("f") for _ in range(size)], (size,)))
    taken, other = sides = open_branch(draw, place)
    count = draw.rng.randint(1, 3)
    chosen = draw.constant(taken, "i", [draw.rng.randrange(size) for _ in range(count)], (count,))
    rows = taken.add("GatherV2",
                     [taken.bring(source, place), chosen, draw.constant(taken, "i", [0])],
                     [("f", (count,))], Tparams=type_of("f"), Tindices=type_of("i"),
                     Taxis=type_of("i"), batch_dims="i: 0")[0]
    shape = other.add("Shape", [other.bring(source, place)], [("i", (1,))], T=type_of("f"),
                      out_type=type_of("i"))[0]
    zeros = other.add("Fill", [shape, draw.constant(other, "f", [0.0])], [("f", (size,))],
                      T=type_of("f"), index_type=type_of("i"))[0]
    every = draw.range(other, draw.constant(other, "i", [size]), size)
    known = place.grounded(place.add("Cast", [draw.constant(place, "l", [size], (1,))],
                                     [("i", (1,))], SrcT=type_of("l"), DstT=type_of("i"))[0])
    # The two sides have different numbers of rows: no one else may use what is merged.
    merged = [place.add("Merge", pair, [(pair[0].dtype, pair[0].shape), ("i", ())], N="i: 2",
                        T=type_of(pair[0].dtype))[0]
              for pair in ((zeros, rows), (every, chosen), (shape, known))]
    zero = draw.constant(place, "i", [0])
    number = place.add("GatherV2", [merged[2], zero, zero], [("i", ())], Tparams=type_of("i"),
                       Tindices=type_of("i"), Taxis=type_of("i"), batch_dims="i: 0")[0]
    place.values += place.add("UnsortedSegmentSum", [*merged[:2], number], [("f", (size,))],
                              T=type_of("f"), Tindices=type_of("i"), Tnumsegments=type_of("i"))
    merge_orders(draw, place, sides)


def reopen(draw, place):
    """Something more on both sides of an earlier branch, which then has several merges."""
    earlier = [sides for sides in draw.branches if sides[0].parent is place]
    if earlier:
        sides = draw.rng.choice(earlier)
        draw.block(draw.rng.choice(sides), draw.rng.randint(1, 2))
        merge_some(draw, place, sides, 2)


@dataclass
class Variable:
    """Of a loop."""
    start: Value
    merged: Value = None
    following: str = ""  # the name of its NextIteration
    inside: Value = None
    after: Value = None
    kept: Value = None  # what it is in the next iteration, if that is no matter of chance


class Loop:
    """`i` counts from `start` in steps to `limit`; `carried` are resources used in the body, `more`
    are values with which further variables start."""

    def __init__(self, draw, place, limit, start=None, step=1, carried=None, more=()):
        self.draw, self.place, self.step = draw, place, step
        self.test = Test(draw, place, draw.new_name("frame"), draw.rng.choice([1, 2, 3, 10, 32]))
        start = start or draw.constant(place, limit.dtype, [0])
        self.limit = limit
        self.resources = carried if carried is not None else self.draw_resources()
        self.counter = self.variable(start)
        self.variables = [self.counter]
        for _ in range(draw.rng.randint(0, 3)):
            start = vague(draw, draw.pick_any(place))
            # What an outer loop captures enters in its last iteration as well. Ops on integers might
            # fail there, which regions need not.
            is_early = start.dtype == "f" and draw.rng.random() < 0.5
            self.variables.append(self.variable(start, is_early))
        self.given = [self.variable(value) for value in more]
        self.variables += self.given
        self.orders = {one: self.variable(place.order(one)) for one in self.resources}
        self.test.values = [variable.merged for variable in self.variables]
        self.test.orders = {resource: one.merged for resource, one in self.orders.items()}
        self.growing = self.variable(self.seed()) if draw.chance("growing") else None
        self.open_body()

    def draw_resources(self):
        draw, place = self.draw, self.place
        return [one for one in draw.resources
                if one.owner.is_around(place) and not one.sealed and one.kind != "reference"
                and (one.kind == "variable" or draw.chance("carry"))
                and place.order(one) is not None]

    def variable(self, start, is_early=False):
        draw, test = self.draw, self.test
        entered = test.enter(start if is_early else self.place.grounded(start), constant=False)
        following = draw.new_name("next")
        sources = [entered.ref, following]
        if draw.rng.random() < 0.1:
            sources.reverse()
        node = draw.add(Node(draw.new_name("Merge"), "Merge", sources + draw.draw_waits(test),
                             {"N": "i: 2", "T": type_of(start.dtype)}))
        test.pivot = test.pivot or node.name
        test.nodes.append(node.name)
        merged = draw.note(Value(node.name, start.dtype, start.shape), test.pivot)
        return Variable(start, merged, following)

    def half_dead(self):
        """A variable that enters on one side of a branch only, while the loop runs in any case.
        Nothing else in the loop sees it. Returns what has left the loop, and the other side."""
        draw, test = self.draw, self.test
        kind, value = {"T": type_of("f")}, draw.scalar(self.place, "f")
        sides = self.place.add("Switch", [value, draw.predicate(self.place)], [("f", ())] * 2,
                               **kind)
        draw.rng.shuffle(sides)

        def add(op, *sources, **attributes):
            name = draw.new_name(op)
            draw.add(Node(name, op, list(sources), {**kind, **attributes}))
            return name
        following = draw.new_name("next")
        merged = add("Merge", test.enter(sides[0], constant=False).ref, following, N="i: 2")
        switch = add("Switch", merged, self.decision.ref)
        draw.add(Node(following, "NextIteration", [add("Neg", f"{switch}:1")], kind))
        left = draw.note(Value(add("Exit", switch), "f"), self.place.pivot)
        return [left, sides[1]]

    def seed(self):
        """What a growing variable begins with."""
        return self.draw.constant(self.place, "f", [0.5], (2,))

    def predicate(self):
        draw, test = self.draw, self.test
        limit, counter = test.bring(self.limit, self.place), self.counter.merged
        goes_on = test.add("Less" if self.step > 0 else "Greater", [counter, limit], [("b", ())],
                           T=type_of(counter.dtype))[0]
        if draw.chance("test"):
            draw.block(test, draw.rng.randint(1, 3), pure=not draw.chance("test"))
            also = draw.pick(test, lambda value: value.dtype == "b" and value.shape == ())
            if also is not None:
                goes_on = test.add("LogicalAnd", [goes_on, also], [("b", ())])[0]
        return goes_on

    def open_body(self):
        draw, test = self.draw, self.test
        op = "Identity" if draw.chance("bare") else "LoopCond"
        kind = {"T": type_of("b")} if op == "Identity" else {}
        self.decision = test.add(op, [self.predicate()], [("b", ())], **kind)[0]
        self.body = Body(test, self.decision)
        for variable in self.variables:
            self.switch(variable, variable.merged)
            self.body.values.append(variable.inside)
        for resource, variable in self.orders.items():
            self.switch(variable, test.orders[resource])
            self.body.orders[resource] = variable.inside
        if self.growing:
            self.switch(self.growing, self.growing.merged)

    def switch(self, variable, value):
        draw, test, kind = self.draw, self.test, type_of(value.dtype)
        alike = (value.dtype, value.shape)
        sides = test.add("Switch", [value, self.decision], [alike] * 2, T=kind)
        variable.inside = self.body.add("Identity", [sides[1]], [alike], T=kind)[0]
        self.body.pivot = self.body.pivot or variable.inside.node
        waits = draw.draw_waits(test)
        left = draw.add(Node(draw.new_name("Exit"), "Exit", [sides[0].ref, *waits], {"T": kind}))
        variable.after = draw.note(Value(left.name, value.dtype, value.shape), self.place.pivot)

    def close(self):
        """Goes round, and gives the place its values after the loop."""
        draw, body, place = self.draw, self.body, self.place
        # What enters may not wait for what has left the same loop, so it is drawn before.
        half_dead = self.half_dead() if draw.chance("half") else None
        step = draw.constant(body, self.counter.merged.dtype, [self.step])
        self.go_round(self.counter, body.add("Add", [self.counter.inside, step], [(step.dtype, ())],
                                             T=type_of(step.dtype))[0])
        for variable in self.variables[1:]:
            following = variable.kept or draw.pick_kind(body, variable.start.dtype,
                                                        variable.start.shape)
            self.go_round(variable, following)
        for resource, variable in self.orders.items():
            self.go_round(variable, body.orders[resource])
            place.orders[resource] = variable.after
        if self.growing:
            self.grow()
        if half_dead:
            merge(draw, place, half_dead)
        place.values += [variable.after for variable in self.variables]
        place.nodes += [variable.after.node for variable in self.variables]
        return self

    def go_round(self, variable, value):
        source = self.body.grounded(value)
        self.draw.add(Node(variable.following, "NextIteration",
                           [source.ref, *self.draw.draw_waits(self.body)],
                           {"T": type_of(value.dtype)}))

    def grow(self):
        """A variable whose shape changes: only its sum has a shape that is known here."""
        draw, body = self.draw, self.body
        more = (draw.pick(body, lambda value: value.dtype == "f" and len(value.shape) == 1)
                or draw.constant(body, "f", [1.5], (1,)))
        longer = body.add("ConcatV2", [self.growing.inside, more, draw.constant(body, "i", [0])],
                          [("f", (1,))], N="i: 2", T=type_of("f"), Tidx=type_of("i"))[0]
        self.go_round(self.growing, longer)
        self.place.values += self.place.add(
            "Sum", [self.growing.after, draw.constant(self.place, "i", [0])], [("f", ())],
            T=type_of("f"), Tidx=type_of("i"), keep_dims="b: false")


def loop(draw, place):
    if place.depth >= DEEPEST:
        return
    most = 4 if place.depth < 2 else 2
    dtype, kind = draw.rng.choice("iiiilf"), draw.rng.random()
    if kind < 0.4:
        limit = draw.constant(place, dtype, [draw.rng.randint(0, most)])
    else:
        bound = draw.constant(place, dtype, [most])
        limit = place.add("Minimum", [draw.scalar(place, dtype), bound], [(dtype, ())],
                          T=type_of(dtype))[0]
    if kind > 0.9:
        made = Loop(draw, place, draw.constant(place, dtype, [0]), start=limit, step=-1)
    else:
        made = Loop(draw, place, limit)
    draw.block(made.body, draw.rng.randint(1, 7))
    made.close()
