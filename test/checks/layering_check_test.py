#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layering check finds what it is there to find."""

import pathlib
import tempfile
import unittest

import layering_check


class LayeringTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def check(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return layering_check.check(self.root)

    def test_includes_downwards_are_allowed(self):
        self.assertEqual(self.check("runtime/memory/a.cpp", '#include "runtime/base/status.h"\n'), [])
        self.assertEqual(self.check("compiler/emit/a.cpp", '#include "dialects/exe/Exe.h"\n'), [])

    def test_includes_upwards_are_found(self):
        self.assertEqual(self.check("runtime/base/a.h", '\n#include "runtime/memory/tensor.h"\n'),
                         ["runtime/base/a.h:2: runtime/base/ does not include "
                          "'runtime/memory/tensor.h'"])
        self.assertEqual(len(self.check("dialects/nd/a.cpp", '#include "compiler/x.h"\n')), 2)

    def test_the_runtime_knows_no_compiler_library(self):
        for header in ("mlir/IR/Value.h", "llvm/ADT/ArrayRef.h", "google/protobuf/message.h"):
            for text in (f'#include "{header}"', f"  #  include <{header}>"):
                self.assertEqual(self.check("runtime/io/a.cpp", text),
                                 [f"runtime/io/a.cpp:1: runtime/ never includes '{header}'"])

    def test_phases_do_not_know_each_other(self):
        self.assertEqual(len(self.check("compiler/import/a.cpp", '#include "compiler/emit/e.h"')), 1)

    def test_the_oracle_does_not_know_the_executor(self):
        text = '#include "runtime/executor/executor.h"\n'
        self.assertEqual(len(self.check("compiler/interpret/a.cpp", text)), 1)

    def test_new_folders_need_a_line(self):
        fault, = self.check("runtime/surprise/a.cpp", '#include "runtime/base/status.h"\n')
        self.assertIn("no line in the table", fault)

    def test_table_generation_files_count_too(self):
        self.assertEqual(len(self.check("dialects/nd/A.td", 'include "compiler/emit/E.td"\n')), 1)

    def test_the_table_has_no_cycle(self):
        def reach(folder, seen):
            for allowed in layering_check.MAY_INCLUDE.get(folder, []):
                for other in layering_check.MAY_INCLUDE:
                    if other != folder and layering_check.within(allowed, other) \
                            and other not in seen:
                        seen.add(other)
                        reach(other, seen)
            return seen
        for folder in layering_check.MAY_INCLUDE:
            # "compiler" and "tools" hold the folder that may include all of its siblings.
            self.assertNotIn(folder, reach(folder, set()) - {folder})
            for other in reach(folder, set()):
                if other != folder and not layering_check.within(folder, other):
                    self.assertNotIn(folder, reach(other, set()), f"{folder} and {other}")


if __name__ == "__main__":
    unittest.main()
