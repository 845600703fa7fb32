# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of TensorMaps, which are values: what is fetched is made of them."""

from scenario import of, scalar, tensor, type_attr

import operands  # isort: skip

KEYS = 3  # as many as a bool cannot tell apart, of which there are two


def typed(name, dtype):
    return {f"{name}_dtype": type_attr(dtype)}


class Maps:
    """Ops on maps of one type of keys and one of values; names of nodes are numbered."""

    def __init__(self, s, attrs):
        self.s, self.count = s, 0
        self.key, self.value = (attrs.get(f"{name}_dtype", ("type", "int32"))[1]
                                for name in ("key", "value"))
        self.keys = [s.feed(f"k{i}", self.key_of(i)) for i in range(2 if self.key == "bool" else KEYS)]

    def key_of(self, i):
        if self.key == "bool":
            return scalar("bool", i == 1)
        if self.key == "string":
            return of("string", [2], [b"key", b"%d" % i])
        return of(self.key, [2], [i + 1, 7 + 1j if self.key in operands.COMPLEX else 7])

    def op(self, kind, *inputs, **attrs):
        self.count += 1
        return self.s.node(f"{kind.lower()}{self.count}", kind, *inputs, **attrs)

    def on(self, kind, *inputs, value=False):
        return self.op(f"TensorMap{kind}", *inputs, **typed("key", self.key),
                       **(typed("value", self.value) if value else {}))

    def insert(self, into, i, start):
        self.count += 1
        value = self.s.feed(f"x{self.count}", tensor(self.value, [start], start))
        return self.on("Insert", into, self.keys[i], value, value=True)

    def size(self, which):
        return self.op("TensorMapSize", which)

    def lookup(self, which, i):
        return self.on("Lookup", which, self.keys[i], value=True)

    def erase(self, which, i):
        return self.on("Erase", which, self.keys[i], value=True)

    def one(self):
        return self.insert(self.op("EmptyTensorMap"), 0, 1)

    def two(self):
        """Values of two dims, of which the first was put in the place of another."""
        return self.insert(self.insert(self.one(), 1, 2), 0, 3)


def measured(s, attrs):
    maps = Maps(s, attrs)
    s.step([maps.size(maps.op("EmptyTensorMap"))], feeds=[])
    s.step([maps.size(maps.one()), maps.size(maps.two())])


def found(s, attrs):
    """Those that are there, and the last one, which is not."""
    maps = Maps(s, attrs)
    which = maps.two() if len(maps.keys) == KEYS else maps.one()
    s.step([maps.on("HasKey", which, key) for key in maps.keys])


def looked_up(s, attrs):
    maps = Maps(s, attrs)
    which = maps.two()
    s.step([maps.lookup(which, i) for i in (1, 0)])
    s.step([maps.lookup(maps.one(), 1)])


def erased(s, attrs):
    """What is left; and of a key that is not there any more."""
    maps = Maps(s, attrs)
    less = maps.erase(maps.two(), 0)
    s.step([maps.size(less), maps.lookup(less, 1), maps.on("HasKey", less, maps.keys[0])])
    s.step([maps.size(maps.erase(less, 0))])


def keys(s, attrs):
    """Of one: TensorFlow has no order of several."""
    maps = Maps(s, attrs)
    s.step([maps.on("StackKeys", maps.erase(maps.two(), 0))])


BUILDERS = {"EmptyTensorMap": measured, "TensorMapSize": measured, "TensorMapInsert": looked_up,
            "TensorMapLookup": looked_up, "TensorMapErase": erased, "TensorMapHasKey": found,
            "TensorMapStackKeys": keys}
