# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of TensorLists and optionals, which are values: what is fetched is made of them."""

from scenario import g, shape_attr, tensor, type_attr, vector

import graphs  # isort: skip

ROW = [2]


class Lists:
    """Ops on lists of one element type; names of nodes are numbered."""

    def __init__(self, s, attrs):
        types = [value for kind, value in attrs.values() if kind in ("type", "types")]
        found = types[0] if types else "float"
        self.s, self.count = s, 0
        self.dtype = found[0] if isinstance(found, list) else found
        self.shape_type = attrs.get("shape_type", ("type", "int32"))[1]
        if "element_dtype" in attrs:
            self.dtype = attrs["element_dtype"][1]
        elif types and "shape_type" in attrs:
            self.dtype = "float"

    def op(self, kind, *inputs, **attrs):
        self.count += 1
        return self.s.node(f"{kind.lower()}{self.count}", kind, *inputs, **attrs)

    def typed(self, kind, *inputs, **attrs):
        return self.op(f"TensorList{kind}", *inputs, element_dtype=type_attr(self.dtype), **attrs)

    def shape(self, *dims, dtype="int32"):
        self.count += 1
        return self.s.const(f"shape{self.count}", vector(dtype, dims))

    def number(self, value):
        self.count += 1
        return self.s.integer(f"n{self.count}", value)

    def value(self, start, dims=None):
        self.count += 1
        return self.s.feed(f"x{self.count}", tensor(self.dtype, dims or ROW, start))

    def asked(self, *dims):
        """A shape of the type that the op under test has."""
        return {"shape": self.shape(*dims, dtype=self.shape_type),
                "attrs": {"shape_type": type_attr(self.shape_type)}}

    def reserve(self, size, *dims):
        asked = self.asked(*(dims or ROW))
        return self.typed("Reserve", asked["shape"], self.number(size), **asked["attrs"])

    def empty(self, most, *dims):
        asked = self.asked(*(dims or ROW))
        return self.op("EmptyTensorList", asked["shape"], self.number(most),
                       element_dtype=type_attr(self.dtype), **asked["attrs"])

    def set(self, which, index, value, **attrs):
        return self.typed("SetItem", which, self.number(index), value, **attrs)

    def push(self, which, value):
        return self.typed("PushBack", which, value)

    def stack(self, which, *dims, **attrs):
        return self.typed("Stack", which, self.shape(*(dims or ROW)), **attrs)

    def filled(self):
        """Three elements, the second of which was never set."""
        return self.set(self.set(self.reserve(3), 2, self.value(1)), 0, self.value(2))


def reserved(s, attrs):
    lists = Lists(s, attrs)
    s.step([lists.stack(lists.filled())])
    s.step([lists.op("TensorListLength", lists.reserve(-1))], feeds=[])


def emptied(s, attrs):
    lists = Lists(s, attrs)
    one = lists.push(lists.empty(1), lists.value(1))
    s.step([lists.stack(one)])
    s.step([lists.stack(lists.push(one, lists.value(2)))])


def from_tensor(s, attrs):
    lists = Lists(s, attrs)
    asked = lists.asked(-1)
    rows = lists.typed("FromTensor", lists.value(1, [3, 2]), asked["shape"], **asked["attrs"])
    s.step([lists.typed("GetItem", rows, lists.number(i), lists.shape(-1)) for i in (2, 0)])


def set_item(s, attrs):
    lists = Lists(s, attrs)
    grow = {"resize_if_index_out_of_bounds":
            g.boolean(attrs["resize_if_index_out_of_bounds"][1])}
    inside = lists.set(lists.reserve(3), 1, lists.value(1), **grow)
    s.step([lists.stack(inside)])
    s.step([lists.stack(lists.set(inside, 4, lists.value(2), **grow))])


def got(s, attrs):
    lists = Lists(s, attrs)
    which, dtype = lists.filled(), attrs["Tshape"][1]

    def item(i):
        return lists.typed("GetItem", which, lists.number(i), lists.shape(*ROW, dtype=dtype),
                           Tshape=type_attr(dtype))

    s.step([item(1), item(2)])
    s.step([item(3)])


def popped(s, attrs):
    lists = Lists(s, attrs)
    which, found = lists.filled(), []
    for _ in range(4):
        pop = lists.typed("PopBack", which, lists.shape(*ROW))
        which = f"{pop}:0"
        found.append(f"{pop}:1")
    s.step(found[:3])
    s.step(found[3:])


def stacked(s, attrs):
    """As many as there are, and one more."""
    lists = Lists(s, attrs)
    which = lists.filled()
    s.step([lists.stack(which), lists.stack(which, num_elements=g.integer(3))])
    s.step([lists.stack(which, num_elements=g.integer(4))])


