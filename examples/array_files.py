#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of floats: .npy for feeds and what programs give, .safetensors for variables."""

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


def read_npy(path):
    """The shape, and the elements as bytes."""
    content = path.read_bytes()
    end = 10 + struct.unpack_from("<H", content, 8)[0]
    shape = content[10:end].decode().split("'shape': (")[1].split(")")[0]
    return [int(size) for size in shape.split(",") if size.strip()], content[end:]


def read_rows(path):
    """The rows of a matrix, or of all matrices of a tensor."""
    (*_, width), data = read_npy(path)
    return [list(struct.unpack_from(f"<{width}f", data, start))
            for start in range(0, len(data), 4 * width)]


def write_safetensors(path, variables):
    """Variables by name, as nested lists."""
    header, data = {}, b""
    for name, rows in variables.items():
        shape = shape_of(rows)
        new = bytes_of(rows, shape)
        place = [len(data), len(data) + len(new)]
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": place}
        data += new
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
