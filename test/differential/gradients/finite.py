# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives against differences, along random directions.

With `<a, b>` for the sum of products of elements: the first derivatives `g` of `<seeds, ys>` must
have `<g, d>` as the slope of `<seeds, ys>` along each direction `d` of `xs`. The same holds for the
second ones and `<weights, g>`, along directions of `xs` and `seeds`.
"""

import math
from dataclasses import dataclass

STEP = 1e-5
SMALLER = (1e-6, 3e-7)  # to tell a kink from a mistake
TOLERANCE = 2e-6
SMOOTH = 1e-4  # how much slopes by several steps may differ
ROUNDING = 1e-15


@dataclass
class Direction:
    order: str  # "first" or "second"
    of: dict  # name of a feed → numbers


def draw_directions(rng, sizes, names, order, count):
    """`sizes`: numbers that each feed has."""
    return [Direction(order, {name: [rng.uniform(-1, 1) for _ in range(sizes[name])]
                              for name in names}) for _ in range(count)]


def moved(feeds, direction, step):
    """The feeds, name → numbers, so far along a direction."""
    return {name: [value + step * rate for value, rate in zip(values, direction.of[name])]
            if name in direction.of else values for name, values in feeds.items()}


def inner(first, second):
    return math.fsum(a * b for a, b in zip(first, second))


@dataclass
class Slope:
    value: float
    scale: float  # how large its terms are
    noise: float  # how much of it may be rounding


def slope(below, above, factors, step):
    """Of a sum of products, from values on both sides; values that stay the same, as infinities do, do
    not count."""
    terms, size = [], 0.0
    for each, other, all_factors in zip(below, above, factors):
        for a, b, factor in zip(each, other, all_factors):
            if a != b:
                terms.append(factor * (b - a) / (2 * step))
                size += abs(factor * a)
    if not all(map(math.isfinite, terms)):
        return Slope(math.nan, math.inf, math.inf)
    return Slope(math.fsum(terms), math.fsum(map(abs, terms)), ROUNDING * size / step)


def is_bent(below, here, above, factors, step):
    """Whether there is a kink in this very place: then differences to both sides are all alike,
    whatever the step, and no derivative."""
    left, right = (slope(*sides, factors, step / 2) for sides in ((below, here), (here, above)))
    return not abs(left.value - right.value) <= (SMOOTH * (1 + left.scale + right.scale)
                                                 + left.noise + right.noise)


def agrees(claimed, found):
    return abs(claimed - found.value) <= TOLERANCE * (1 + found.scale) + found.noise


def verdict(claimed, slopes):
    """"right", "wrong", or "kink" where steps of several sizes do not give one number."""
    if any(agrees(claimed, found) for found in slopes):
        return "right"
    values = [found.value for found in slopes]
    spread = max(values) - min(values)
    if any(map(math.isnan, values)) or spread > SMOOTH * (1 + slopes[0].scale):
        return "kink"
    nearest = min(abs(claimed - value) for value in values)
    return "kink" if nearest <= 10 * spread else "wrong"
