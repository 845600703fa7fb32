# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes checkpoints and SavedModels byte by byte, also such as no library would write."""

import struct

from graphdef import field, varint

POLYNOMIAL = 0x82f63b78
TABLE = []
for number in range(256):
    for _ in range(8):
        number = number >> 1 ^ (POLYNOMIAL if number & 1 else 0)
    TABLE.append(number)
MAGIC = 0xdb4775248b80fb57


def crc32c(content, before=0):
    state = before ^ 0xffffffff
    for byte in content:
        state = state >> 8 ^ TABLE[(state ^ byte) & 0xff]
    return state ^ 0xffffffff


def masked(content):
    checksum = crc32c(content)
    return ((checksum >> 15 | checksum << 17) + 0xa282ead8) & 0xffffffff


def block(entries, restarts=(0,), compression=0):
    """A block with its trailer; `entries` are pairs of a key, which is written in whole, and a value."""
    content = b"".join(varint(0) + varint(len(key)) + varint(len(value)) + key + value
                       for key, value in entries)
    return sealed(content + b"".join(struct.pack("<I", at) for at in restarts)
                  + struct.pack("<I", len(restarts)), compression)


def sealed(content, compression=0):
    content += bytes([compression])
    return content + struct.pack("<I", masked(content))


def table(*blocks, last=b"\xff" * 8, handles=None):
    """A sorted table. `handles` are (offset, size) of the blocks, if they are to lie."""
    body, found = b"", []
    for one in blocks:
        found.append((len(body), len(one) - 5))
        body += one
    entries = [(last + bytes([number]), varint(offset) + varint(size))
               for number, (offset, size) in enumerate(handles or found)]
    index = block(entries)
    footer = varint(len(body)) + varint(8) + varint(len(body) + 13) + varint(len(index) - 5)
    return body + block([]) + index + footer.ljust(40, b"\0") + struct.pack("<Q", MAGIC)


HEADER = field(1, 1) + field(3, field(1, 1))  # one shard, of version 1


def entry(content, element=1, dims=(2,), offset=0, size=None, checksum=None, shard=0):
    """Where a tensor is in the data file, and what it is."""
    shape = b"".join(field(2, field(1, dim)) for dim in dims)
    body = field(1, element) + field(2, shape)
    if shard:
        body += field(3, shard)
    return (body + field(4, offset) + field(5, len(content) if size is None else size)
            + varint(6 << 3 | 5)
            + struct.pack("<I", masked(content) if checksum is None else checksum))


def index(*entries, header=HEADER):
    return table(block([(b"", header), *entries]))


# Models.

def tensor_info(name, element=1, dims=(2,)):
    shape = b"".join(field(2, field(1, dim)) for dim in dims)
    return field(1, name) + field(2, element) + field(3, shape)


def ports(number, **infos):
    return b"".join(field(number, field(1, name) + field(2, info)) for name, info in infos.items())


def signature(name, inputs=None, outputs=None):
    body = ports(1, **(inputs or {})) + ports(2, **(outputs or {})) + field(3, "predict")
    return field(5, field(1, name) + field(2, body))


def meta_graph(graph, *more, tags=("serve",)):
    return (field(1, b"".join(field(4, tag) for tag in tags) + field(5, "2.18.1"))
            + field(2, graph) + b"".join(more))


def saved_model(*meta_graphs, version=1):
    return field(1, version) + b"".join(field(2, meta) for meta in meta_graphs)
