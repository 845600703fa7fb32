# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what has to happen in order: uses of arrays, stacks and variables."""

import arrays
import gradients
from graph import RESOURCE, Node, Value, dims, flag, text, type_of
from resources import ELEMENTS, Resource, element, handle, passed, usable

WEIGHTS = {"variable": 3, "reference": 3, "stack": 2, "gradient": 2}


# Stacks

def create_stack(draw, place, element=None):
    dtype, shape = element or draw.rng.choice(ELEMENTS)
    most = draw.constant(place, "i", [draw.rng.randint(0, 4) if draw.fails() else -1])
    made = place.add("StackV2", [most], [(RESOURCE, ())], elem_type=type_of(dtype),
                     stack_name=text(""))[0]
    stack = Resource("stack", made, place, dtype, shape)
    place.orders[stack] = draw.constant(place, "f", [0])
    draw.resources.append(stack)
    return stack


def push(draw, place, stack, value=None):
    order = place.order(stack)
    if order is None:
        return
    value = value or element(draw, place, stack)
    pushed = place.add("StackPushV2", [handle(place, stack), value], [(stack.dtype, stack.shape)],
                       after=[order.node], T=type_of(stack.dtype), swap_memory=flag(False))[0]
    place.values.append(pushed)
    stack.pushed[place] = stack.pushed.get(place, 0) + 1
    passed(place, stack, pushed.node)


def pop(draw, place, stack, sure=False):
    order, depth = place.order(stack), stack.pushed.get(place, 0)
    if order is None or not (sure or depth > 0 or draw.fails(0.3)):
        return None
    popped = place.add("StackPopV2", [handle(place, stack)], [(stack.dtype, stack.shape)],
                       after=[order.node], elem_type=type_of(stack.dtype))[0]
    place.values.append(popped)
    stack.pushed[place] = max(depth - 1, 0)
    passed(place, stack, popped.node)
    return popped


def close_stack(draw, place, stack):
    """Nothing can come later."""
    order = place.order(stack)
    if place is not stack.owner or order is None or draw.rng.random() < 0.5:
        return
    closing = place.add("StackCloseV2", [handle(place, stack)], after=[order.node])
    value = draw.pick(place)
    place.values += place.add("Identity", [value], [(value.dtype, value.shape)], after=[closing],
                              T=type_of(value.dtype))
    del place.orders[stack]


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
    variable = Resource(kind, Value(name, RESOURCE), place, dtype, shape, origin=attributes)
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
    if resource.kind in ("array", "gradient"):
        arrays.look_at_array(draw, place, resource)
    elif resource.kind == "stack":
        pop(draw, place, resource)
    else:
        read_variable(draw, place, resource)


def make(draw, place):
    return draw.rng.choice([arrays.create_array, arrays.unstack, arrays.split_up, arrays.filled,
                            create_stack])(draw, place)


def use(draw, place):
    """One more effect on something that is there, or a new thing."""
    usables = [resource for resource in draw.resources
               if resource.owner.is_around(place) and not resource.private
               and usable(place, resource) is not None]
    if draw.contains and (not usables or draw.rng.random() < 0.3):
        return make(draw, place)
    if not usables:
        return None
    resource = draw.rng.choices(usables, [WEIGHTS.get(one.kind, 1) for one in usables])[0]
    if resource.kind == "array":
        return gradients.use_array(draw, place, resource)
    if resource.kind == "gradient":
        return gradients.use_gradient(draw, place, resource)
    if resource.kind == "stack":
        return draw.rng.choice([push, push, pop, close_stack])(draw, place, resource)
    if draw.rng.random() < 0.5:
        return read_variable(draw, place, resource)
    return assign(draw, place, resource, ["", "Add", "Sub"])
