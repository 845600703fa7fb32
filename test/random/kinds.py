# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of values, and where one may stand for another.

A list is a value whose elements have one dtype and one shape. How many there are may be known to the
generator or not: what does not know it asks, or makes the list as long as it has to be.
"""

from dataclasses import dataclass, replace

from graph import LIST


@dataclass(frozen=True)
class Elements:
    """What is known of a list, in the place of a shape."""
    dtype: str
    shape: object  # of an element; if that is a list, what is known of it
    rows: int = -1  # how many elements there are; -1: that is not known
    declared: bool = False  # whether the list itself knows the shape
    whole: bool = False  # whether all elements are set

    @property
    def nested(self):
        return self.dtype == LIST


def stands_for(value, dtype, shape):
    """Whether a value is of a kind. A list of which more is known will do."""
    if value.dtype != dtype or dtype != LIST:
        return (value.dtype, value.shape) == (dtype, shape)
    given = value.shape
    return ((given.dtype, given.shape) == (shape.dtype, shape.shape)
            and shape.rows in (-1, given.rows)
            and given.declared >= shape.declared and given.whole >= shape.whole)


def vague(draw, value):
    """The same value; of a list perhaps less is known, as it has to be where that changes."""
    if value is None or value.dtype != LIST or draw.rng.random() < 0.3:
        return value
    return replace(value, shape=replace(value.shape, rows=-1, whole=value.shape.whole
                                        and draw.rng.random() < 0.5))
