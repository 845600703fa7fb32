# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws ops that make TensorLists and change them. A list is a value: what changes it gives another
one, and both may be used."""

from dataclasses import replace

from graph import LIST, flag, type_of
from kinds import Elements, stands_for
from resources import ELEMENTS

LONGEST = 7


def draw_elements(draw, deep=True):
    """What a new list will hold."""
    dtype, shape = draw.rng.choice(ELEMENTS)
    inner = Elements(dtype, shape, rows=draw.rng.choice([-1, 2]), whole=draw.rng.random() < 0.5)
    nested = deep and draw.rng.random() < 0.12
    return Elements(LIST, inner) if nested else Elements(dtype, shape)


def described(draw, place, elements, full, dtypes="i"):
    """What an op is told of the shape of elements: all of it, or less."""
    dtype, shape = draw.rng.choice(dtypes), elements.shape
    if elements.nested:
        shape, full = (), draw.rng.random() < 0.5
    if full and shape and draw.rng.random() < 0.2:
        like = draw.pick(place, lambda value: value.shape == shape)
        if like is not None:
            return place.add("Shape", [like], [(dtype, (len(shape),))], T=type_of(like.dtype),
                             out_type=type_of(dtype))[0]
    if not full and (not shape or draw.rng.random() < 0.5):
        return draw.constant(place, dtype, [-1])
    sizes = [size if full or draw.rng.random() < 0.5 else -1 for size in shape]
    return draw.constant(place, dtype, sizes, (len(shape),))


def made(place, op, inputs, elements, **attributes):
    """The list that an op gives as its first result."""
    value = place.add(op, inputs, [(LIST, elements)], **attributes)[0]
    place.values.append(value)
    return value


def kinds_of(elements, shape=None):
    """Attributes."""
    kinds = {"element_dtype": type_of(elements.dtype)}
    return kinds | ({"shape_type": type_of(shape.dtype)} if shape else {})


# Making

def empty(draw, place, elements=None):
    elements = elements or draw_elements(draw)
    full = elements.declared or not elements.nested and draw.rng.random() < 0.6
    shape = described(draw, place, elements, full, "il")
    most = draw.constant(place, "i", [draw.rng.randint(0, 3) if draw.fails(0.5) else -1])
    return made(place, "EmptyTensorList", [shape, most],
                replace(elements, rows=0, declared=full, whole=True), **kinds_of(elements, shape))


def reserve(draw, place, elements=None):
    elements = elements or draw_elements(draw, deep=False)
    full = elements.declared or draw.rng.random() < 0.6
    rows = elements.rows if elements.rows >= 0 else draw.rng.randint(0, 5)
    number = draw.constant(place, "i", [rows])
    if elements.rows < 0 and draw.rng.random() < 0.3:  # one that nobody knows
        number, rows = some_rows(draw, place), -1
    shape = described(draw, place, elements, full, "il")
    return made(place, "TensorListReserve", [shape, number],
                replace(elements, rows=rows, declared=full, whole=rows == 0),
                **kinds_of(elements, shape))


def some_rows(draw, place):
    """A number of elements that is hardly ever below 0."""
    value = place.add("Minimum", [draw.scalar(place, "i"), draw.constant(place, "i", [LONGEST])],
                      [("i", ())], T=type_of("i"))[0]
    if draw.fails(0.5):
        return value
    return place.add("Maximum", [value, draw.constant(place, "i", [0])], [("i", ())],
                     T=type_of("i"))[0]


def of_rows(draw, place, op, value, more, elements):
    """A list of a tensor's rows; `more` are inputs behind the shape."""
    full = elements.declared or draw.rng.random() < 0.6
    shape = described(draw, place, elements, full, "il")
    if op == "TensorListFromTensor" or op == "TensorListSplit":
        inputs = [value, shape, *more]
    else:
        inputs = [value, more[0], shape, *more[1:]]
    return made(place, op, inputs, replace(elements, declared=full), **kinds_of(elements, shape))


