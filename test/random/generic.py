# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws functions whose types are attributes. They take values of one shape, whatever it is."""

from functions import function_text
from graph import Node, text, type_of, types_of
from library import Function

ONE = ["Neg", "Square", "Abs", "Sign", "Identity", "ZerosLike", "OnesLike"]
TWO = ["Add", "Sub", "Mul", "Maximum", "Minimum", "AddV2", "SquaredDifference"]
HERE = 'placeholder: "T"'  # the type, in the function


def generic(draw):
    """A new function of a type T; its results are of this type, and the last one may be a bool."""
    function = Function(draw.new_name("generic"))
    # With a default, callers that mean it need not say it.
    function.attributes["T"] = draw.rng.choice(["", "", type_of("f"), type_of("i")])
    refs = []
    for _ in range(draw.rng.randint(1, 3)):
        refs.append(draw.new_name("argument"))
        function.arguments.append((refs[-1], "T"))
    for _ in range(draw.rng.randint(1, 5)):
        refs.append(inner_call(draw, function, refs) if draw.generics and draw.rng.random() < 0.2
                    else inner_op(draw, function, refs))
    for ref in draw.rng.sample(refs, min(len(refs), draw.rng.randint(1, 2))):
        function.results.append((draw.new_name("result"), "T", ref))
    if draw.rng.random() < 0.3:
        less = add(draw, function, "Less", [draw.rng.choice(refs) for _ in range(2)], T=HERE)
        function.results.append((draw.new_name("result"), "b", less))
    draw.generics.append(function)
    return function


def add(draw, function, op, inputs, **attributes):
    function.nodes.append(Node(draw.new_name(op), op, inputs, attributes))
    return function.nodes[-1].name


def inner_op(draw, function, refs):
    kind = draw.rng.random()
    if kind < 0.4:
        return add(draw, function, draw.rng.choice(ONE), [draw.rng.choice(refs)], T=HERE)
    left, right = (draw.rng.choice(refs) for _ in range(2))
    if kind < 0.8:
        return add(draw, function, draw.rng.choice(TWO), [left, right], T=HERE)
    less = add(draw, function, "Less", [left, right], T=HERE)
    return add(draw, function, "SelectV2", [less, right, left], T=HERE)


def inner_call(draw, function, refs):
    """Of another such function, by its name, with the same type."""
    callee = draw.rng.choice(draw.generics)
    return add(draw, function, callee.name, [draw.rng.choice(refs) for _ in callee.arguments],
               T=HERE)


def generic_call(draw, place):
    first = draw.pick(place, lambda value: value.dtype in "fdil")
    if first is None:
        return
    old = draw.generics and draw.rng.random() < 0.6
    function = draw.rng.choice(draw.generics) if old else generic(draw)
    dtype, shape = first.dtype, first.shape
    given = [first] + [draw.pick(place, lambda value: (value.dtype, value.shape) == (dtype, shape))
                       for _ in function.arguments[1:]]
    results = [(dtype if kind == "T" else kind, shape) for _, kind, _ in function.results]
    silent = function.attributes["T"] == type_of(dtype) and draw.rng.random() < 0.7
    if draw.rng.random() < 0.5:
        place.values += place.add(function.name, given, results,
                                  **({} if silent else {"T": type_of(dtype)}))
        return
    told = "" if silent else f' attr {{ key: "T" value {{ {type_of(dtype)} }} }}'
    place.values += place.add("PartitionedCall", given, results,
                              f=function_text(function.name, told),
                              Tin=types_of([dtype] * len(given)),
                              Tout=types_of([kind for kind, _ in results]),
                              config_proto=text(""), executor_type=text(""))
