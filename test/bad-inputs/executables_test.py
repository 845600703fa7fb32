#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What executables refuse: feeds, fetches, .npy files. The interpreter shares this code."""

import json
import os
import struct

import harness
from feed_program import DATA, GRAPH, FeedProgram, described, npy
from graphdef import FLOAT, constant, dtype, enter, graph, node, placeholder, unary
from harness import BAD_GRAPH, INPUT_OUTPUT, USAGE, add, program


BUG = 70


class Executables(FeedProgram):
    def test_good_files_are_accepted(self):
        for content in (npy(described()), npy(described(), version=(2, 0)),
                        npy(described().replace("'", '"'), version=(3, 0))):
            self.accepted(self.feed(content)[:2])

    def test_item_109_fortran_order(self):
        """item 109: read as what it says"""
        rows, columns = struct.pack("<6f", 1, 2, 3, 4, 5, 6), struct.pack("<6f", 1, 4, 2, 5, 3, 6)
        outcomes = [self.accepted(self.feed(npy(described(order=order), data))[:2])
                    for order, data in (("False", rows), ("True", columns))]
        self.assertEqual(outcomes[0].out, outcomes[1].out)

    def test_item_103_values_that_are_no_numbers(self):
        """item 103: are values like others; denormal ones count as zero in arithmetic"""
        words = (0x7fc00000, 0xff800000, 0x7f800000, 0x00000001, 0x80000000, 0x7fa00001)
        outcome = self.accepted(self.feed(npy(described(), struct.pack("<6I", *words))))
        negated = struct.unpack("<6I", (self.folder / "out.npy").read_bytes()[-24:])
        self.assertEqual([word ^ 0x80000000 for word in negated[:3]], list(words[:3]))
        outcome = self.accepted([self.program, "--input=x=2x3xf32=nan,-inf,inf,1e-45,-0,1"])
        self.assertIn(b"nan, inf, -inf", outcome.out)

    def test_damaged_tables(self):
        """a bug or a broken disk; nothing that the user did"""
        start = b"SLUICE7\n" + b"\1\0\0\0g"  # of the image: its magic, and the program's name
        with open(self.program, "rb") as file:
            content = file.read()
        self.assertEqual(content.count(start), 1)
        for damaged in (b"SLUICE2\n" + start[8:], start[:8] + b"\xff\xff\xff\xffg"):
            path = self.write("damaged", content.replace(start, damaged))
            os.chmod(path, 0o755)
            self.refused(BUG, [path, "--input=x=zeros"], "INTERNAL")

    def test_item_104_not_regular(self):
        os.mkfifo(self.folder / "pipe.npy")
        os.mkdir(self.folder / "folder.npy")
        os.symlink("/dev/zero", self.folder / "device.npy")
        for path in ("pipe.npy", "folder.npy", "device.npy", "missing.npy", "missing.json"):
            self.refused(INPUT_OUTPUT, [self.program, f"--input=x=@{path}"], path)

    def test_item_101_feed_inside_loop(self):
        """item 101: and feeds of references"""
        content = graph(constant("c"), enter("e", "c"), unary("n", "Neg", "e"),
                        unary("exit", "Exit", "n"), placeholder("x"),
                        node("v", "VariableV2", dtype=dtype(FLOAT), shape=b"\x3a\x00"),
                        unary("y", "Neg", "x"))
        path = self.write("g.pb", content)
        for name, says in (("n", "inside a loop"), ("v", "expected a tensor"),
                           ("nix", "no node of this name"), ("x:1", "below 1"), ("^x", "expected")):
            self.refused(USAGE, [program("sluicec"), path, f"--feed={name}", "--fetch=y",
                                 "-o", "out"], name, says)

    def test_item_102_fetches(self):
        """item 102: no outputs, an output that does not exist, nothing at all"""
        path = self.write("g.pb", GRAPH)
        for fetch, says in (("tick", "--run tick"), ("y:1", "below 1"), ("y:-1", "expected"),
                            ("y:99999999999", "below 1"), ("", "expected"), ("^y", "expected")):
            self.refused(USAGE, [program("sluicec"), path, "--feed=x", f"--fetch={fetch}",
                                 "-o", "out"], says)
        self.refused(USAGE, [program("sluicec"), path, "--feed=x", "-o", "out"],
                     "expected a fetch or a target")
        self.refused(USAGE, [program("sluicec"), path, "--fetch=y", "-o", "out"], "'x'", "--feed")

    def test_item_099_feeds_of_the_compiler(self):
        """item 99: given twice, or fetched as well"""
        path = self.write("g.pb", GRAPH)
        command = [program("sluicec"), path, "-o", "out"]
        self.refused(USAGE, command + ["--feed=x", "--feed=x:0", "--fetch=y"], "'x:0'", "twice")
        self.refused(USAGE, command + ["--feed=y", "--fetch=y"], "'y'", "fed")

    def test_item_099_calls(self):
        """item 99: in requests; a bad line is answered, and the next one still works"""
        good = {"signature": "whole", "inputs": {"i:0": {"dtype": "int32", "shape": [1],
                                                         "b64": "BwAAAA=="}}}
        bad = ['{"signature": "nix", "inputs": {}}', "{", "[" * 100_000, '"text"', "\xff\xfe",
               '{"signature": "whole", "inputs": {}}',
               '{"signature": "whole", "inputs": {"k:0": {}}}',
               '{"signature": "whole", "inputs": {"i:0": {"dtype": "int32", "shape": [4611686018427'
               '387904, 4], "b64": ""}}}',
               '{"signature": "whole", "inputs": {"i:0": {"dtype": "int32", "shape": [-1], '
               '"b64": ""}}}',
               '{"signature": "whole", "inputs": {"i:0": {"dtype": "int32", "shape": [2], '
               '"b64": "BwAAAA=="}}}',
               '{"signature": "whole", "inputs": {"i:0": {"dtype": "float32", "shape": [1], '
               '"b64": "BwAAAA=="}}}']
        path = self.write("calls", "\n".join(bad + [json.dumps(good)]) + "\n")
        outcome = self.refused(BAD_GRAPH, [self.program, f"--calls={path}"],
                               f"{len(bad)} of {len(bad) + 1} calls failed")
        answers = [json.loads(line) for line in outcome.out.splitlines()]
        self.assertEqual(len(answers), len(bad) + 1)
        for line, answer in zip(bad, answers):
            self.assertIn("error", answer, line)
        self.assertIn("outputs", answers[-1])


