# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops on windows of images."""

import math


def windows(d, sizes, reaches):
    """Attributes that place windows which reach over so many places, and how many there are."""
    strides = [d.rng.randint(1, 2) for _ in sizes]
    padding = d.rng.choice(["same", "valid", "explicit"])
    if padding == "valid" and any(size < reach for size, reach in zip(sizes, reaches)):
        padding = "same"
    pads = [d.rng.randint(0, 1) for _ in range(2 * len(sizes))] if padding == "explicit" else []
    if padding == "explicit":
        for i, (size, reach) in enumerate(zip(sizes, reaches)):
            pads[2 * i + 1] += max(0, reach - size - pads[2 * i] - pads[2 * i + 1])
    counts = [math.ceil(size / stride) if padding == "same" else
              (size + sum(pads[2 * i:2 * i + 2]) - reach) // stride + 1
              for i, (size, reach, stride) in enumerate(zip(sizes, reaches, strides))]
    return {"strides": strides, "padding": f'"{padding}"', "pads": pads}, counts


def convolution(operands):
    """`operands` takes the draw and the shapes of images, filter and result."""
    def rule(d):
        rank = d.rng.randint(1, 2)
        sizes, filter_sizes = ([d.rng.randint(1, most) for _ in range(rank)] for most in (4, 3))
        dilations = [d.rng.randint(1, 2) for _ in range(rank)]
        reaches = [(size - 1) * dilation + 1 for size, dilation in zip(filter_sizes, dilations)]
        attributes, counts = windows(d, sizes, reaches)
        groups, per_group, outputs = d.rng.choice([(1, 2, 3), (2, 1, 1), (2, 2, 1), (3, 1, 2)])
        batch = d.rng.randint(1, 2)
        images = [batch, *sizes, groups * per_group]
        kernel = [*filter_sizes, per_group, groups * outputs]
        result = [batch, *counts, groups * outputs]
        name, values = operands(d, images, kernel, result)
        d.y(*d.op(name, values, dilations=dilations, **attributes))
    return rule


def forward(d, images, kernel, result):
    return "nn.convolve", [d.x(images), d.x(kernel)]


def to_images(d, images, kernel, result):
    return "nn.convolve_input", [d.ints(images), d.x(kernel), d.x(result)]


def to_filter(d, images, kernel, result):
    return "nn.convolve_filter", [d.x(images), d.ints(kernel), d.x(result)]


def pool(op):
    def rule(d):
        rank = d.rng.randint(1, 2)
        sizes = [d.rng.randint(1, 5) for _ in range(rank)]
        window = [d.rng.randint(1, 3) for _ in range(rank)]
        attributes, counts = windows(d, sizes, window)
        if attributes["pads"] and any(pad >= window[i // 2]
                                      for i, pad in enumerate(attributes["pads"])):
            attributes, counts = {**attributes, "padding": '"same"', "pads": []}, [
                math.ceil(size / stride) for size, stride in zip(sizes, attributes["strides"])]
        ends = d.rng.randint(1, 2), d.rng.randint(1, 3)
        images, result = [ends[0], *sizes, ends[1]], [ends[0], *counts, ends[1]]
        if op == "average_pool_input":
            operands = [d.ints(images), d.x(result)]
        else:
            # No two are alike, or so near that a difference changes their order.
            values = [0.37 * i - 3 for i in range(math.prod(images))]
            d.rng.shuffle(values)
            operands = [d.x(images, values=values)]
        d.y(*d.op(f"nn.{op}", operands, windows=window, **attributes))
    return rule


def mirror(back):
    def rule(d):
        dims = [d.rng.randint(1, 3) for _ in range(d.rng.randint(1, 3))]
        edge = d.chance(0.5)
        pads = [d.rng.randint(0, dim if edge else dim - 1) for dim in dims for _ in range(2)]
        padded = [dim + pads[2 * i] + pads[2 * i + 1] for i, dim in enumerate(dims)]
        x = d.x(padded if back else dims)
        d.y(*d.op(f"nn.mirror_pad{'_input' * back}", [x, d.ints(pads, [len(dims), 2])], edge=edge))
    return rule


RULES = {"nn.convolve": convolution(forward), "nn.convolve_input": convolution(to_images),
         "nn.convolve_filter": convolution(to_filter),
         **{f"nn.{op}": pool(op) for op in ("average_pool", "average_pool_input", "max_pool")},
         "nn.mirror_pad": mirror(False), "nn.mirror_pad_input": mirror(True)}