def rows_of(draw, place):
    """A tensor with some rows."""
    return (draw.pick(place, lambda value: value.shape and 0 < value.shape[0] <= 16)
            or draw.constant(place, "f", [draw.number("f")], (3,)))


def from_tensor(draw, place, value=None):
    value = value or rows_of(draw, place)
    elements = Elements(value.dtype, value.shape[1:], value.shape[0], whole=True)
    return of_rows(draw, place, "TensorListFromTensor", value, [], elements)


def scatter(draw, place):
    value = rows_of(draw, place)
    count = value.shape[0]
    chosen = [draw.rng.randint(0, LONGEST) for _ in range(count)]
    indices = draw.constant(place, "i", chosen, (count,))
    if draw.rng.random() < 0.5:
        rows = max(chosen) + 1
        elements = Elements(value.dtype, value.shape[1:], rows, whole=len(set(chosen)) == rows)
        return of_rows(draw, place, "TensorListScatter", value, [indices], elements)
    exact = draw.rng.random() < 0.5
    rows = max(chosen) + 1 + (draw.rng.randint(-1 if draw.fails() else 0, 2) if exact else 0)
    elements = Elements(value.dtype, value.shape[1:], rows, whole=len(set(chosen)) == rows)
    number = draw.constant(place, "i", [rows if exact else -1])
    return of_rows(draw, place, "TensorListScatterV2", value, [indices, number], elements)


