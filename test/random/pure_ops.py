# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws ops without effects. Each function adds one op to a place, or nothing if no value fits."""

import math

from graph import flag, type_of

NUMBERS, FLOATS, INTS = "fdil", "fd", "il"
LARGEST = 1500  # elements of a tensor


def pair(draw, place, dtypes):
    """Two values of one dtype whose shapes broadcast."""
    left = draw.pick(place, lambda value: value.dtype in dtypes)
    if left is None:
        return None
    right = draw.pick(place, lambda value: value.dtype == left.dtype
                      and (value.shape in (left.shape, ()) or left.shape == ()))
    return left, right, left.shape or right.shape


def arithmetic(draw, place):
    if not (operands := pair(draw, place, NUMBERS)):
        return
    left, right, shape = operands
    ops = ["Add", "Sub", "Mul", "Maximum", "Minimum", "AddV2", "SquaredDifference"]
    if left.dtype in FLOATS:
        ops += ["RealDiv", "DivNoNan", "FloorDiv", "Pow"]
    elif draw.fails():  # by zero
        ops = ["FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod"]
    place.values += place.add(draw.rng.choice(ops), [left, right], [(left.dtype, shape)],
                              T=type_of(left.dtype))


def unary(draw, place):
    value = draw.pick(place, lambda value: value.dtype in NUMBERS)
    if value is None:
        return
    ops = ["Neg", "Square", "Abs", "Sign", "Identity", "StopGradient"]
    if value.dtype in FLOATS:
        ops += ["Tanh", "Sigmoid", "Exp", "Floor", "Relu", "Sqrt", "Log", "Rsqrt", "Softplus",
                "Elu", "Ceil", "Expm1", "Log1p", "Sin", "Round"]
    place.values += place.add(draw.rng.choice(ops), [value], [(value.dtype, value.shape)],
                              T=type_of(value.dtype))


def cast(draw, place):
    value = draw.pick(place)
    dtype = draw.rng.choice("fdilb")
    place.values += place.add("Cast", [value], [(dtype, value.shape)], SrcT=type_of(value.dtype),
                              DstT=type_of(dtype))


def compare(draw, place):
    if operands := pair(draw, place, NUMBERS):
        left, right, shape = operands
        op = draw.rng.choice(["Less", "Greater", "LessEqual", "GreaterEqual", "Equal", "NotEqual"])
        place.values += place.add(op, [left, right], [("b", shape)], T=type_of(left.dtype))


def logic(draw, place):
    if operands := pair(draw, place, "b"):
        left, right, shape = operands
        op = draw.rng.choice(["LogicalAnd", "LogicalOr", "LogicalNot"])
        if op == "LogicalNot":
            place.values += place.add(op, [left], [("b", left.shape)])
        else:
            place.values += place.add(op, [left, right], [("b", shape)])


def select(draw, place):
    predicate = draw.pick(place, lambda value: value.dtype == "b")
    if predicate is None:
        return
    left = draw.pick(place, lambda value: predicate.shape in ((), value.shape))
    if left is None:
        return
    right = draw.pick(place, lambda value: (value.dtype, value.shape) == (left.dtype, left.shape))
    place.values += place.add(draw.rng.choice(["Select", "SelectV2"]), [predicate, left, right],
                              [(left.dtype, left.shape)], T=type_of(left.dtype))


def reduce(draw, place):
    value = draw.pick(place, lambda value: value.dtype in NUMBERS and value.shape)
    if value is None:
        return
    axis, keep = draw.rng.randrange(len(value.shape)), draw.rng.random() < 0.3
    shape = list(value.shape)
    shape[axis:axis + 1] = [1] if keep else []
    written = axis - (len(value.shape) if draw.rng.random() < 0.3 else 0)
    ops = ["Sum", "Max", "Min", "Prod"] + (["Mean"] if value.dtype in FLOATS else [])
    place.values += place.add(draw.rng.choice(ops), [value, draw.constant(place, "i", [written])],
                              [(value.dtype, shape)], T=type_of(value.dtype), Tidx=type_of("i"),
                              keep_dims=flag(keep))


def matmul(draw, place):
    left = draw.pick(place, lambda value: value.dtype in FLOATS and len(value.shape) == 2)
    if left is None:
        return
    right = draw.pick(place, lambda value: value.dtype == left.dtype and len(value.shape) == 2
                      and left.shape[1] in value.shape)
    if right is None:
        return
    transpose = right.shape[0] != left.shape[1]
    shape = (left.shape[0], right.shape[0 if transpose else 1])
    place.values += place.add("MatMul", [left, right], [(left.dtype, shape)], T=type_of(left.dtype),
                              transpose_a=flag(False), transpose_b=flag(transpose))


def concat(draw, place):
    left = draw.pick(place, lambda value: value.shape and math.prod(value.shape) < LARGEST)
    if left is None:
        return
    right = draw.pick(place, lambda value: (value.dtype, value.shape) == (left.dtype, left.shape))
    shape, axis = list(left.shape), draw.rng.randrange(len(left.shape))
    shape[axis] *= 2
    place.values += place.add("ConcatV2", [left, right, draw.constant(place, "i", [axis])],
                              [(left.dtype, shape)], N="i: 2", T=type_of(left.dtype),
                              Tidx=type_of("i"))


