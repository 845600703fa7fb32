# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops on windows of images, and on their channels, ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import itertools
import math

import operands


def constants(d, dtype, values, dims=None):
    """Numbers that the compiler has to know."""
    return operands.integers(d.dtype(dtype), values, dims, constant=True)


def is_first(d):
    """Whether channels come before what is spatial."""
    return d.attrs.get("data_format", (0, ""))[1].startswith(("NC", "CHANNELS_F"))


def ordered(d, batch, spatial, channels):
    """What is said of each dim, in the order of the images' dims."""
    return [batch, channels, *spatial] if is_first(d) else [batch, *spatial, channels]


def sizes(d, count, most):
    if d.numbers and count == 3:
        most = min(most, 3)  # what is recorded is small
    return [d.rng.randint(1, most) for _ in range(count)]


def placed(d, spatial, reaches, explicit_below=None):
    """Sets strides and padding; how many windows there are along each dim."""
    strides = sizes(d, len(spatial), 3)
    if d.numbers:  # beyond them TensorFlow's Conv3D begins elsewhere
        strides = [min(pair) for pair in zip(strides, reaches)]
    if d.attrs["padding"][1] == "VALID" and any(map(int.__lt__, spatial, reaches)):
        d.set("padding", "string", "SAME")
    d.set("strides", "ints", ordered(d, 1, strides, 1))
    pads = [0] * (2 * len(spatial))
    if d.attrs["padding"][1] == "EXPLICIT":
        most = explicit_below or [3] * len(spatial)
        pads = [d.rng.randint(0, most[i // 2] - 1) for i in range(len(pads))]
        for i, (size, reach) in enumerate(zip(spatial, reaches)):
            if size + pads[2 * i] + pads[2 * i + 1] < reach:
                pads[2 * i:2 * i + 2] = [reach - 1 if explicit_below else reach, 0]
        pairs = ordered(d, [0, 0], [pads[i:i + 2] for i in range(0, len(pads), 2)], [0, 0])
        d.set("explicit_paddings", "ints", [number for pair in pairs for number in pair])
    elif "explicit_paddings" in d.signature.attrs:
        d.set("explicit_paddings", "ints", [])
    if d.attrs["padding"][1] == "SAME":
        return [math.ceil(size / stride) for size, stride in zip(spatial, strides)]
    return [(size + pads[2 * i] + pads[2 * i + 1] - reach) // stride + 1
            for i, (size, reach, stride) in enumerate(zip(spatial, reaches, strides))]


# ---- Convolutions


def convolution(d):
    name = d.signature.name
    rank = 3 if "3D" in name else 2
    if name == "Conv":
        rank = d.rng.choice([2, 3])
        d.set("batch_dims", "int", 1)
        d.set("groups", "int", 1)
    # What is recorded are sums of few numbers, since TensorFlow rounds each sum of bf16.
    spatial = sizes(d, rank, 3 if d.numbers and "Filter" in name else 6)
    window = sizes(d, rank, 2 if d.numbers and rank == 3 else 3)
    # With other ones TensorFlow has no kernel on CPUs, and its derivatives take no notice of them.
    is_dense = name.startswith("Depthwise") and d.numbers
    dilations = [1] * rank if is_dense else sizes(d, rank, 2)
    if d.numbers and d.attrs["padding"][1] == "VALID":
        window = [min(pair) for pair in zip(window, spatial)]
        dilations = [1] * rank
    d.set("dilations", "ints", ordered(d, 1, dilations, 1))
    reaches = [(size - 1) * dilation + 1 for size, dilation in zip(window, dilations)]
    counts = placed(d, spatial, reaches)
    batch = d.rng.randint(1, 2)
    if name.startswith("Depthwise"):
        channels, more = d.rng.choice([(1, 3), (3, 1), (2, 2)])
        kernel, outputs = [*window, channels, more], channels * more
    else:
        channels, outputs = d.rng.choice([(1, 2), (3, 4), (2, 1)])
        kernel = [*window, channels, outputs]
        if name.startswith("Conv2D") and outputs % 2 == 0 and d.chance(0.3):
            channels *= 2  # in two groups
    images, result = ordered(d, batch, spatial, channels), ordered(d, batch, counts, outputs)
    if "BackpropInput" in name:
        return [constants(d, d.signature.inputs[0].dtype, images), d.tensor("T", kernel),
                d.tensor("T", result)]
    if "BackpropFilter" in name:
        return [d.tensor("T", images), constants(d, "int32", kernel), d.tensor("T", result)]
    return [d.tensor("T", images), d.tensor("T", kernel)]


# ---- Pools


def maxima(d, images, result, spatial, window, counts, strides, pads):
    """What a pool gives: TensorFlow's derivatives look for it among the images."""
    places = slice(2, None) if is_first(d) else slice(1, -1)
    strides = strides[places]
    if d.attrs["padding"][1] == "SAME":
        before = [max((count - 1) * stride + reach - size, 0) // 2
                  for size, reach, count, stride in zip(spatial, window, counts, strides)]
    else:
        before = (pads[::2] or [0] * (len(spatial) + 2))[places]
    numbers = dict(zip(itertools.product(*map(range, images.dims)), operands.unpack(images)))

    def largest(at):
        reaches = [range(max(0, place * stride - pad), min(size, place * stride - pad + reach))
                   for place, stride, pad, size, reach in zip(
                       at[places], strides, before, spatial, window)]
        ends = [[place] for place in at]
        ends[places] = reaches
        return max(numbers[found] for found in itertools.product(*ends))

    return operands.Operand(images.dtype, result, operands.pack(images.dtype, [
        largest(at) for at in itertools.product(*map(range, result))]))


def pool(d):
    """Those with places have two results, of which the second is one."""
    name = d.signature.name
    rank = 3 if "3D" in name else 2
    spatial, window = sizes(d, rank, 6), sizes(d, rank, 3)
    by_inputs = "ksize" not in d.signature.attrs
    if not by_inputs:
        d.set("ksize", "ints", ordered(d, 1, window, 1))
    counts = placed(d, spatial, window, explicit_below=window)
    strides = d.attrs["strides"][1]
    found_by = spatial, window, counts, strides, d.attrs.get("explicit_paddings", (0, []))[1]
    if by_inputs:
        del d.attrs["strides"]
    batch, channels = d.rng.randint(1, 2), d.rng.randint(1, 3)
    images, result = ordered(d, batch, spatial, channels), ordered(d, batch, counts, channels)
    dtype = d.signature.inputs[0].dtype
    if name.startswith("Avg"):
        if name.endswith("Grad"):
            return [constants(d, "int32", images), d.tensor("T", result)]
        return [d.tensor("T", images)]
    found = [d.tensor(dtype, images)]
    if d.numbers and "Grad" in name:  # of equal ones TensorFlow takes the first, or in 3D all
        least = 0 if d.dtype(dtype)[0] == "u" else -100
        numbers = d.rng.sample(range(least, least + 200), math.prod(images))
        found = [operands.Operand(d.dtype(dtype), images, operands.pack(d.dtype(dtype), numbers))]
    if "Argmax" in name and "Grad" in name:
        # A place of each image, row-major.
        at = [d.rng.randrange(math.prod(images[1:])) for _ in range(math.prod(result))]
        if d.attrs["include_batch_in_index"][1]:
            share = math.prod(result[1:])
            at = [place + i // share * math.prod(images[1:]) for i, place in enumerate(at)]
        gradient = images if "GradGrad" in name else result
        return [*found, d.tensor("T", gradient), d.ints("Targmax", at, result)]
    if "Grad" in name:
        largest = maxima(d, found[0], result, *found_by) if d.numbers else d.tensor(dtype, result)
        found += [largest, d.tensor("T", images if "GradGrad" in name else result)]
    if by_inputs:
        found += [d.ints("int32", ordered(d, 1, window, 1)), d.ints("int32", strides)]
    return found


# ---- Mirror images


def mirror(d):
    dims = sizes(d, d.rng.randint(1, 3), 4)
    edge = d.attrs["mode"][1] == "SYMMETRIC"
    pads = [d.rng.randint(0, dim if edge else dim - 1) for dim in dims for _ in range(2)]
    if d.signature.name.endswith("Grad"):
        dims = [dim + pads[2 * i] + pads[2 * i + 1] for i, dim in enumerate(dims)]
    return [d.tensor("T", dims), constants(d, "Tpaddings", pads, [len(dims), 2])]


# ---- Norms


def images_of(d, spatial=2):
    channels = d.rng.randint(1, 4)
    most = 2 if d.numbers and spatial == 3 else 3
    return ordered(d, d.rng.randint(1, most), sizes(d, spatial, most), channels), channels


def positive(d, dtype, dims):
    """Variances."""
    dtype, count = d.dtype(dtype), math.prod(dims)
    whole = [d.rng.randint(1, 16) for _ in range(count)]
    is_real = dtype in operands.FLOATS or dtype in operands.COMPLEX
    numbers = [number / 4 for number in whole] if is_real else whole
    return operands.Operand(dtype, list(dims), operands.pack(dtype, numbers))


def batch_norm(d):
    x, channels = images_of(d, 3 if "DC" in d.attrs["data_format"][1]
                            or "DH" in d.attrs["data_format"][1] else 2)
    u = "U" if "U" in d.signature.attrs else "T"
    if "Grad" in d.signature.name:
        found = [d.tensor("T", x, wild=False), d.tensor("T", x, wild=False)]
        found.append(d.tensor(d.signature.inputs[2].dtype, [channels], wild=False))
        found += [d.tensor(u, [channels], wild=False), positive(d, u, [channels])]
        return found + [d.tensor(u, [0])] * d.signature.name.endswith("V3")
    factor = d.attrs["exponential_avg_factor"][1]
    given = [] if d.attrs["is_training"][1] and factor == 1 else [channels]
    dims = given or [0]
    return [d.tensor("T", x, wild=False), *(d.tensor(u, [channels], wild=False) for _ in range(2)),
            d.tensor(u, dims, wild=False), positive(d, u, dims)]


def global_norm(d):
    """Images, means, variances, shifts, factors; the derivatives take no shifts."""
    x, channels = images_of(d)
    d.set("variance_epsilon", "float", 0.125)
    kinds = {"t": x, "backprop": x}
    return [positive(d, "T", [channels]) if arg.name == "v" else
            d.tensor("T", kinds.get(arg.name, [channels]), wild=False)
            for arg in d.signature.inputs]


def response(d):
    dims = sizes(d, 3, 3) + [d.rng.randint(1, 9)]
    d.set("depth_radius", "int", d.rng.randint(0, 5))
    return [d.tensor("T", dims, wild=False) for _ in d.signature.inputs]


# ---- Cells


def cell(d):
    batch, inputs, width = sizes(d, 3, 4)
    kinds = {"x": [batch, inputs], "w": [inputs + width, 4 * width], "b": [4 * width],
             "w_ru": [inputs + width, 2 * width], "w_c": [inputs + width, width],
             "b_ru": [2 * width], "b_c": [width],
             **dict.fromkeys(("wci", "wcf", "wco"), [width])}
    return [d.tensor("T", kinds.get(arg.name, [batch, width]), wild=False)
            for arg in d.signature.inputs]


# ---- Orders of dims, classes


def orders(d):
    formats = d.rng.sample(["NHWC", "NCHW", "HWNC", "CNHW"], 2)
    for name, order in zip(("src_format", "dst_format"), formats):
        if d.attrs[name] == ("string", ""):
            d.set(name, "string", order)


def permuted(d):
    orders(d)
    count = d.rng.choice([2, 4])
    dims = [count, 2] if d.chance(0.4) else [count]
    return [operands.integers(d.dtype("T"), [d.rng.randint(0, 9) for _ in range(math.prod(dims))],
                              dims)]


def mapped(d):
    orders(d)
    dims = d.dims(0, 2)
    return [operands.integers(d.dtype("T"), [d.rng.randint(-4, 3) for _ in range(math.prod(dims))],
                              dims)]


def in_top(d):
    rows, classes = sizes(d, 2, 5)
    targets = [d.rng.randint(-1 if d.chance(0.1) else 0, classes) for _ in range(rows)]
    found = [d.tensor("float", [rows, classes]), d.ints("T", targets)]
    k = d.rng.randint(0, classes)
    if d.signature.name.endswith("V2"):
        return [*found, d.ints("T", [k], [])]
    d.set("k", "int", k)
    return found


RULES = {
    **dict.fromkeys(["Conv", "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", "Conv3D",
                     "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", "DepthwiseConv2dNative",
                     "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter"],
                    convolution),
    **dict.fromkeys(["AvgPool", "AvgPoolGrad", "AvgPool3D", "AvgPool3DGrad", "MaxPool",
                     "MaxPoolGrad", "MaxPoolGradGrad", "MaxPool3D", "MaxPool3DGrad",
                     "MaxPool3DGradGrad", "MaxPoolV2", "MaxPoolGradV2", "MaxPoolGradGradV2",
                     "MaxPoolWithArgmax", "MaxPoolGradWithArgmax", "MaxPoolGradGradWithArgmax"],
                    pool),
    "MirrorPad": mirror, "MirrorPadGrad": mirror,
    **dict.fromkeys(["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", "FusedBatchNormGrad",
                     "FusedBatchNormGradV2", "FusedBatchNormGradV3"], batch_norm),
    **dict.fromkeys(["BatchNormWithGlobalNormalization", "BatchNormWithGlobalNormalizationGrad"],
                    global_norm),
    "LRN": response, "LRNGrad": response,
    **dict.fromkeys(["LSTMBlockCell", "LSTMBlockCellGrad", "GRUBlockCell", "GRUBlockCellGrad"],
                    cell),
    "DataFormatVecPermute": permuted, "DataFormatDimMap": mapped,
    "InTopK": in_top, "InTopKV2": in_top,
}
