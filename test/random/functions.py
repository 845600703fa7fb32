# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws functions and calls of them.

A function sees nothing of its caller but its arguments: values, and handles of variables, whose
effects the caller keeps in order with what it does itself. Few functions name a variable by
themselves; such a function has one caller, which knows about that.
"""

import contextlib
from dataclasses import dataclass, field

import effects
from graph import LIST, RESOURCE, Node, Value, text, types_of
from kinds import vague
from library import Function
from places import Inside
from resources import Resource, handle, passed

MOST = 150  # calls that one node may lead to
ROUNDS = 4  # of a loop, about


@dataclass(eq=False)
class Drawn:
    """A function as its callers see it."""
    function: Function
    slots: list  # (kind, dtype, shape) of arguments; kind: value, variable, or named, which is none
    results: list = field(default_factory=list)  # (dtype, shape)
    cost: int = 1  # calls that a call leads to, itself included
    single: bool = False  # not for other callers
    counts: bool = False  # calls itself as often as its first argument says

    @property
    def name(self):
        return self.function.name


def rounds(place):
    """How often a place may be run when its function is."""
    times = 1
    while place is not None:
        times *= ROUNDS if place.kind == "test" else 1
        place = place.parent
    return times


def affordable(draw, place, cost):
    return cost * rounds(place) <= draw.allowance


# Bodies

@contextlib.contextmanager
def inside(draw, place, slots, supplied, times=1, drawn=None):
    """What is drawn now becomes part of a function, which runs so many times when the place that
    calls it does. Gives the function and its place."""
    drawn = drawn or Drawn(Function(draw.new_name("function")), slots)
    outer = draw.nodes, draw.allowance, draw.cost
    draw.allowance //= times * rounds(place)
    draw.nodes, draw.cost = drawn.function.nodes, 1
    draw.open.append(drawn)
    here = Inside(draw, place.depth + 1)
    for (kind, dtype, shape), given in zip(slots, supplied):
        enter(draw, here, drawn, kind, (dtype, shape), given)
    if all(one.dtype == LIST for one in here.values):  # something must be there to begin with
        here.values.append(draw.constant(here, "f", [draw.number("f")]))
    yield drawn, here
    drawn.cost = max(drawn.cost, draw.cost)
    draw.open.pop()
    draw.nodes, draw.allowance, draw.cost = outer
    draw.resources = [one for one in draw.resources if not here.is_around(one.owner)]


def enter(draw, here, drawn, kind, alike, given):
    name = draw.new_name("argument")
    if kind == "value":
        drawn.function.arguments.append((name, alike[0]))
        here.values.append(draw.note(Value(name, *alike), ""))
        here.arguments.append(here.values[-1])
        return
    if kind == "variable":
        drawn.function.arguments.append((name, RESOURCE))
    else:
        draw.add(Node(name, "VarHandleOp", [], dict(given.origin)))
        for one in draw.open:
            one.single = True
    variable = Resource("variable", Value(name, RESOURCE), here, *alike, origin=given.origin)
    here.orders[variable] = draw.constant(here, "f", [0])
    here.arguments.append(variable)
    draw.resources.append(variable)


def give(draw, here, drawn, values):
    """Ends a function."""
    function = drawn.function
    for value in values:
        function.results.append((draw.new_name("result"), value.dtype, value.ref))
        draw.used.add(value.ref)
    drawn.results = [(value.dtype, value.shape) for value in values]
    last = [here.orders[one].node for one in here.arguments if isinstance(one, Resource)]
    function.waits = [node for node in dict.fromkeys(last + here.reports)
                      if draw.rng.random() < 0.8]
    draw.functions.append(drawn)


def like(draw, place, dtype, shape):
    return draw.pick_kind(place, dtype, shape) or draw.another(place, dtype, shape)


def fill(draw, here, most=5):
    """The usual contents of a function."""
    draw.block(here, draw.rng.randint(0, most))
    for one in here.arguments:
        if isinstance(one, Resource) and draw.rng.random() < 0.6:
            effects.assign(draw, here, one, ["", "Add", "Sub"])


def fresh(draw, place, slots, supplied, results=None):
    with inside(draw, place, slots, supplied) as (drawn, here):
        fill(draw, here)
        if results is None:
            least = 0 if any(kind != "value" for kind, _, _ in slots) else 1
            values = [draw.pick_any(here) for _ in range(draw.rng.randint(least, 3))]
        else:
            values = [like(draw, here, *alike) for alike in results]
        give(draw, here, drawn, values)
    return drawn


def choose(draw, place, slots, supplied, results):
    """A function with such arguments and results, rather a new one."""
    old = [one for one in draw.functions
           if (one.slots, one.results) == (slots, results) and not (one.single or one.counts)
           and affordable(draw, place, one.cost)]
    if old and draw.rng.random() < 0.4:
        return draw.rng.choice(old)
    return fresh(draw, place, slots, supplied, results)


# Arguments

def variables(draw, place):
    """Those that a place can hand on."""
    return [one for one in draw.resources
            if one.kind == "variable" and one.owner.is_around(place) and not one.sealed
            and place.order(one) is not None]


def offer(draw, place, most=3):
    """(slots, what is supplied for them), as a function may get them here."""
    offered = []
    for _ in range(draw.rng.randint(0, most)):
        if (value := vague(draw, draw.pick_any(place))) is not None:
            offered.append((("value", value.dtype, value.shape), value))
    for one in variables(draw, place):
        if draw.rng.random() < 0.7:
            kind = "named" if draw.rng.random() < 0.1 else "variable"
            offered.append(((kind, one.dtype, one.shape), one))
    draw.rng.shuffle(offered)
    return [slot for slot, _ in offered], [given for _, given in offered]


def supply(draw, place, slots):
    """What a function that is there already gets here; None if variables are missing."""
    left, supplied = variables(draw, place), []
    for kind, dtype, shape in slots:
        if kind == "value":
            supplied.append(like(draw, place, dtype, shape))
            continue
        fitting = [one for one in left if (one.dtype, one.shape) == (dtype, shape)]
        if not fitting:
            return None
        supplied.append(draw.rng.choice(fitting))
        left.remove(supplied[-1])
    return supplied


# Nodes

def function_text(name, attributes=""):
    return f'func {{ name: "{name}"{attributes} }}'


def argument_types(slots):
    return types_of([RESOURCE if kind == "variable" else dtype
                     for kind, dtype, _ in slots if kind != "named"])


def invoke(draw, place, op, before, slots, supplied, results, cost, **attributes):
    """Adds a node that calls; `before` are inputs that no function sees. Returns its values."""
    draw.cost += cost * rounds(place)
    orders = [place.order(one).node for one in supplied if isinstance(one, Resource)]
    inputs = [handle(place, one) if isinstance(one, Resource) else one
              for (kind, _, _), one in zip(slots, supplied) if kind != "named"]
    made = place.add(op, [*before, *inputs], results, after=list(dict.fromkeys(orders)),
                     **attributes)
    node = made if isinstance(made, str) else made[0].node
    for one in supplied:
        if isinstance(one, Resource):
            passed(place, one, node)
    values = [] if isinstance(made, str) else made
    place.values += [value for value in values if value.dtype != RESOURCE]
    return values


def call(draw, place, drawn, supplied):
    """By a node of its name, or by one that calls what its attribute says."""
    arguments = (drawn.slots, supplied, drawn.results, drawn.cost)
    if draw.rng.random() < 0.4:
        return invoke(draw, place, drawn.name, [], *arguments)
    return invoke(draw, place, "StatefulPartitionedCall", [], *arguments,
                  f=function_text(drawn.name), Tin=argument_types(drawn.slots),
                  Tout=types_of([dtype for dtype, _ in drawn.results]),
                  config_proto=text(""), executor_type=text(""))


def plain_call(draw, place):
    old = [one for one in draw.functions
           if not (one.single or one.counts) and affordable(draw, place, one.cost)]
    if old and draw.rng.random() < 0.5:
        drawn = draw.rng.choice(old)
        supplied = supply(draw, place, drawn.slots)
        if supplied is None:
            return
    else:
        slots, supplied = offer(draw, place)
        drawn = fresh(draw, place, slots, supplied)
    if affordable(draw, place, drawn.cost):
        call(draw, place, drawn, supplied)
