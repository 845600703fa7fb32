# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what has to happen in order: TensorArrays, stacks and variables."""

from dataclasses import dataclass, field

from graph import Node, Value, dims, flag, shape_of, text, type_of
from places import RESOURCE, Place


@dataclass(eq=False)
class Resource:
    kind: str  # array, stack, variable, reference
    handle: Value
    owner: Place
    dtype: str
    shape: tuple
    size: int = 0  # array: its first size
    dynamic: bool = False
    clears: bool = False
    declared: bool = True  # array: its element shape
    next: int = 0  # array: the first index that nobody has written yet
    sealed: bool = False  # array: nobody writes it any more, so that reads need no order
    pushed: dict = field(default_factory=dict)  # stack: place → how many may be popped there


WEIGHTS = {"variable": 3, "reference": 3, "stack": 2}
ELEMENTS = [("f", ()), ("f", (3,)), ("i", ()), ("d", (2,)), ("l", ()), ("b", ()), ("f", (2, 2))]


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


# TensorArrays

def new_array(draw, place, dtype, shape, size, elements, dynamic=False, clears=False,
              declared=True):
    """`size` is the value, `elements` the number that it will be at least."""
    described = shape_of(shape) if declared else "shape { unknown_rank: true }"
    array, flow = place.add("TensorArrayV3", [size], [(RESOURCE, ()), ("f", ())],
                            dtype=type_of(dtype), element_shape=described,
                            dynamic_size=flag(dynamic), clear_after_read=flag(clears),
                            identical_element_shapes=flag(draw.rng.random() < 0.5),
                            tensor_array_name=text("array"))
    resource = Resource("array", array, place, dtype, shape, elements, dynamic, clears, declared)
    place.orders[resource] = flow
    draw.resources.append(resource)
    return resource


def create_array(draw, place):
    dtype, shape = draw.rng.choice(ELEMENTS)
    elements = draw.rng.randint(1, 6)
    size = draw.constant(place, "i", [elements])
    if draw.fails():
        size, elements = draw.scalar(place, "i"), 0
    new_array(draw, place, dtype, shape, size, elements, dynamic=draw.rng.random() < 0.4,
              clears=draw.fails(0.5), declared=draw.rng.random() < 0.7)


def unstack(draw, place):
    """An array that holds the rows of a value."""
    value = draw.pick(place, lambda value: value.shape and 0 < value.shape[0] <= 16)
    if value is None:
        return None
    rows = value.shape[0]
    array = new_array(draw, place, value.dtype, value.shape[1:], draw.size_of(place, value), rows,
                      clears=draw.rng.random() < 0.3)
    indices = draw.range(place, draw.size_of(place, value), rows)
    place.orders[array] = place.add("TensorArrayScatterV3",
                                    [handle(place, array), indices, value, place.orders[array]],
                                    [("f", ())], T=type_of(value.dtype))[0]
    array.next, array.sealed = rows, not array.clears or draw.rng.random() < 0.5
    return array


def size_of_array(draw, place, array):
    return place.add("TensorArraySizeV3", [handle(place, array), usable(place, array)],
                     [("i", ())])[0]


def free_index(draw, place, array):
    """An index to write at; None if none is known to be free."""
    if draw.fails(0.3):
        return draw.scalar(place, "i")
    if array.dynamic and (place.kind == "body" or array.size == 0):
        return size_of_array(draw, place, array)
    if place is not array.owner and draw.in_loop(place, array.owner):
        return None
    if not array.dynamic and array.next >= array.size:
        return None
    array.next += 1
    return draw.constant(place, "i", [array.next - 1])


def write(draw, place, array, index=None):
    if array.sealed or usable(place, array) is None:
        return
    index = index or free_index(draw, place, array)
    if index is None:
        return
    value = element(draw, place, array)
    place.orders[array] = place.add("TensorArrayWriteV3",
                                    [handle(place, array), index, value, usable(place, array)],
                                    [("f", ())], T=type_of(array.dtype))[0]
    if array.dynamic and draw.rng.random() < 0.2:
        place.values.append(size_of_array(draw, place, array))


def finish_read(draw, place, array, results):
    """Reads are part of the order, unless the array is not written any more."""
    place.values += results
    if array.sealed:
        return
    if place is array.owner and draw.rng.random() < 0.5:
        array.sealed = True
    else:
        passed(place, array, results[0].node)


def read(draw, place, array, index=None):
    flow = usable(place, array)
    known = array.size if array.declared else min(array.next, array.size)
    safe = known > 0 and not array.clears and (array.declared or place is array.owner)
    if flow is None or not (index or safe or draw.fails()):
        return
    if index is None and draw.fails(0.3):
        index = draw.scalar(place, "i")
    index = index or draw.constant(place, "i", [draw.rng.randrange(max(known, 1))])
    results = place.add("TensorArrayReadV3", [handle(place, array), index, flow],
                        [(array.dtype, array.shape)], dtype=type_of(array.dtype))
    finish_read(draw, place, array, results)


def gather(draw, place, array):
    flow = usable(place, array)
    known = array.size if array.declared else 0
    if flow is None or not (known and not array.clears or draw.fails()):
        return
    count = draw.rng.randint(1, 3)
    chosen = [draw.rng.randrange(max(known, 1)) for _ in range(count)]
    indices = draw.constant(place, "i", chosen, (count,))
    results = place.add("TensorArrayGatherV3", [handle(place, array), indices, flow],
                        [(array.dtype, (count, *array.shape))], dtype=type_of(array.dtype),
                        element_shape=shape_of(array.shape))
    finish_read(draw, place, array, results)