def pack(draw, place):
    left = draw.pick(place, lambda value: len(value.shape) < 2)
    if left is None:
        return
    right = draw.pick(place, lambda value: (value.dtype, value.shape) == (left.dtype, left.shape))
    if draw.rng.random() < 0.7:
        place.values += place.add("Pack", [left, right], [(left.dtype, (2, *left.shape))], N="i: 2",
                                  T=type_of(left.dtype), axis="i: 0")
    elif left.shape and left.shape[0] in (1, 2, 3):
        place.values += place.add("Unpack", [left], [(left.dtype, left.shape[1:])] * left.shape[0],
                                  num=f"i: {left.shape[0]}", T=type_of(left.dtype), axis="i: 0")


def split(draw, place):
    value = draw.pick(place, lambda value: any(size % 2 == 0 for size in value.shape))
    if value is None:
        return
    axis = draw.rng.choice([axis for axis, size in enumerate(value.shape) if size % 2 == 0])
    shape = list(value.shape)
    shape[axis] //= 2
    place.values += place.add("Split", [draw.constant(place, "i", [axis]), value],
                              [(value.dtype, shape)] * 2, num_split="i: 2", T=type_of(value.dtype))


def slice_(draw, place):
    value = draw.pick(place, lambda value: len(value.shape) == 1)
    if value is None:
        return
    size = min(2, value.shape[0])
    start = draw.scalar(place, "i") if draw.fails() else draw.constant(place, "i", [0])
    begin = place.add("Pack", [start], [("i", (1,))], N="i: 1", T=type_of("i"), axis="i: 0")[0]
    place.values += place.add("Slice", [value, begin, draw.constant(place, "i", [size], (1,))],
                              [(value.dtype, (size,))], T=type_of(value.dtype), Index=type_of("i"))


def gather(draw, place):
    value = draw.pick(place, lambda value: value.shape and value.shape[0] > 0)
    if value is None:
        return
    dtype = draw.rng.choice(INTS)
    if draw.fails():
        index = draw.scalar(place, dtype)
    else:
        index = draw.constant(place, dtype, [draw.rng.randrange(value.shape[0])])
    place.values += place.add("GatherV2", [value, index, draw.constant(place, "i", [0])],
                              [(value.dtype, value.shape[1:])], Tparams=type_of(value.dtype),
                              Tindices=type_of(dtype), Taxis=type_of("i"), batch_dims="i: 0")


def shape(draw, place):
    value = draw.pick(place, lambda value: value.shape)
    if value is None:
        return
    dtype = draw.rng.choice(INTS)
    op = draw.rng.choice(["Shape", "Size"])
    place.values += place.add(op, [value], [(dtype, (len(value.shape),) if op == "Shape" else ())],
                              T=type_of(value.dtype), out_type=type_of(dtype))


def reshape(draw, place):
    value = draw.pick(place, lambda value: value.shape)
    if value is None:
        return
    flat = math.prod(value.shape)
    if flat and draw.rng.random() < 0.7:
        sizes, result = [-1], (flat,)
    else:
        sizes, result = list(value.shape) + [1], (*value.shape, 1)
    wanted = draw.constant(place, "i", sizes, (len(sizes),))
    place.values += place.add("Reshape", [value, wanted], [(value.dtype, result)],
                              T=type_of(value.dtype), Tshape=type_of("i"))


def move(draw, place):
    value = draw.pick(place, lambda value: value.shape and math.prod(value.shape) < LARGEST)
    if value is None:
        return
    kind, element = draw.rng.random(), type_of(value.dtype)
    if kind < 0.3:
        place.values += place.add("ExpandDims", [value, draw.constant(place, "i", [0])],
                                  [(value.dtype, (1, *value.shape))], T=element, Tdim=type_of("i"))
    elif kind < 0.6 and len(value.shape) == 2:
        order = draw.constant(place, "i", [1, 0], (2,))
        place.values += place.add("Transpose", [value, order], [(value.dtype, value.shape[::-1])],
                                  T=element, Tperm=type_of("i"))
    else:
        times = draw.constant(place, "i", [1] * (len(value.shape) - 1) + [2], (len(value.shape),))
        place.values += place.add("Tile", [value, times],
                                  [(value.dtype, (*value.shape[:-1], value.shape[-1] * 2))],
                                  T=element, Tmultiples=type_of("i"))


def fill(draw, place):
    value = draw.pick(place)
    op = draw.rng.choice(["ZerosLike", "OnesLike"])
    place.values += place.add(op, [value], [(value.dtype, value.shape)], T=type_of(value.dtype))


WEIGHTED = [(arithmetic, 6), (unary, 3), (cast, 1.5), (compare, 2), (logic, 1), (select, 1.5),
            (reduce, 1.5), (matmul, 1), (concat, 1), (pack, 1), (split, 0.7), (slice_, 0.7),
            (gather, 1.5), (shape, 0.7), (reshape, 0.7), (move, 1), (fill, 0.5)]
