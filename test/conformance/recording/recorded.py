# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads recorded graphs: the nodes behind what a run has fetched or made happen."""

import json
import struct

import operands

TYPES = {number: name for name, (number, _, _) in operands.DTYPES.items()}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a message: integers, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            length = {1: 8, 5: 4}.get(key & 7)
            if length is None:
                length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield key >> 3, value


def signed(value):
    return value - 2**64 if value >= 2**63 else value


def attr_of(value):
    """(kind, value) of an attribute, as cases have it."""
    for number, content in fields(value):
        if number == 1:
            return "types", [TYPES.get(t) for n, t in fields(content) if n == 6]
        if number == 2:
            return "string", content.decode(errors="replace")
        if number == 3:
            return "int", signed(content)
        if number == 4:
            return "float", struct.unpack("<f", content)[0]
        if number == 5:
            return "bool", bool(content)
        if number == 6:
            return "type", TYPES.get(content)
    return "other", None


def graph_of(data):
    """{name: (op, inputs, attributes)}"""
    nodes = {}
    for number, node in fields(data):
        if number != 1:
            continue
        parts = {1: [], 2: [], 3: [], 5: []}
        for part, value in fields(node):
            parts.setdefault(part, []).append(value)
        attrs = {}
        for entry in parts[5]:
            pair = dict(fields(entry))
            attrs[pair[1].decode()] = attr_of(pair.get(2, b""))
        nodes[parts[1][0].decode()] = (parts[2][0].decode(),
                                       [text.decode() for text in parts[3]], attrs)
    return nodes


def needed(nodes, run):
    """Names of the nodes that a run needs."""
    fed = {name.split(":")[0] for name in run["feeds"]}
    pending = [name.split(":")[0] for name in run["fetches"] + run["targets"]]
    found = set()
    while pending:
        name = pending.pop()
        if name not in found and name in nodes:
            found.add(name)
            inputs = nodes[name][1] if name not in fed else []
            pending += [source.lstrip("^").split(":")[0] for source in inputs]
    return found


def nodes_that_succeed(folder):
    """[(op, attributes)] of all nodes that take part in a run without error."""
    if not (folder / "runs.json").exists():
        return []
    nodes = graph_of((folder / "graph1.pb").read_bytes())
    names = set()
    for run in json.loads((folder / "runs.json").read_text())["runs"]:
        if "error" not in run:
            names |= needed(nodes, run)
    return [(nodes[name][0], nodes[name][2]) for name in sorted(names)]
