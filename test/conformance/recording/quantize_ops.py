# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of roundings to what integers could stand for."""

from goals import OTHER
from scenario import g, of, scalar, type_attr, vector

import graphs  # isort: skip

# Attributes where something else than the default is asked for.
OTHERS = {"num_bits": 4, "axis": 1, "min": -2.5, "max": 9.25}
NUMBERS = [0.3, -1.7, 2.6, 5.1, -7.5, 0, 3.3, -0.45, 6.25, -2.1, 1.5, 4.75]


def chosen(attrs):
    return {name: (kind, OTHERS[name] if value == OTHER else value)
            for name, (kind, value) in attrs.items()}


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def outputs(s, count):
    s.step([f"{s.name}:{i}" for i in range(count)])


def values(dtype, start=0):
    return of(dtype, [2, 3, 2], NUMBERS[start:] + NUMBERS[:start])


def bounds(dtype, attrs):
    """Of all elements, or of those at each place of the axis."""
    if attrs.get("axis", (0, -1))[1] == 1:
        return vector(dtype, [-3, -1.25, -6]), vector(dtype, [2.5, 4, 1])
    return scalar(dtype, -3), scalar(dtype, 2.5)


def scaled(s, attrs):
    attrs = chosen(attrs)
    dtype = attrs["T"][1]
    inputs = [s.feed("x", values(dtype))]
    inputs += [s.feed(f"bound{i}", each) for i, each in enumerate(bounds(dtype, attrs))]
    if s.op.endswith("V3"):
        inputs.append(s.feed("bits", scalar("int32", 5)))
    s.step([s.node("", s.op, *inputs, **encoded(attrs))])


def scaled_gradient(s, attrs):
    attrs = chosen(attrs)
    dtype = attrs["T"][1]
    inputs = [s.feed("dy", values(dtype, 5)), s.feed("x", values(dtype))]
    inputs += [s.feed(f"bound{i}", each) for i, each in enumerate(bounds(dtype, attrs))]
    s.node("", s.op, *inputs, **encoded(attrs))
    outputs(s, 3)


# Numbers in the format, and the integers that they are. Not qint32, where what is above the range
# becomes TensorFlow's least integer, and the greatest one here.
QUANTIZED = {"qint8": (11, "int8"), "quint8": (12, "uint8"), "qint16": (15, "int16"),
             "quint16": (16, "uint16")}


def quantized(s, attrs):
    """Of all quantized types, as bits, since numpy has none of these; ranges around, above and below 0."""
    attrs = chosen({**attrs, **({"ensure_minimum_range": ("float", 0.5)}
                                if attrs.get("ensure_minimum_range", (0, 0))[1] == OTHER else {})})
    back = s.op == "Dequantize"
    if attrs["mode"][1] == "MIN_FIRST":
        attrs["axis"] = ("int", -1)
    if "SCALED" not in attrs["mode"][1]:  # the others take only the defaults
        if attrs.get("narrow_range", (0, 0))[1] or attrs.get("round_mode", (0, ""))[1] == "HALF_TO_EVEN":
            attrs["mode"] = ("string", "SCALED")
    for dtype, (number, bits) in QUANTIZED.items():
        for i, (low, high) in enumerate([(-3, 2.5), (0.25, 0.5), (-2, -1)]):
            name = f"{dtype}{i}" if i or dtype != "qint8" else ""
            ends = bounds("float", attrs) if i == 0 else (scalar("float", low), scalar("float", high))
            if i and attrs.get("axis", (0, -1))[1] == 1:
                continue
            ends = [s.feed(f"{name}bound{j}", end) for j, end in enumerate(ends)]
            more = {**encoded(attrs), "T": g.dtype(number)}
            if not back:
                s.node(name, "QuantizeV2", s.feed(f"{name}x", values("float")), *ends, **more)
                made = f"{s.name}_{name}" if name else s.name
                s.node(f"{name}bits", "Bitcast", made, T=g.dtype(number), type=type_attr(bits))
                s.step([f"{s.name}_{name}bits", f"{made}:1", f"{made}:2"])
                continue
            x = s.feed(f"{name}x", of(bits, [2, 3, 2], [3, 100, 0, 77, 1, 50, 127, 9, 64, 31, 99, 12]))
            x = s.node(f"{name}bits", "Bitcast", x, T=type_attr(bits), type=g.dtype(number))
            s.step([s.node(name, "Dequantize", x, *ends, **more)])


def fake(s, attrs):
    """Gradients have an input before the others, and a result for each of them."""
    attrs, is_gradient = chosen(attrs), s.op.endswith("Gradient")
    inputs = [s.feed("dy", values("float", 5))] if is_gradient else []
    inputs.append(s.feed("x", values("float")))
    if "PerChannel" in s.op:
        inputs += [s.feed("min", vector("float", [-3, 0])), s.feed("max", vector("float", [2, 0]))]
    elif "Vars" in s.op:
        inputs += [s.feed("min", scalar("float", -3)), s.feed("max", scalar("float", 2.5))]
    s.node("", s.op, *inputs, **encoded(attrs))
    outputs(s, 3 if is_gradient and "Vars" in s.op else 1)


BUILDERS = {
    **{f"QuantizeAndDequantizeV{i}": scaled for i in (2, 3, 4)},
    "QuantizeAndDequantizeV4Grad": scaled_gradient,
    "QuantizeV2": quantized, "Dequantize": quantized,
    **{f"FakeQuantWithMinMax{kind}": fake for kind in (
        "Args", "ArgsGradient", "Vars", "VarsGradient", "VarsPerChannel",
        "VarsPerChannelGradient")},
}
