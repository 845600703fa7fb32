# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of lookup tables. Each op is tried with a table of its own."""

from scenario import scalar, tensor, type_attr, vector

import graphs  # isort: skip
from goals import OTHER  # isort: skip

# Attributes of dense tables, with a number for goals and one for all others.
NUMBERS = {"initial_num_buckets": ("int", 4, 8), "max_load_factor": ("float", 0.5, 0.75)}


def names(s, op):
    """Attributes of ops that name a table."""
    return {} if "Anonymous" in op else {"shared_name": graphs.attr_value("string", s.name)}


def keyed(dtype):
    """No table has floats as keys: what stands there if nothing is asked for becomes an integer."""
    return "int64" if dtype == "float" else dtype


def keys(dtype, numbers):
    return vector(dtype, [b"key %d" % n if dtype == "string" else n for n in numbers])


def values(dtype, numbers, wide=False):
    found = tensor(dtype, [len(numbers), 2] if wide else [len(numbers)], numbers[0])
    return found


def made(s, op, key, value, **attrs):
    """The handle of a table, and the dims of its values."""
    wide = "OfTensors" in op
    if wide:
        attrs["value_shape"] = graphs.attr_value("shape", [2])
    given = {**names(s, op), **attrs, "value_dtype": type_attr(value)}
    if "Dense" not in op:
        return s.node("", op, key_dtype=type_attr(key), **given), wide
    empty, deleted = (s.const(part, scalar(key, b"-" + part.encode() if key == "string" else n))
                      for part, n in (("empty", 100), ("deleted", 101)))
    return s.node("", op, empty, deleted, key_dtype=type_attr(key), **given), wide


def life(s, attrs):
    """A table is filled, asked, and lives on."""
    flags = {name: graphs.attr_value("bool", attrs[name][1])
             for name in attrs if name == "use_node_name_sharing"}
    flags |= {name: graphs.attr_value(kind, of_goal if attrs[name][1] == OTHER else of_others)
              for name, (kind, of_goal, of_others) in NUMBERS.items() if name in attrs}
    key, value = keyed(attrs["key_dtype"][1]), attrs["value_dtype"][1]
    table, wide = made(s, s.op, key, value, **flags)
    second = "" if not s.op.endswith("V2") and "Anonymous" not in s.op else "V2"
    fills = "LookupTableInsert" if "Mutable" in s.op else "LookupTableImport"
    types = {"Tin": type_attr(key), "Tout": type_attr(value)}
    k, v = s.feed("k", keys(key, [3, 1, 2])), s.feed("v", values(value, [3, 1, 2], wide))
    fill = s.node("fill", fills + second, table, k, v, **types)
    asked = s.feed("asked", keys(key, [2, 7, 3]))
    other = s.feed("other", tensor(value, [2] if wide else [], 9))
    found = s.node("found", "LookupTableFind" + second, table, asked, other, **types)
    size = s.node("size", "LookupTableSize" + second, table)
    if "Anonymous" in s.op:  # gone after each run: only what one run shows
        s.step([s.node("empty_size", "LookupTableSizeV2", table)], feeds=[])
        return
    s.step(targets=[fill], feeds=[k, v])
    s.step([found, size], feeds=[asked, other])


def use(s, attrs):
    """Of the op, on a table that holds such keys and values."""
    key, value = "int64", "float"
    for name in ("Tin", "Tkey", "Tkeys"):
        if name in attrs:
            key = attrs[name][1]
    for name in ("Tout", "Tval", "Tvalues"):
        if name in attrs:
            value = attrs[name][1]
    key = keyed(key)
    second = "V2" if s.op.endswith("V2") else ""
    changes = any(word in s.op for word in ("Insert", "Remove", "Export"))
    maker = ("MutableHashTable" if changes else "HashTable") + second
    table = s.node("table", maker, key_dtype=type_attr(key), value_dtype=type_attr(value),
                   **names(s, maker))
    k, v = s.feed("k", keys(key, [3])), s.feed("v", values(value, [3]))
    fills = s.op if any(word in s.op for word in ("Insert", "Import", "Initialize")) else (
        "LookupTableInsert" if changes else "LookupTableImport") + second
    attrs_of = {"Initialize": ("Tkey", "Tval")}.get(fills[:10], ("Tin", "Tout"))
    fill = s.node("" if fills == s.op else "fill", fills, table, k, v,
                  **dict(zip(attrs_of, (type_attr(key), type_attr(value)))))
    s.step(targets=[fill], feeds=[k, v])
    asked, other = s.feed("asked", keys(key, [3, 4])), s.feed("other", tensor(value, [], 9))
    if "Export" in s.op:
        s.node("", s.op, table, Tkeys=type_attr(key), Tvalues=type_attr(value))
        s.step([f"{s.name}:0", f"{s.name}:1"], feeds=[])
        return
    if "Remove" in s.op:
        s.step(targets=[s.node("", s.op, table, asked, Tin=type_attr(key))], feeds=[asked])
    find = s.node("" if "Find" in s.op else "found", "LookupTableFind" + second, table, asked,
                  other, Tin=type_attr(key), Tout=type_attr(value))
    size = s.node("" if "Size" in s.op else "size", "LookupTableSize" + second, table)
    s.step([find, size], feeds=[asked, other])


BUILDERS = {
    **dict.fromkeys(["HashTable", "HashTableV2", "AnonymousHashTable", "MutableHashTable",
                     "MutableHashTableV2", "AnonymousMutableHashTable",
                     "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2",
                     "AnonymousMutableHashTableOfTensors", "MutableDenseHashTableV2",
                     "AnonymousMutableDenseHashTable"], life),
    **{f"{name}{version}": use for version in ("", "V2")
       for name in ("InitializeTable", "LookupTableImport", "LookupTableInsert",
                    "LookupTableRemove", "LookupTableFind", "LookupTableSize",
                    "LookupTableExport")},
}
