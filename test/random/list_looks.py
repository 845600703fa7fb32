# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws ops that make tensors of TensorLists, and any use of a list."""

import lists
from graph import LIST, flag, shape_of, type_of
from lists import described, kinds_of, reader_shape

SUMS = {"b": "All"}  # of the other types: Sum


def with_rows(draw, place, one):
    """A list of which an element can be read: it or one made of it."""
    if one.shape.rows > 0:
        return one
    if one.shape.nested:
        one = lists.push(draw, place, one)
        return one if one.shape.rows > 0 else None
    return lists.resize(draw, place, one, draw.rng.randint(1, 4))


def get(draw, place, one, index):
    return place.add("TensorListGetItem", [one, index, reader_shape(draw, place, one.shape)],
                     [(one.shape.dtype, one.shape.shape)], **kinds_of(one.shape))[0]


def get_item(draw, place, one):
    if draw.fails(0.3):
        place.values.append(get(draw, place, one, draw.scalar(place, "i")))
    elif (one := with_rows(draw, place, one)) and (one.shape.whole or not one.shape.nested):
        index = draw.constant(place, "i", [draw.rng.randrange(one.shape.rows)])
        place.values.append(get(draw, place, one, index))


def total(draw, place, rows, elements):
    """The sum of rows, however many there are; only it has a shape that is known here."""
    zero = draw.constant(place, "i", [0])
    kind = {} if elements.dtype == "b" else {"T": type_of(elements.dtype)}
    place.values += place.add(SUMS.get(elements.dtype, "Sum"), [rows, zero],
                              [(elements.dtype, elements.shape)], Tidx=type_of("i"),
                              keep_dims=flag(False), **kind)


def give_rows(draw, place, value, elements, count):
    """Makes the rows that were read known, or their sum."""
    if count > 0:
        place.values.append(value)
    else:
        total(draw, place, value, elements)


def stack(draw, place, one):
    elements = one.shape
    if elements.nested:
        return
    count = elements.rows if elements.rows > 0 and draw.rng.random() < 0.3 else -1
    if draw.fails(0.2):
        count = draw.rng.randint(0, 4)
    value = place.add("TensorListStack", [one, reader_shape(draw, place, elements)],
                      [(elements.dtype, (max(elements.rows, 0), *elements.shape))],
                      num_elements=f"i: {count}", **kinds_of(elements))[0]
    give_rows(draw, place, value, elements, elements.rows)


def gather(draw, place, one):
    elements = one.shape
    if elements.nested:
        return
    if elements.rows > 0 and draw.rng.random() < 0.7:
        count = draw.rng.randint(1, 3)
        indices = draw.constant(place, "i", [draw.rng.randrange(elements.rows)
                                             for _ in range(count)], (count,))
    else:
        count = -1
        indices = draw.range(place, length_of(place, one), 0)
    value = place.add("TensorListGather", [one, indices, reader_shape(draw, place, elements)],
                      [(elements.dtype, (max(count, 0), *elements.shape))],
                      **kinds_of(elements))[0]
    give_rows(draw, place, value, elements, count)


def concat(draw, place, one):
    """All elements one behind the other."""
    elements = one.shape
    if elements.nested or not (elements.shape or draw.fails(0.3)):
        return
    first, *rest = elements.shape or (1,)
    attributes, more, count = kinds_of(elements), [], max(elements.rows, 0)
    if draw.rng.random() < 0.5:
        op, attributes["element_shape"] = "TensorListConcat", shape_of(elements.shape)
    else:
        op, shape = "TensorListConcatV2", described(draw, place, elements, True, "il")
        leading = draw.constant(place, "l", [first] * count, (count,))
        more, attributes["shape_type"] = [shape, leading], type_of(shape.dtype)
    value, lengths = place.add(op, [one, *more], [(elements.dtype, (first * count, *rest)),
                                                  ("l", (count,))], **attributes)
    if count > 0:
        place.values += [value, lengths]
    else:
        total(draw, place, value, type(elements)(elements.dtype, tuple(rest)))


def ragged(draw, place, _):
    """Elements of different lengths, joined or read."""
    value = lists.rows_of(draw, place)
    rows, lengths = value.shape[0], []
    while rows > 0 and len(lengths) < 4:
        lengths.append(draw.rng.randint(0, rows))
        rows -= lengths[-1]
    lengths[-1] += rows
    sizes = draw.constant(place, "l", lengths, (len(lengths),))
    kind, rest = {"element_dtype": type_of(value.dtype)}, value.shape[1:]
    shape = (draw.constant(place, "i", [-1]) if draw.rng.random() < 0.5
             else draw.constant(place, "i", [-1, *rest], (1 + len(rest),)))
    one = place.add("TensorListSplit", [value, shape, sizes], [(LIST, None)],
                    shape_type=type_of("i"), **kind)[0]
    if draw.rng.random() < 0.5:
        number = draw.rng.randrange(len(lengths))
        place.values += place.add(
            "TensorListGetItem", [one, draw.constant(place, "i", [number]), shape],
            [(value.dtype, (lengths[number], *rest))], **kind)
    else:
        place.values += place.add("TensorListConcat", [one], [
            (value.dtype, value.shape), ("l", (len(lengths),))],
            element_shape=shape_of([-1, *rest]), **kind)


def length_of(place, one):
    return place.add("TensorListLength", [one], [("i", ())])[0]


def ask_length(draw, place, one):
    place.values.append(length_of(place, one))


def ask_shape(draw, place, one):
    """Of which only the lists that are told it make anything, unless they all know it."""
    elements, dtype = one.shape, draw.rng.choice("il")
    if elements.nested:
        return
    shape = place.add("TensorListElementShape", [one], [(dtype, (len(elements.shape),))],
                      shape_type=type_of(dtype))[0]
    if elements.declared:
        place.values.append(shape)
    number = lists.some_rows(draw, place)
    lists.made(place, "TensorListReserve", [shape, number], type(elements)(
        elements.dtype, elements.shape, declared=elements.declared), **kinds_of(elements, shape))


LOOKS = [(get_item, 2), (stack, 1.5), (gather, 1), (concat, 1.5), (ask_length, 0.7),
         (ask_shape, 0.7), (ragged, 0.5)]


def use(draw, place):
    """One more op on a list that is there, or a new list."""
    one = draw.pick_any(place, lambda value: value.dtype == LIST)
    if one is None or draw.rng.random() < 0.25:
        lists.make(draw, place)
        return
    ops, weights = zip(*lists.CHANGES, *LOOKS)
    draw.rng.choices(ops, weights)[0](draw, place, one)


def look_at(draw, place, one):
    """Makes a value of what has been done, so that it is not pruned."""
    draw.rng.choice([get_item, stack, stack, gather, ask_length])(draw, place, one)
