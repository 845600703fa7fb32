#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of --load that are damaged, hostile, or of another program (items 112 to 118)."""

import json
import struct

import harness
from graphdef import FLOAT, INT32, constant, dtype, floats, graph, node, shape, tensor
from harness import BAD_GRAPH, INPUT_OUTPUT, USAGE, Case, add

TWO = node("two", "Const", dtype=dtype(FLOAT),
           value=tensor(FLOAT, [2], values=floats(1.0, 2.0)))
GRAPH = graph(TWO, constant("one"),
              node("v", "VariableV2", dtype=dtype(FLOAT), shape=shape(2)),
              node("w", "VariableV2", dtype=dtype(FLOAT), shape=shape()),
              node("n", "VariableV2", dtype=dtype(INT32), shape=shape()),
              node("set/v", "Assign", "v", "two", T=dtype(FLOAT)),
              node("set/w", "Assign", "w", "one", T=dtype(FLOAT)),
              node("y", "Identity", "v", T=dtype(FLOAT)))
SIGNATURES = {"signatures": [{"name": "main", "fetches": ["y"]},
                             {"name": "set", "targets": ["set/v", "set/w"]}]}
DATA = struct.pack("<3f", 5, 6, 7)


def file(header, data=DATA, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(begin, end, kind="F32", dims=(2,)):
    return {"dtype": kind, "shape": list(dims), "data_offsets": [begin, end]}


GOOD = {"v": entry(0, 8), "w": entry(8, 12, dims=())}


class Variables(Case):
    @classmethod
    def setUpClass(cls):
        """Compiles one program for all tests, and lets it write a file."""
        folder = cls.share_program(GRAPH, signatures=SIGNATURES)
        harness.good([cls.program, "--signature=set", "--save=saved"], folder)
        cls.saved = (folder / "saved").read_bytes()

    def load(self, content, *more):
        path = self.write("in.safetensors", content)
        return [self.program, "--signature=main", f"--load={path}", *more]

    def test_good_files_are_accepted(self):
        self.assertIn(b"[1, 2]", self.accepted(self.load(self.saved)).out)
        self.assertIn(b"[5, 6]", self.accepted(self.load(file(GOOD))).out)
        self.assertIn(b"[5, 6]", self.accepted(self.load(
            file({"__metadata__": {"format": "pt"}} | GOOD))).out)

    def test_item_112_a_file_that_is_not_there(self):
        """item 112: or no regular file"""
        (self.folder / "folder").mkdir()
        for path in ("missing", "folder", "/dev/zero"):
            self.refused(INPUT_OUTPUT, [self.program, "--signature=main", f"--load={path}",
                                        "--save=out"], path)

    def test_item_113_truncated(self):
        """item 113: at every byte"""
        for size in range(len(self.saved)):
            self.refused(BAD_GRAPH, self.load(self.saved[:size], "--save=out"), "in.safetensors")

    def test_item_114_a_bit_flipped(self):
        """item 114: in every byte, another bit in each"""
        for place in range(len(self.saved)):
            changed = bytearray(self.saved)
            changed[place] ^= 1 << place % 8
            self.refused(BAD_GRAPH, self.load(bytes(changed), "--save=out"), "in.safetensors")

    def test_item_114_what_is_damaged_is_said(self):
        self.refused(BAD_GRAPH, self.load(self.saved[:-1] + b"!"), "the file is damaged",
                     "expected the checksum", "use another copy")

    def test_item_116_missing(self):
        """item 116: what the file does not name stays as it is"""
        self.accepted(self.load(file({"v": entry(0, 8)}, DATA[:8])))
        self.refused(BAD_GRAPH, self.load(file({"w": entry(0, 4, dims=())}, DATA[:4])),
                     "node 'y'", "uninitialized value v")

    def test_item_116_extra(self):
        outcome = self.accepted(self.load(file({"v": entry(0, 8), "x": entry(8, 12, dims=())})))
        self.assertIn("warning", outcome.err)
        self.assertIn("'x'", outcome.err)

    def test_item_117_newer_version(self):
        # The same checksum covers the version, so only a newer program can have written this one.
        newer = self.saved.replace(b'"sluice_version":"1"', b'"sluice_version":"2"')
        self.refused(BAD_GRAPH, self.load(newer), "in.safetensors", "damaged")

    def test_item_118_another_format(self):
        """item 118: a file of another kind"""
        for content in (b"", b"PK\x03\x04" + bytes(100), b"\x93NUMPY" + bytes(100), b"{}",
                        bytes(range(256)) * 16):
            self.refused(BAD_GRAPH, self.load(content, "--save=out"), "in.safetensors")

    def test_item_118_limits(self):
        """item 118: files beyond the limits that were set"""
        self.refused(INPUT_OUTPUT, self.load(self.saved, "--limit=variables-file-bytes=100"),
                     "longer than the limit of 100 bytes")
        self.refused(BAD_GRAPH, self.load(self.saved, "--limit=variables-header-bytes=16"),
                     "limit of 16", "--limit variables-header-bytes")


def hostile(item, title, content, *says):
    add(Variables, item, title, lambda self: self.refused(
        BAD_GRAPH, self.load(content, "--save=out"), "in.safetensors", *says))


def header(item, title, changes, *says, data=DATA):
    hostile(item, title, file(GOOD | changes, data), *says)


for count in (2**64 - 1, 2**63, 2**32, 10**8 + 1, 10_000):
    hostile(113, f"header of {count} bytes", file(GOOD, length=count), str(count))
header(115, "overlap", {"w": entry(4, 8, dims=())}, "a gap or an overlap", data=DATA[:8])
header(115, "gap", {"w": entry(9, 13, dims=())}, "a gap or an overlap", data=DATA + b"x")
header(115, "past the end", {"w": entry(8, 16, dims=(2,))}, "got 12")
header(115, "negative offset", {"w": entry(-4, 0, dims=())}, "'data_offsets'")
header(115, "end before begin", {"w": entry(12, 8, dims=())}, "'data_offsets'")
header(115, "offset beyond int64", {"w": entry(2**63, 2**63 + 4, dims=())}, "'data_offsets'")
header(115, "offset that is no whole number", {"w": entry(8.5, 12, dims=())}, "'data_offsets'")
header(115, "three offsets", {"w": entry(8, 12) | {"data_offsets": [8, 10, 12]}}, "'data_offsets'")
header(115, "negative dim", {"w": entry(8, 12, dims=(-1,))}, "'shape'")
header(115, "product of dims overflows", {"w": entry(8, 12, dims=(2**32, 2**32))}, "overflows")
header(115, "bytes overflow", {"w": entry(8, 8, dims=(2**62,))}, '"w"', "overflows")
header(115, "rank 255", {"w": entry(8, 12, dims=(1,) * 255)}, "254")
header(115, "other number of bytes", {"w": entry(8, 12, dims=(2,))}, "expected 8 bytes")
header(115, "bytes that belong to nobody", {}, "expected 12 bytes", data=DATA + b"more")
header(116, "other dtype", {"w": entry(8, 12, "I32", ())}, "'w'", "expected f32", "i32")
header(116, "other shape", {"v": entry(0, 8, "F32", (2, 1))}, "'v'", "f32[2]", "[2,1]")
header(116, "other rank", {"w": entry(8, 12, dims=(1,))}, "'w'", "f32[]", "[1]")
header(116, "dtype that does not exist", {"w": entry(8, 12, "F99", ())}, "F99")
header(116, "unknown member", {"w": entry(8, 12, dims=()) | {"x": 1}}, 'unknown member "x"')
hostile(116, "all names are others", file({"a": entry(0, 8), "b": entry(8, 12, dims=())}),
        "none of the variables", "'a'")
hostile(116, "name twice", file(b'{"v":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},'
                                b'"v":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}'), "twice")
hostile(118, "nesting", file(b"[" * 100_000, b""), "nested deeper than 64")
hostile(118, "very many values", file(b"[" + b"1," * 5_000_000 + b"1]", b""), "more than 4194304")
hostile(118, "header that is no text", file(bytes(range(256))), "JSON")
hostile(118, "metadata that is no object", file({"__metadata__": []} | GOOD), "__metadata__")
hostile(118, "metadata that is no text", file({"__metadata__": {"a": 1}} | GOOD), "__metadata__")

for text in ("variables-file-bytes", "variables-file-bytes=", "variables-file-bytes=0",
             "variables-file-bytes=-1", "variables-file-bytes=1X", "json-depth=1K", "json-depth=1001",
             "=1", "nix=1", "iterations=99999999999999999999"):
    add(Variables, 136, f"limit {text}", lambda self, text=text: self.refused(
        USAGE, self.load(self.saved, f"--limit={text}"), "--limit"))
add(Variables, 136, "limit twice", lambda self: self.refused(
    USAGE, self.load(self.saved, "--limit=json-depth=9", "--limit=json-depth=8"), "twice"))
add(Variables, 136, "limit that is nearly right", lambda self: self.refused(
    USAGE, self.load(self.saved, "--limit=iteration=9"), "did you mean 'iterations'"))

if __name__ == "__main__":
    harness.main()