def stack_up(draw, place, array, rows):
    """All rows of an array, which has exactly that many."""
    flow = usable(place, array)
    indices = draw.range(place, size_of_array(draw, place, array), rows)
    results = place.add("TensorArrayGatherV3", [handle(place, array), indices, flow],
                        [(array.dtype, (rows, *array.shape))], dtype=type_of(array.dtype),
                        element_shape=shape_of(array.shape))
    finish_read(draw, place, array, results)


def ask_size(draw, place, array):
    if usable(place, array) is not None:
        finish_read(draw, place, array, [size_of_array(draw, place, array)])


# Stacks

def create_stack(draw, place):
    dtype, shape = draw.rng.choice(ELEMENTS)
    most = draw.constant(place, "i", [-1])
    made = place.add("StackV2", [most], [(RESOURCE, ())], elem_type=type_of(dtype),
                     stack_name=text(""))[0]
    stack = Resource("stack", made, place, dtype, shape)
    place.orders[stack] = draw.constant(place, "f", [0])
    draw.resources.append(stack)
    return stack


def push(draw, place, stack):
    order = place.order(stack)
    if order is None:
        return
    value = element(draw, place, stack)
    pushed = place.add("StackPushV2", [handle(place, stack), value], [(stack.dtype, stack.shape)],
                       after=[order.node], T=type_of(stack.dtype), swap_memory=flag(False))[0]
    place.values.append(pushed)
    stack.pushed[place] = stack.pushed.get(place, 0) + 1
    passed(place, stack, pushed.node)


def pop(draw, place, stack, sure=False):
    order, depth = place.order(stack), stack.pushed.get(place, 0)
    if order is None or not (sure or depth > 0 or draw.fails(0.3)):
        return
    popped = place.add("StackPopV2", [handle(place, stack)], [(stack.dtype, stack.shape)],
                       after=[order.node], elem_type=type_of(stack.dtype))[0]
    place.values.append(popped)
    stack.pushed[place] = max(depth - 1, 0)
    passed(place, stack, popped.node)


# Variables

def create_variable(draw, place):
    """Made in the root, where it gets its first value in every call or in a call of its own."""
    dtype, shape = draw.rng.choice([("f", ()), ("f", (3,)), ("i", ()), ("d", ()), ("l", (2,))])
    name = draw.new_name("variable")
    kind = draw.rng.choice(["variable", "variable", "reference"])
    attributes = {"dtype": type_of(dtype), "shape": f"shape {{ {dims(shape)} }}",
                  "shared_name": text(name), "container": text("")}
    op = "VarHandleOp" if kind == "variable" else "VariableV2"
    draw.add(Node(name, op, [], attributes))
    variable = Resource(kind, Value(name, RESOURCE), place, dtype, shape)
    place.orders[variable] = draw.constant(place, "f", [0])
    draw.resources.append(variable)
    if draw.separate_start:
        value = draw.constant(place, dtype, [draw.number(dtype)], shape)
        op, key = (("AssignVariableOp", "dtype") if kind == "variable" else ("Assign", "T"))
        draw.starts.append(draw.add(Node(draw.new_name("start"), op, [name, value.ref],
                                         {key: type_of(dtype)})).name)
    else:
        assign(draw, place, variable)


def assign_node(place, variable, value, change, after):
    if variable.kind == "reference":
        return place.add(f"Assign{change}", [variable.handle, value],
                         [(variable.dtype, variable.shape)], after=after,
                         T=type_of(variable.dtype))[0].node
    return place.add(f"Assign{change}VariableOp", [handle(place, variable), value], after=after,
                     dtype=type_of(variable.dtype))


def assign(draw, place, variable, changes=("",)):
    order = reachable_order(place, variable)
    if order is not None:
        value = element(draw, place, variable)
        node = assign_node(place, variable, value, draw.rng.choice(changes), [order.node])
        passed(place, variable, node)


def read_variable(draw, place, variable):
    order = reachable_order(place, variable)
    if order is None:
        return
    op, dtype = (("ReadVariableOp", "dtype") if variable.kind == "variable" else ("Identity", "T"))
    results = place.add(op, [handle(place, variable)], [(variable.dtype, variable.shape)],
                        after=[order.node], **{dtype: type_of(variable.dtype)})
    place.values += results
    passed(place, variable, results[0].node)


def reachable_order(place, variable):
    # References do not travel: they are used where they were made.
    if variable.kind == "reference" and place is not variable.owner:
        return None
    return place.order(variable)


def look_at(draw, place, resource):
    """Makes a value of what has been done, so that it is not pruned."""
    if resource.kind == "array":
        draw.rng.choice([ask_size, read, gather])(draw, place, resource)
    elif resource.kind == "stack":
        pop(draw, place, resource)
    else:
        read_variable(draw, place, resource)


def use(draw, place):
    """One more effect on something that is there, or a new thing."""
    usables = [resource for resource in draw.resources
               if resource.owner.is_around(place) and usable(place, resource) is not None]
    if not usables or draw.rng.random() < 0.3:
        return draw.rng.choice([create_array, unstack, create_stack])(draw, place)
    resource = draw.rng.choices(usables, [WEIGHTS.get(one.kind, 1) for one in usables])[0]
    if resource.kind == "array":
        return draw.rng.choice([write, write, write, read, gather, ask_size])(draw, place, resource)
    if resource.kind == "stack":
        return draw.rng.choice([push, push, pop])(draw, place, resource)
    if draw.rng.random() < 0.5:
        return read_variable(draw, place, resource)
    return assign(draw, place, resource, ["", "Add", "Sub"])