def split(draw, place):
    """Into parts of one length."""
    value = rows_of(draw, place)
    count = value.shape[0]
    rows = draw.rng.choice([size for size in range(1, count + 1) if count % size == 0])
    lengths = draw.constant(place, "l", [count // rows] * rows, (rows,))
    elements = Elements(value.dtype, (count // rows, *value.shape[1:]), rows, whole=True)
    return of_rows(draw, place, "TensorListSplit", value, [lengths], elements)


MAKERS = [(empty, 2), (reserve, 2), (from_tensor, 2), (scatter, 2), (split, 1)]


def make(draw, place):
    makers, weights = zip(*MAKERS)
    return draw.rng.choices(makers, weights)[0](draw, place)


def another(draw, place, elements):
    """A new list of which so much is true."""
    if not elements.whole or elements.rows == 0:
        maker = empty if elements.nested or elements.whole else reserve
        one = maker(draw, place, elements)
    elif elements.nested or draw.rng.random() < 0.5:
        one = empty(draw, place, elements)
        for _ in range(elements.rows):
            one = push(draw, place, one)
    else:
        rows = elements.rows if elements.rows > 0 else 2
        one = of_rows(draw, place, "TensorListFromTensor", draw.constant(
            place, elements.dtype, [draw.number(elements.dtype)], (rows, *elements.shape)), [],
            replace(elements, rows=rows))
    assert stands_for(one, LIST, elements), (one, elements)
    return one


# Changing

def item(draw, place, elements):
    """Something that may be an element."""
    return (draw.pick_kind(place, elements.dtype, elements.shape)
            or draw.another(place, elements.dtype, elements.shape))


def push(draw, place, one):
    elements, value = one.shape, item(draw, place, one.shape)
    rows = elements.rows + 1 if elements.rows >= 0 else -1
    return made(place, "TensorListPushBack", [one, value], replace(elements, rows=rows),
                **kinds_of(elements))


def pop(draw, place, one, sure=False):
    """(list, element)"""
    elements = one.shape
    if not sure and elements.rows <= 0 and not draw.fails(0.3):
        one = push(draw, place, one)
        elements = one.shape
    rows = elements.rows - 1 if elements.rows > 0 else -1
    given = place.add("TensorListPopBack", [one, reader_shape(draw, place, elements)],
                      [(LIST, replace(elements, rows=rows)), (elements.dtype, elements.shape)],
                      **kinds_of(elements))
    place.values += given
    return given


def reader_shape(draw, place, elements):
    """What a reader has to say, or more. A list that knows it all needs to be told nothing."""
    silent = elements.declared or elements.whole and elements.rows > 0
    return described(draw, place, elements, not (silent or draw.fails(0.3))
                     or draw.rng.random() < 0.5)


def put(draw, place, one, index, value, grows=False):
    return made(place, "TensorListSetItem", [one, index, value],
                replace(one.shape, rows=-1, whole=False) if grows else one.shape,
                resize_if_index_out_of_bounds=flag(grows), **kinds_of(one.shape))


def set_item(draw, place, one):
    elements = one.shape
    grows = not elements.nested and (elements.rows <= 0 or draw.rng.random() < 0.2)
    if draw.fails(0.3):
        index = draw.scalar(place, "i")
    elif grows:
        index = some_rows(draw, place)
    elif elements.rows > 0:
        index = draw.constant(place, "i", [draw.rng.randrange(elements.rows)])
    else:
        return None
    return put(draw, place, one, index, item(draw, place, elements), grows)


def resize(draw, place, one, rows=None):
    elements = one.shape
    if elements.nested:  # nothing reads what nobody has set
        rows = draw.rng.randint(0, max(elements.rows, 0))
    elif rows is None and draw.rng.random() < 0.3:
        return made(place, "TensorListResize", [one, some_rows(draw, place)],
                    replace(elements, rows=-1, whole=False))
    rows = draw.rng.randint(0, 5) if rows is None else rows
    whole = elements.whole and rows <= elements.rows or rows == 0
    return made(place, "TensorListResize", [one, draw.constant(place, "i", [rows])],
                replace(elements, rows=rows, whole=whole))


def scatter_into(draw, place, one):
    elements = one.shape
    if elements.nested:
        return
    count = draw.rng.randint(1, 3)
    value = (draw.pick_kind(place, elements.dtype, (count, *elements.shape))
             or draw.another(place, elements.dtype, (count, *elements.shape)))
    chosen = [draw.rng.randint(0, max(elements.rows, 3)) for _ in range(count)]
    rows = max(elements.rows, max(chosen) + 1) if elements.rows >= 0 else -1
    made(place, "TensorListScatterIntoExistingList",
         [one, value, draw.constant(place, "i", chosen, (count,))],
         replace(elements, rows=rows, whole=elements.whole and rows == elements.rows),
         **kinds_of(elements))


def append(draw, place, one):
    """Both have to say the same of their elements."""
    elements = one.shape
    other = draw.pick_any(place, lambda value: stands_for(value, LIST, replace(
        elements, rows=-1, whole=False)) and (elements.declared or value.ref == one.ref))
    if other is None or max(elements.rows, other.shape.rows) > LONGEST:
        return
    known = min(elements.rows, other.shape.rows) >= 0
    made(place, "TensorListConcatLists", [one, other],
         replace(elements, rows=elements.rows + other.shape.rows if known else -1,
                 whole=elements.whole and other.shape.whole), **kinds_of(elements))


def add_up(draw, place, one):
    """What gradients do with two lists."""
    elements = one.shape
    others = [value for value in (draw.pick_any(place, lambda value: stands_for(
        value, LIST, replace(elements, declared=False, whole=False))) for _ in range(2))
        if value is not None and (elements.rows >= 0 or value.ref == one.ref)]
    if elements.nested or elements.dtype == "b" or not others:
        return
    made(place, "AddN", [one, *others], replace(
        elements, whole=elements.whole or any(value.shape.whole for value in others),
        declared=elements.declared or any(value.shape.declared for value in others)),
        N=f"i: {1 + len(others)}", T=type_of(LIST))


def forward(draw, place, one):
    op = draw.rng.choice(["Identity", "Identity", "StopGradient", "ZerosLike"])
    if not (op == "ZerosLike" and one.shape.nested):
        made(place, op, [one], one.shape, T=type_of(LIST))


CHANGES = [(push, 2), (pop, 2), (set_item, 2), (resize, 1), (scatter_into, 1), (append, 1),
           (add_up, 1), (forward, 1)]
