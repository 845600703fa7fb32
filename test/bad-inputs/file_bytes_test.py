#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that hold no graph, and things that are no file."""

import gzip
import io
import os
import random
import zipfile

import harness
from graphdef import constant, field, graph, placeholder, unary, varint
from harness import BAD_GRAPH, INPUT_OUTPUT, Case, add_graph_cases, program

SMALL = graph(placeholder("x"), constant("c"), unary("n", "Neg", "x"), unary("y", "Abs", "n"))
NODE = field(1, unary("y", "Neg", "x"))


def zipped():
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("graph.pb", SMALL)
    return memory.getvalue()


class FileBytes(Case):
    def test_item_002_one_byte(self):
        """item 2: a sample here; the unit tests of the importer try all 256"""
        for byte in (0x00, 0x0a, 0x20, 0x7f, 0xff):
            path = self.write("g.pb", bytes([byte]))
            self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out"], "g.pb")

    def test_item_003_random_bytes(self):
        """item 3: random 4 kB"""
        for seed in range(8):
            content = random.Random(seed).randbytes(4096)
            path = self.write("g.pb", content)
            self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out"], "g.pb")

    def test_item_004_truncated(self):
        """item 4: truncated; where a node ends, what is left is a smaller graph without 'y'"""
        ends = [0]
        while ends[-1] < len(SMALL):
            at = ends[-1]
            ends.append(at + 2 + SMALL[at + 1])  # lengths below 128
        self.assertEqual(ends[-1], len(SMALL))
        for length in range(0, len(SMALL) - 4, 3):
            path = self.write("g.pb", SMALL[:length])
            command = [program("sluice-translate"), "--import-graphdef", path, "--fetch=y",
                       "-o", "out"]
            whole = length in ends[1:]
            self.refused(harness.USAGE if whole else BAD_GRAPH, command, "g.pb")

    def test_item_004_truncated_text(self):
        """item 4: the same for the text form"""
        text = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }'
                '\nnode { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }')
        for length in range(0, len(text) - 1, 9):
            path = self.write("g.pbtxt", text[:length])
            outcome = harness.run([program("sluicec"), path, "--fetch=y", "-o", "out"], self.folder)
            self.assertIn(outcome.code, (BAD_GRAPH, harness.USAGE), text[:length] + outcome.err)
            self.assertIn("g.pbtxt", outcome.err)

    def no_file(self, path, *says, extension=""):
        for command in ([program("sluicec"), path, "--fetch=y", "-o", "out"],
                        [program("sluice-translate"), "--import-graphdef", path, "--fetch=y"]):
            self.refused(INPUT_OUTPUT, command, os.path.basename(path), *says)

    def test_item_017_folder(self):
        os.mkdir(self.folder / "g.pb")
        self.no_file(str(self.folder / "g.pb"), "got a directory")

    def test_item_017_pipe(self):
        for name in ("g.pb", "g.mlir"):  # the extension decides who reads it
            os.mkfifo(self.folder / name)
        self.no_file(str(self.folder / "g.pb"), "got a pipe")
        self.refused(INPUT_OUTPUT, [program("sluicec"), "g.mlir", "-o", "out"], "g.mlir")

    def test_item_017_device(self):
        self.no_file("/dev/zero", "got a device")
        os.symlink("/dev/zero", self.folder / "g.mlir")
        self.refused(INPUT_OUTPUT, [program("sluicec"), "g.mlir", "-o", "out"], "g.mlir")

    def test_item_017_missing(self):
        self.no_file("missing.pb", "No such file")
        self.refused(INPUT_OUTPUT, [program("sluicec"), "missing.mlir", "-o", "out"],
                     "missing.mlir", "No such file")

    def test_item_017_circle_of_links(self):
        os.symlink("g.pb", self.folder / "g.pb")
        self.no_file("g.pb", "symbolic link")

    def test_item_017_unreadable(self):
        path = self.write("g.pb", SMALL)
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read every file")
        self.no_file(path, "Permission denied")

    def test_item_019_saved_model_folder(self):
        self.write("model/saved_model.pb", b"\x08\x01\x12\x00")
        self.no_file("model", "SavedModel")


add_graph_cases(FileBytes, [
    (1, "empty file", b"", "no nodes"),
    (1, "empty text file", b"", "no nodes", {"name": "g.pbtxt"}),
    (1, "only versions", field(4, field(1, 24)), "no nodes"),
    (1, "only a comment", b"# nothing\n", "no nodes", {"name": "g.pbtxt"}),
    (3, "random letters", b"qwerty uiop " * 300, "g.pb:1:"),
    (10, "packed length of 2^31-1",
     field(1, field(1, "y") + field(2, "Neg") + field(5, field(1, "T") + field(2, field(
         8, b"\x2a" + varint(2**31 - 1))))), ["byte ", "2147483647 bytes"]),
    (10, "node length of 2^31-1", b"\x0a" + varint(2**31 - 1), "needs 2147483647 bytes"),
    (10, "node length of 2^64-1", NODE + b"\x0a" + varint(2**64 - 1), "are left"),
    (19, "gzip", gzip.compress(SMALL), "gzip"),
    (19, "zip", zipped(), "zip"),
    (19, "onnx", field(1, 7) + field(2, "pytorch") + field(7, b""), "ONNX"),
    (19, "saved model file", field(1, 1) + field(2, field(2, SMALL)), "SavedModel"),
    (19, "numpy array", b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", ".npy"),
    (19, "json", b'{"node": []}', "JSON"),
])

if __name__ == "__main__":
    harness.main()
