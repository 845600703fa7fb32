#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of newcomer_check.py."""

import pathlib
import tempfile
import unittest

import newcomer_check as check
from newcomer_check import Block

PAGE = """Text.

Into `a.td`, after `"x">;`:

```tablegen
new
```

At the end of `b.mlir`:

```mlir
last
```

The new file `c.cpp`:

```cpp
all
```

```sh
not applied
```
"""


class Blocks(unittest.TestCase):
    def test_labelled_blocks_are_read(self):
        self.assertEqual(check.read_blocks(PAGE),
                         [Block("a.td", "after", '"x">;', "new\n"), Block("b.mlir", "end", "", "last\n"),
                          Block("c.cpp", "new", "", "all\n")])

    def test_a_label_needs_a_block(self):
        with self.assertRaises(ValueError):
            check.read_blocks("At the end of `b.mlir`:\n\nNo block.\n")

    def test_sources_of_a_kind_are_counted(self):
        block = "At the end of `{}`:\n\n```\nx\n```\n"
        def page(*files):
            return "# Add an op\n\n" + "".join(block.format(name) for name in files)
        few = page("a", "b", "c", "d", "a", "test/e")
        self.assertEqual(list(check.crowded(few + "## A view\n" + block.format("e"))), [])
        self.assertEqual(list(check.crowded(page(*"abcdef"))),
                         ["Add an op: expected at most 5 files but got a, b, c, d, e, f"])

    def test_blocks_go_to_their_places(self):
        text = "one\n  two\nthree\n"
        self.assertEqual(check.apply(Block("f", "after", "two", "x\n"), text), "one\n  two\nx\nthree\n")
        self.assertEqual(check.apply(Block("f", "before", "two", "x\n"), text), "one\nx\n  two\nthree\n")
        self.assertEqual(check.apply(Block("f", "end", "", "x\n"), text), text + "x\n")

    def test_the_place_must_be_there_once(self):
        for text in ["one\n", "two\ntwo\n"]:
            with self.assertRaises(ValueError):
                check.apply(Block("f", "after", "two", "x\n"), text)


class Copy(unittest.TestCase):
    def test_equal_files_keep_their_time_and_old_files_go(self):
        with tempfile.TemporaryDirectory() as folder:
            root, copy = pathlib.Path(folder) / "root", pathlib.Path(folder) / "copy"
            (root / "tools").mkdir(parents=True)
            (root / "tools/a").write_text("a\n")
            check.synchronize(root, copy, [Block("tools/a", "end", "", "b\n")])
            time = (copy / "tools/a").stat().st_mtime_ns
            (copy / "tools/old").write_text("x")
            check.synchronize(root, copy, [Block("tools/a", "end", "", "b\n"),
                                           Block("tools/n", "new", "", "c\n")])
            self.assertEqual((copy / "tools/n").read_text(), "c\n")
            self.assertEqual((copy / "tools/a").read_text(), "a\nb\n")
            self.assertEqual((copy / "tools/a").stat().st_mtime_ns, time)
            self.assertFalse((copy / "tools/old").exists())

    def test_a_new_file_must_be_new(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / "root"
            (root / "tools").mkdir(parents=True)
            (root / "tools/a").write_text("a\n")
            with self.assertRaises(ValueError):
                check.synchronize(root, root.parent / "copy", [Block("tools/a", "new", "", "b\n")])


if __name__ == "__main__":
    unittest.main()
