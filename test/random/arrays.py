# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws ops on TensorArrays, of which gradient arrays are some.

Writes to different elements may happen in any order: then the sum of their flows is the order.
"""

from graph import RESOURCE, dims, flag, shape_of, text, type_of
from resources import ELEMENTS, Resource, element, handle, passed, usable

SUMS = {"b": "All"}  # of the other types: Sum


def new_array(draw, place, dtype, shape, size, elements, dynamic=False, clears=False,
              declared=True, identical=None):
    """`size` is the value, `elements` the number that it will be at least."""
    described = shape_of(shape) if declared else "shape { unknown_rank: true }"
    if not declared and draw.rng.random() < 0.5:
        described = f"shape {{ {dims([-1] * len(shape))} }}"
    if identical is None:
        identical = draw.rng.random() < 0.5
    array, flow = place.add("TensorArrayV3", [size], [(RESOURCE, ()), ("f", ())],
                            dtype=type_of(dtype), element_shape=described,
                            dynamic_size=flag(dynamic), clear_after_read=flag(clears),
                            identical_element_shapes=flag(identical),
                            tensor_array_name=text("array"))
    resource = Resource("array", array, place, dtype, tuple(shape), elements, dynamic, clears,
                        declared)
    place.orders[resource] = flow
    draw.resources.append(resource)
    return resource


def create_array(draw, place):
    dtype, shape = draw.rng.choice(ELEMENTS)
    elements = draw.rng.randint(1, 6)
    size = draw.constant(place, "i", [elements])
    if draw.fails():  # not above 7: memory is no matter of these programs
        size, elements = draw.scalar(place, "i"), 0
        size = place.add("Minimum", [size, draw.constant(place, "i", [7])], [("i", ())],
                         T=type_of("i"))[0]
    return new_array(draw, place, dtype, shape, size, elements, dynamic=draw.rng.random() < 0.4,
                     clears=draw.rng.random() < 0.4, declared=draw.rng.random() < 0.7)


def unstack(draw, place):
    """An array that holds the rows of a value."""
    value = draw.pick(place, lambda value: value.shape and 0 < value.shape[0] <= 16)
    if value is None:
        return None
    rows = value.shape[0]
    array = new_array(draw, place, value.dtype, value.shape[1:], draw.size_of(place, value), rows,
                      clears=draw.rng.random() < 0.3, declared=draw.rng.random() < 0.7)
    indices = draw.range(place, draw.size_of(place, value), rows)
    place.orders[array] = place.add("TensorArrayScatterV3",
                                    [handle(place, array), indices, value, place.orders[array]],
                                    [("f", ())], T=type_of(value.dtype))[0]
    array.next, array.sealed = rows, not array.clears or draw.rng.random() < 0.5
    array.exact = True
    return array


def filled(draw, place, size=None, dtype_and_shape=None, clears=None):
    """An array all of whose elements are written, in some order or none."""
    dtype, shape = dtype_and_shape or draw.rng.choice(ELEMENTS)
    size = size or draw.rng.randint(1, 4)
    dynamic = draw.rng.random() < 0.3
    first = draw.rng.randint(0, size) if dynamic else size
    array = new_array(draw, place, dtype, shape, draw.constant(place, "i", [first]), size, dynamic,
                      clears=draw.rng.random() < 0.4 if clears is None else clears,
                      declared=draw.rng.random() < 0.5)
    numbers = draw.rng.sample(range(size), size)
    while numbers:
        count = draw.rng.randint(1, min(2, len(numbers)))
        order(draw, place, array, [put(draw, place, array, draw.constant(place, "i", [number]))
                                   for number in numbers[:count]])
        numbers = numbers[count:]
    array.next, array.exact = size, True
    return array


def split_up(draw, place):
    """An array whose elements are parts of a value, of different lengths."""
    value = draw.pick(place, lambda value: value.shape and 1 < value.shape[0] <= 35)
    if value is None:
        return None
    rows, lengths = value.shape[0], []
    while rows > 0 and len(lengths) < 5:
        lengths.append(draw.rng.randint(0, rows))
        rows -= lengths[-1]
    lengths[-1] += rows
    size = draw.constant(place, "i", [len(lengths)])
    array = new_array(draw, place, value.dtype, value.shape, size, len(lengths), declared=False,
                      clears=draw.rng.random() < 0.3, identical=False)
    array.lengths, array.exact, array.next = tuple(lengths), True, len(lengths)
    split(draw, place, array, value)
    array.sealed = not array.clears or draw.rng.random() < 0.5
    return array


def split(draw, place, array, value):
    lengths = draw.constant(place, "l", list(array.lengths), (len(array.lengths),))
    order(draw, place, array, [place.add(
        "TensorArraySplitV3", [reach(draw, place, array), value, lengths, usable(place, array)],
        [("f", ())], T=type_of(array.dtype))[0]])


def reach(draw, place, array):
    """The handle; that of a gradient array may be asked for again, as part of the order."""
    if array.kind == "array" or array.handle and draw.rng.random() < 0.6:
        return handle(place, array)
    given, flow = place.add("TensorArrayGradV3",
                            [handle(place, array.forward), usable(place, array)],
                            [(RESOURCE, ()), ("f", ())], source=text(array.source))
    place.orders[array] = flow
    return given


def order(draw, place, array, flows):
    """The flows of writes, of which none waits for another, become the order: as they are, or as
    gradients of TensorFlow do it, in a sum with the flow before."""
    flows = list(flows)
    if draw.rng.random() < 0.4:
        flows.append(place.order(array))
    draw.rng.shuffle(flows)
    if len(flows) == 1:
        place.orders[array] = flows[0]
    elif len(flows) > 2 or draw.rng.random() < 0.4:
        place.orders[array] = place.add("AddN", flows, [("f", ())], N=f"i: {len(flows)}",
                                        T=type_of("f"))[0]
    else:
        place.orders[array] = place.add(draw.rng.choice(["Add", "AddV2"]), flows, [("f", ())],
                                        T=type_of("f"))[0]


def size_of_array(draw, place, array):
    return place.add("TensorArraySizeV3", [reach(draw, place, array), usable(place, array)],
                     [("i", ())])[0]


def free_index(draw, place, array):
    """An index to write at; None if none is known to be free."""
    if draw.fails(0.3):  # not far behind the end: it may grow
        return place.add("Minimum", [draw.scalar(place, "i"), draw.constant(place, "i", [40])],
                         [("i", ())], T=type_of("i"))[0]
    if array.dynamic and (place.kind == "body" or array.size == 0):
        return size_of_array(draw, place, array)
    if place is not array.owner and draw.in_loop(place, array.owner):
        return None
    while array.next in array.read:  # what was read is not written any more
        array.next += 1
    if not array.dynamic and array.next >= array.size:
        return None
    array.next += 1
    return draw.constant(place, "i", [array.next - 1])


def put(draw, place, array, index, value=None):
    """The flow of one more write."""
    target = reach(draw, place, array)
    value = value or element(draw, place, array)
    return place.add("TensorArrayWriteV3", [target, index, value, usable(place, array)],
                     [("f", ())], T=type_of(array.dtype))[0]


def write(draw, place, array, index=None):
    if array.sealed or array.lengths or usable(place, array) is None:
        return
    index = index or free_index(draw, place, array)
    if index is None:
        return
    order(draw, place, array, [put(draw, place, array, index)])
    if array.dynamic and draw.rng.random() < 0.2:
        passed_on = size_of_array(draw, place, array)
        place.values.append(passed_on)
        passed(place, array, passed_on.node)


def finish_read(draw, place, array, results, node=None):
    """Reads are part of the order, unless the array is not written any more."""
    place.values += results
    if array.sealed:
        return
    if (place is array.owner and array.kind == "array" and not array.clears
            and draw.rng.random() < 0.5):
        array.sealed = True
    else:
        passed(place, array, node or results[0].node)


def may_read(draw, place, array, index):
    """Whether an element that nobody has taken away is surely there."""
    if draw.fails(0.3):
        return True
    if array.clears and (index in array.read or place is not array.owner):
        return False
    if array.declared or array.exact:
        return index < array.size
    return place is array.owner and index < min(array.next, array.size)


def get(draw, place, array, index, shape=None):
    results = place.add("TensorArrayReadV3",
                        [reach(draw, place, array), index, usable(place, array)],
                        [(array.dtype, array.shape if shape is None else shape)],
                        dtype=type_of(array.dtype))
    return results


def read(draw, place, array, index=None):
    if usable(place, array) is None:
        return
    shape = array.shape
    if index is None and draw.fails(0.3) and not array.lengths:
        index = draw.scalar(place, "i")
    elif index is None:
        number = draw.rng.randrange(max(array.size, 1))
        if not may_read(draw, place, array, number):
            return
        array.read.add(number)
        index = draw.constant(place, "i", [number])
        if array.lengths:
            shape = (array.lengths[number], *array.shape[1:])
    finish_read(draw, place, array, get(draw, place, array, index, shape))


def gather(draw, place, array):
    if usable(place, array) is None or array.lengths:
        return
    count = draw.rng.randint(1, 3)
    if array.clears:
        count = min(count, max(array.size, 1))
        chosen = draw.rng.sample(range(max(array.size, 1)), count)
    else:
        chosen = [draw.rng.randrange(max(array.size, 1)) for _ in range(count)]
    if not all(may_read(draw, place, array, index) for index in chosen):
        return
    array.read.update(chosen)
    take(draw, place, array, draw.constant(place, "i", chosen, (count,)), count)


def take(draw, place, array, indices, count):
    """Gathers."""
    asked = draw.rng.random() < 0.8 or count == 0  # without elements, the shape has to be known
    shape = shape_of(array.shape) if asked else "shape { unknown_rank: true }"
    results = place.add("TensorArrayGatherV3",
                        [reach(draw, place, array), indices, usable(place, array)],
                        [(array.dtype, (count, *array.shape))], dtype=type_of(array.dtype),
                        element_shape=shape)
    finish_read(draw, place, array, results)


def stack_up(draw, place, array):
    """All rows."""
    gone = array.clears and array.read and not draw.fails()
    if usable(place, array) is None or gone or array.lengths or not array.exact:
        return
    rows = array.size
    array.read.update(range(rows))
    take(draw, place, array, draw.range(place, size_of_array(draw, place, array), rows), rows)


def join(draw, place, array):
    """All elements one behind the other."""
    fits = array.exact and (array.shape or draw.fails())
    gone = array.clears and array.read and not draw.fails()
    if usable(place, array) is None or not fits or gone or not array.size:
        return
    rows = sum(array.lengths) if array.lengths else array.size * (array.shape or (1,))[0]
    array.read.update(range(array.size))
    rest = array.shape[1:]
    shape = shape_of(rest) if draw.rng.random() < 0.5 else "shape { unknown_rank: true }"
    value, lengths = place.add("TensorArrayConcatV3",
                               [reach(draw, place, array), usable(place, array)],
                               [(array.dtype, (rows, *rest)), ("l", (array.size,))],
                               dtype=type_of(array.dtype), element_shape_except0=shape)
    finish_read(draw, place, array, [value, lengths])


def add_up(draw, place, array):
    """All elements, however many there are: only their sum has a known shape."""
    gone = array.clears and array.read and not draw.fails()
    if usable(place, array) is None or gone or array.lengths or not (array.declared or array.exact):
        return
    array.read.update(range(100))
    zero, step = draw.constant(place, "i", [0]), draw.constant(place, "i", [1])
    indices = place.add("Range", [zero, size_of_array(draw, place, array), step], [("i", (0,))],
                        Tidx=type_of("i"))[0]
    rows = place.add("TensorArrayGatherV3", [reach(draw, place, array), indices,
                                             usable(place, array)],
                     [(array.dtype, (0, *array.shape))], dtype=type_of(array.dtype),
                     element_shape=shape_of(array.shape))[0]
    op = SUMS.get(array.dtype, "Sum")
    kind = {} if array.dtype == "b" else {"T": type_of(array.dtype)}
    total = place.add(op, [rows, zero], [(array.dtype, array.shape)], Tidx=type_of("i"),
                      keep_dims=flag(False), **kind)
    finish_read(draw, place, array, total, rows.node)


def ask_size(draw, place, array):
    if usable(place, array) is not None:
        finish_read(draw, place, array, [size_of_array(draw, place, array)])


def write_two(draw, place, array):
    """Neither waits for the other."""
    if array.sealed or array.lengths or array.dynamic or usable(place, array) is None:
        return
    indices = [free_index(draw, place, array) for _ in range(2)]
    if None not in indices:
        order(draw, place, array, [put(draw, place, array, index) for index in indices])


def close(draw, place, array):
    """Nothing may come later but what is to fail. What is sealed may be read at any time."""
    if place is not array.owner or array.sealed or array.kind != "array" or array.closed:
        return
    if any(one.forward is array for one in draw.resources):
        return
    closing = place.add("TensorArrayCloseV3", [handle(place, array)],
                        after=[place.order(array).node])
    array.closed = True
    passed(place, array, closing)
    value = draw.pick(place)
    place.values += place.add("Identity", [value], [(value.dtype, value.shape)], after=[closing],
                              T=type_of(value.dtype))


def look_at_array(draw, place, array):
    """Makes a value of what has been done, so that it is not pruned."""
    if not array.closed:
        draw.rng.choice([ask_size, read, gather, join, add_up])(draw, place, array)
