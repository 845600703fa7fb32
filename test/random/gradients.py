# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws gradient arrays, and any use of an array: also to ask for one."""

from arrays import (add_up, ask_size, close, finish_read, gather, get, join, order, put, reach,
                    read, split, write, write_two)
from graph import RESOURCE, text, type_of
from resources import Resource, handle, usable


def gradient(draw, place, array, source=None):
    """That of an array, which is read but not written from here on. It has an element for each
    that the array has, and what is read is gone."""
    if array.dtype == "b" or array.closed or array.kind != "array" or usable(place, array) is None:
        return None
    if not (array.exact or array.declared and place is array.owner) and not draw.fails():
        return None
    flow = usable(place, array)
    made, flow = place.add("TensorArrayGradV3", [handle(place, array), flow],
                           [(RESOURCE, ()), ("f", ())],
                           source=text(source or draw.new_name("gradients")))
    name = draw.nodes[-1].attributes["source"].split('"')[1]
    if not array.sealed:
        place.orders[array] = flow
        array.sealed = place is array.owner and not array.clears
    array.dynamic = array.dynamic and draw.fails()
    result = Resource("gradient", made, place, array.dtype, array.shape, array.size, clears=True,
                      declared=array.declared, exact=array.exact, lengths=array.lengths,
                      forward=array, source=name)
    if draw.rng.random() < 0.3:
        result.handle = None
    place.orders[result] = flow
    draw.resources.append(result)
    return result


def accumulate(draw, place, array, index=None):
    """Adds to an element of a gradient array that nobody has read."""
    left = [number for number in range(array.size) if number not in array.read]
    if array.lengths or usable(place, array) is None or not (left or draw.fails()):
        return
    if index is None and array.read and place is not array.owner:
        return
    index = index or draw.constant(place, "i", [draw.rng.choice(left or [0])])
    order(draw, place, array, [put(draw, place, array, index)])


def spread(draw, place, array):
    """Rows of a value to elements of a gradient array, to some more than once."""
    if array.read or usable(place, array) is None or not array.size:
        return
    if array.lengths:
        rows = (sum(array.lengths), *array.shape[1:])
        value = draw.pick(place, lambda value: (value.dtype, value.shape) == (array.dtype, rows))
        return split(draw, place, array, value or draw.constant(
            place, array.dtype, [draw.number(array.dtype)], rows))
    value = draw.pick(place, lambda value: value.dtype == array.dtype and value.shape
                      and value.shape[1:] == array.shape and 0 < value.shape[0] < 20)
    if value is None:
        value = draw.constant(place, array.dtype, [draw.number(array.dtype)], (2, *array.shape))
    rows = value.shape[0]
    chosen = draw.constant(place, "i", [draw.rng.randrange(array.size) for _ in range(rows)],
                           (rows,))
    order(draw, place, array, [place.add(
        "TensorArrayScatterV3", [reach(draw, place, array), chosen, value, usable(place, array)],
        [("f", ())], T=type_of(array.dtype))[0]])


def read_beyond(draw, place, array):
    """Behind the end of a gradient array there are zeros, and then it is longer."""
    if not array.declared or place is not array.owner or usable(place, array) is None:
        return
    index = draw.constant(place, "i", [array.size + draw.rng.randint(0, 2)])
    array.size, array.exact = 0, False  # from here on little is sure
    finish_read(draw, place, array, get(draw, place, array, index))


def use_gradient(draw, place, array):
    draw.rng.choice([accumulate, accumulate, accumulate, spread, read, read, gather, join, ask_size,
                     add_up] + [read_beyond] * (draw.rng.random() < 0.2))(draw, place, array)


def use_array(draw, place, array):
    if array.closed and not draw.fails():
        return
    draw.rng.choice([write, write, write, write_two, read, read, gather, ask_size, join, add_up,
                     close, gradient])(draw, place, array)
