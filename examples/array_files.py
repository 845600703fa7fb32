#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what programs read: .npy files of floats for feeds, .safetensors files for variables."""

import itertools
import json
import struct


def shape_of(rows):
    """Of nested lists."""
    shape = []
    while isinstance(rows, list):
        shape.append(len(rows))
        rows = rows[0]
    return shape


def bytes_of(rows, shape):
    for _ in shape[1:]:
        rows = list(itertools.chain.from_iterable(rows))
    rows = rows if shape else [rows]
    return struct.pack(f"<{len(rows)}f", *rows)


def write_npy(path, rows):
    shape = shape_of(rows)
    size = "".join(f"{length}," for length in shape)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({size}), }}"
    header = header.ljust((len(header) + 11 + 63) // 64 * 64 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + bytes_of(rows, shape))


def write_safetensors(path, variables):
    """Variables by name, as nested lists."""
    header, data = {}, b""
    for name, rows in variables.items():
        shape = shape_of(rows)
        new = bytes_of(rows, shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(new)]}
        data += new
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