def add_flags(item, title, code, flags, *says):
    add(Executables, item, title,
        lambda self: self.refused(code, [self.program, *flags], *says))


def add_npy(item, title, content, *says):
    add(Executables, item, title,
        lambda self: self.refused(BAD_GRAPH, self.feed(content), "x", *says))


X = "--input=x=2x3xf32=1,2,3,4,5,6"

for arguments in [
    (99, "unknown feed", USAGE, [X, "--input=z=f32=1"], "'z'"),
    (99, "feed of another signature", USAGE, ["--signature=main", X, "--input=i=1xi32=1"], "'i'"),
    (99, "feed given twice", USAGE, [X, "--input=x:0=zeros"], "--input", "twice", "'x:0'"),
    (99, "unknown fetch", USAGE, [X, "--output=nix=-"], "'nix'"),
    (99, "fetch of a feed", USAGE, [X, "--output=x=-"], "'x'"),
    (99, "fetch given twice", USAGE, [X, "--output=y=-", "--output=y:0=-"], "twice"),
    (99, "unknown target", USAGE, [X, "--run=nix"], "'nix'"),
    (99, "unknown signature", USAGE, ["--signature=nix", X], "'nix'"),
    (100, "missing feed", USAGE, ["--signature=main"], "x"),
    (100, "one of two feeds missing", USAGE, ["--signature=both", X], "i"),
    (100, "other dtype", BAD_GRAPH, ["--input=x=2x3xi32=1,2,3,4,5,6"], "x", "f32", "i32"),
    (100, "other shape", BAD_GRAPH, ["--input=x=3x2xf32=1,2,3,4,5,6"], "x", "[2,3]", "[3,2]"),
    (100, "other rank", BAD_GRAPH, ["--input=x=6xf32=1,2,3,4,5,6"], "x", "[2,3]", "[6]"),
    (100, "too few elements", USAGE, ["--input=x=2x3xf32=1,2,3"], "x"),
    (100, "too many elements", USAGE, ["--input=x=2x3xf32=1,2,3,4,5,6,7"], "x"),
    (100, "element that is no number", USAGE, ["--input=x=2x3xf32=1,2,3,4,5,six"], "x", "six"),
    (100, "element out of range", USAGE, ["--signature=whole", "--input=i=1xi32=2147483648"], "2147483648"),
    (100, "negative dim", USAGE, ["--input=x=-2x3xf32=1"], "x"),
    (100, "huge dims", USAGE, ["--input=x=4294967296x4294967296xf32=1"], "x"),
    (100, "unknown dtype", USAGE, ["--input=x=2x3xf99=1"], "x"),
    (100, "no value", USAGE, ["--input=x="], "--input", "'x'"),
    (100, "no name", USAGE, ["--input==zeros"], "--input"),
    (100, "no equals sign", USAGE, ["--input=x"], "--input"),
    (102, "target as output", USAGE, ["--signature=both", X, "--input=i=1xi32=1",
                                      "--output=tick=-"], "'tick'"),
    (102, "index out of bounds", USAGE, [X, "--output=y:1=-"], "'y:1'"),
]:
    add_flags(*arguments)

