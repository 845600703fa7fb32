# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is used in order, arrays, stacks and variables, and how each use hangs on that order."""

from dataclasses import dataclass, field

from graph import Value, type_of
from places import Place


@dataclass(eq=False)
class Resource:
    kind: str  # array, gradient, stack, variable, reference
    handle: Value  # of a gradient: None where each that uses it asks for it
    owner: Place
    dtype: str
    shape: tuple
    size: int = 0  # array: how many elements it has at least
    dynamic: bool = False
    clears: bool = False
    declared: bool = True  # array: its element shape
    next: int = 0  # array: the first index that nobody has written yet
    sealed: bool = False  # array: nobody writes it any more, so that reads need no order
    read: set = field(default_factory=set)  # array that clears: the indices that are gone
    exact: bool = False  # array: `size` is its size, and all elements are written
    lengths: tuple = ()  # array: the first dims of its elements, if they differ
    closed: bool = False
    forward: object = None  # gradient: of which array
    source: str = ""  # gradient
    private: bool = False  # stack: what is pushed on it is popped by the same pair of loops
    origin: dict = field(default_factory=dict)  # variable: attributes of the node that names it
    pushed: dict = field(default_factory=dict)  # stack: place → how many may be popped there


ELEMENTS = [("f", ()), ("f", (3,)), ("i", ()), ("d", (2,)), ("l", ()), ("b", ()), ("f", (2, 2)),
            ("f", (16,)), ("i", (3,)), ("d", ()), ("f", (1,))]


def handle(place, resource):
    return place.bring(resource.handle, resource.owner)


def usable(place, resource):
    """What an effect on a resource waits for; None if there can be none here."""
    if resource.sealed:
        return place.bring(resource.owner.orders[resource], resource.owner)
    return place.order(resource)


def passed(place, resource, node):
    """An effect has become part of the order."""
    order = place.order(resource)
    place.orders[resource] = place.add("Identity", [order], [(order.dtype, ())], after=[node],
                                       T=type_of(order.dtype))[0]


def element(draw, place, resource):
    value = draw.pick(place, lambda value: (value.dtype, value.shape)
                      == (resource.dtype, resource.shape))
    return value or draw.constant(place, resource.dtype, [draw.number(resource.dtype)],
                                  resource.shape)
