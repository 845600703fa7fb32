# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ragged and sparse tensors as strings. Nobody can fetch a variant, so it is decoded again."""

from scenario import g, of, tensor, vector

import graphs  # isort: skip
from sparse_ops import fetch, matrix, node  # isort: skip


def attributes(attrs, *names):
    return {name: graphs.attr_value(*attrs[name]) for name in names}


# ---- Ragged tensors

def ragged(s, attrs):
    """Once with rows as elements, whole and flat; the levels are two, one and none."""
    values, index = attrs["Tvalues"][1], attrs["Tsplits"][1]
    outer = s.feed("outer", vector(index, [0, 2, 2, 3]))
    inner = s.feed("inner", vector(index, [0, 2, 2, 4]))
    numbers = s.feed("x", tensor(values, [4]))
    rows = s.feed("y", tensor(values, [4, 2]))
    types = attributes(attrs, "Tvalues", "Tsplits")

    def there(part, levels, operands, batched):
        name = "" if s.op == "RaggedTensorToVariant" and not part else f"to{part}"
        return s.node(name, "RaggedTensorToVariant", *operands, **types,
                      RAGGED_RANK=g.integer(levels), batched_input=g.boolean(batched))

    def back(part, encoded, levels, inner_levels=-1):
        name = "" if s.op == "RaggedTensorFromVariant" and not part else f"from{part}"
        made = s.node(name, "RaggedTensorFromVariant", encoded, **types,
                      input_ragged_rank=g.integer(inner_levels), output_ragged_rank=g.integer(levels))
        fetch(s, made, levels + 1)

    batched = attrs.get("batched_input", (0, True))[1]
    back("", there("", 2, [outer, inner, numbers], batched), 2)
    back("1", there("1", 1, [inner, rows], True), 1, 0)
    back("2", there("2", 2, [outer, inner, rows], True), 2, 1)
    back("3", there("3", 0, [rows], True), 1)
    back("4", there("4", 1, [inner, rows], False), 1)
    back("5", there("5", 0, [rows], False), 0)
    back("7", there("7", 2, [outer, inner, numbers], False), 0)


# ---- Sparse tensors

def serialized(s, attrs):
    """Of 3 rows, of which the second one has nothing; and what is not in order."""
    many = s.op == "SerializeManySparse"
    for i, indices in enumerate([[[0, 1, 0], [0, 3, 1], [2, 0, 0]], [[2, 0, 0], [0, 1, 1], [1, 0, 0]]]):
        x = [s.feed(f"indices{i}", matrix(indices)), s.feed(f"values{i}", tensor(attrs["T"][1], [3])),
             s.feed(f"dims{i}", vector("int64", [3, 4, 2]))]
        made = node(s, attrs, f"r{i}" if i else "", *x)
        if attrs["out_type"][1] == "string":
            s.step([made])
            continue
        back = s.node(f"back{i}", "DeserializeSparse", made, dtype=graphs.attr_value(*attrs["T"]),
                      Tserialized=graphs.attr_value(*attrs["out_type"]))
        if not i or many:
            fetch(s, back, 3)


def deserialized(s, attrs):
    """Some, a matrix of some, and one, whose dims differ."""
    kind = attrs.get("Tserialized", ("type", "string"))
    strings = []
    for i, (indices, dims) in enumerate([([[0, 1], [1, 0]], [2, 3]), ([], [1, 2]), ([[3, 1]], [4, 2])]):
        x = [s.feed(f"indices{i}", of("int64", [len(indices), 2], sum(indices, []))),
             s.feed(f"values{i}", tensor(attrs["dtype"][1], [len(indices)])),
             s.feed(f"dims{i}", vector("int64", dims))]
        strings.append(s.node(f"s{i}", "SerializeSparse", *x, T=graphs.attr_value(*attrs["dtype"]),
                              out_type=graphs.attr_value(*kind)))
    three = s.node("three", "Pack", *strings, T=graphs.attr_value(*kind), N=g.integer(3),
                   axis=g.integer(0))
    fetch(s, node(s, attrs, "", three), 3)
    if s.op == "DeserializeManySparse" or kind[1] != "string":
        return
    six = s.node("six", "Pack", three, three, T=graphs.attr_value(*kind), N=g.integer(2),
                 axis=g.integer(0))
    fetch(s, node(s, attrs, "matrix", six), 3)
    fetch(s, node(s, attrs, "one", strings[0]), 3)


BUILDERS = {"RaggedTensorToVariant": ragged, "RaggedTensorFromVariant": ragged,
            "SerializeSparse": serialized, "SerializeManySparse": serialized,
            "DeserializeSparse": deserialized, "DeserializeManySparse": deserialized}