for arguments in [
    (104, "bad magic", npy(described(), magic=b"\x93NUMPX"), "NUMPY"),
    (104, "empty file", b""),
    (104, "only the magic", b"\x93NUMPY"),
    (104, "version 9", npy(described(), version=(9, 0)), "version", "9.0"),
    (104, "version 0", npy(described(), version=(0, 0)), "version", "0.0"),
    (105, "header beyond the end", npy(described(), length=60_000), "60000"),
    (105, "header of 4 GB", npy(described(), version=(2, 0), length=2**32 - 1), "4294967295"),
    (105, "truncated length", b"\x93NUMPY\x02\x00\x76"),
    (106, "header that imports", npy("__import__('os').system('touch hacked')")),
    (106, "dtype that imports", npy(described(descr="__import__('os')")), "dtype"),
    (106, "dims that compute", npy(described(shape="(2, 1+2)"))),
    (106, "dims that run", npy(described(shape="(exit(), 3)"))),
    (106, "nested brackets", npy("(" * 60_000)),
    (106, "bytes that are no text", npy(bytes(range(256)))),
    (107, "missing shape", npy("{'descr': '<f4', 'fortran_order': False}"), "shape"),
    (107, "missing dtype", npy("{'fortran_order': False, 'shape': (2, 3)}"), "descr"),
    (107, "extra key", npy(described()[:-3] + "'colour': 'red', }"), "colour"),
    (107, "key twice", npy(described()[:-3] + "'shape': (2, 3), }"), "shape", "twice"),
    (107, "dim -1", npy(described(shape="(-1,)"))),
    (107, "product of dims overflows", npy(described(shape="(2**62, 2**62)"))),
    (107, "product of written-out dims overflows",
     npy(described(shape="(4611686018427387904, 4611686018427387904)"))),
    (107, "dim beyond int64", npy(described(shape="(99999999999999999999,)"))),
    (107, "shape that is a number", npy(described(shape="6"))),
    (107, "shape in brackets of a list", npy(described(shape="[2, 3]"))),
    (107, "shape without a comma", npy(described(shape="(6)"))),
    (107, "rank 10000", npy(described(shape="(" + "1," * 10_000 + ")")), "dims"),
    (107, "text after the dict", npy(described() + "'more'")),
    (107, "order that is no bool", npy(described(order="'F'"))),
    (108, "objects", npy(described(descr="'|O'")), "|O", "objects"),
    (108, "records", npy(described(descr="[('a', '<f4')]")), "records"),
    (108, "big-endian", npy(described(descr="'>f4'")), ">f4", "big-endian"),
    (108, "text", npy(described(descr="'<U3'")), "<U3", "strings"),
    (108, "half where float is wanted", npy(described(descr="'<f2'"), bytes(12)), "f16"),
    (108, "double where float is wanted", npy(described(descr="'<f8'"), bytes(48)), "f64"),
    (108, "long double", npy(described(descr="'<f16'"), bytes(96)), "<f16"),
    (108, "dates", npy(described(descr="'<M8[ns]'"), bytes(48)), "<M8"),
    (110, "data too short", npy(described(), DATA[:-1]), "24", "23"),
    (110, "no data", npy(described(), b""), "24"),
    (110, "data too long", npy(described(), DATA + b"\0"), "24", "25"),
    (110, "data of another shape", npy(described(shape="(3, 2)")), "[2,3]", "[3,2]"),
]:
    add_npy(*arguments)

if __name__ == "__main__":
    harness.main()