def gathered(s, attrs):
    lists = Lists(s, attrs)
    s.step([lists.typed("Gather", lists.filled(), lists.shape(2, 1, 2), lists.shape(*ROW))])


def measured(s, attrs):
    lists = Lists(s, attrs)
    s.step([lists.op("TensorListLength", lists.filled())])


def shaped(s, attrs):
    lists = Lists(s, attrs)
    dtype = attrs["shape_type"][1]
    lists.shape_type = "int32"
    s.step([lists.op("TensorListElementShape", lists.reserve(1, -1, 3),
                     shape_type=type_attr(dtype))])


def resized(s, attrs):
    lists = Lists(s, attrs)
    which = lists.filled()
    s.step([lists.stack(lists.op("TensorListResize", which, lists.number(n))) for n in (2, 5)])


def scattered(s, attrs):
    lists = Lists(s, attrs)
    asked = lists.asked(*ROW)
    more = [lists.number(-1)] if s.op.endswith("V2") else []
    made = lists.op(s.op, lists.value(1, [3, 2]), lists.shape(3, 0, 3), asked["shape"], *more,
                    element_dtype=type_attr(lists.dtype), **asked["attrs"])
    s.step([lists.stack(made)])


def scattered_into(s, attrs):
    """Without a gap: what would be in one is anything, or the end of TensorFlow."""
    lists = Lists(s, attrs)
    s.step([lists.stack(lists.typed("ScatterIntoExistingList", lists.filled(),
                                    lists.value(3, [2, 2]), lists.shape(1, 3)))])


def cut(s, attrs):
    lists = Lists(s, attrs)
    asked = lists.asked(-1, 2)
    made = lists.typed("Split", lists.value(1, [6, 2]), asked["shape"],
                       lists.shape(1, 3, 2, dtype="int64"), **asked["attrs"])
    s.step([lists.typed("GetItem", made, lists.number(i), lists.shape(-1, 2)) for i in (1, 2)])


def joined(s, attrs):
    """Pieces of different sizes, and one that was never set."""
    lists = Lists(s, attrs)
    lists.shape_type = "int32"
    which = lists.reserve(3, -1, 2)
    for index, size in ((0, 2), (2, 1)):
        which = lists.set(which, index, lists.value(index + 1, [size, 2]))
    if s.op == "TensorListConcat":
        which = lists.typed("SetItem", which, lists.number(1), lists.value(7, [3, 2]))
        made = lists.typed("Concat", which, element_shape=shape_attr([-1, 2]))
    else:
        dtype = attrs["shape_type"][1]
        made = lists.typed("ConcatV2", which, lists.shape(-1, 2, dtype=dtype),
                           lists.shape(0, 3, dtype="int64"), shape_type=type_attr(dtype))
    s.step([made, f"{made}:1"])


def appended(s, attrs):
    lists = Lists(s, attrs)
    s.step([lists.stack(lists.typed("ConcatLists", lists.filled(),
                                    lists.push(lists.empty(-1), lists.value(5))))])


def optional(s, attrs):
    """What was put in comes out; of none there is nothing."""
    lists = Lists(s, attrs)
    types = graphs.attr_value("types", [lists.dtype])
    one = {"output_types": types, "output_shapes": g.field(1, g.shape(*ROW))}
    some = lists.op("OptionalFromValue", lists.value(1), Toutput_types=types)
    none = lists.op("OptionalNone")
    s.step([lists.op("OptionalGetValue", some, **one), lists.op("OptionalHasValue", some),
            lists.op("OptionalHasValue", none)])
    s.step([lists.op("OptionalGetValue", none, **one)], feeds=[])


BUILDERS = {
    "EmptyTensorList": emptied, "TensorListReserve": reserved, "TensorListFromTensor": from_tensor,
    "TensorListPushBack": emptied, "TensorListPopBack": popped, "TensorListSetItem": set_item,
    "TensorListGetItem": got, "TensorListStack": stacked, "TensorListGather": gathered,
    "TensorListLength": measured, "TensorListElementShape": shaped, "TensorListResize": resized,
    "TensorListScatter": scattered, "TensorListScatterV2": scattered,
    "TensorListScatterIntoExistingList": scattered_into, "TensorListSplit": cut,
    "TensorListConcat": joined, "TensorListConcatV2": joined, "TensorListConcatLists": appended,
    "OptionalFromValue": optional, "OptionalNone": optional, "OptionalGetValue": optional,
    "OptionalHasValue": optional,
}
