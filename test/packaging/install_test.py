#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the build into a folder, moves that, and works with it in an empty environment.

Usage: install_test.py CMAKE BUILD_FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import examples


class Installation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.folder / "first"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.prefix = (cls.folder / "first").rename(cls.folder / "second place")

    def tool(self, name):
        return self.prefix / "bin" / name

    def test_tools(self):
        self.assertEqual(sorted(os.listdir(self.prefix / "bin")),
                         ["sluice-opt", "sluice-run", "sluice-translate", "sluicec"])
        for name in os.listdir(self.prefix / "bin"):
            self.assertIn(name, examples.output([self.tool(name), "--help"]))

    def test_libraries(self):
        self.assertEqual(sorted(os.listdir(self.prefix / "lib/sluice")),
                         ["libsluice_main.a", "libsluice_member_main.a", "libsluice_runtime.a",
                          "link-recipe"])

    def test_text_names_no_folder_of_the_build(self):
        for file in self.prefix.rglob("*"):
            if file.is_file() and file.parent.name != "bin" and file.suffix != ".a":
                self.assertNotIn(bytes(BUILD), file.read_bytes(), file)

    def test_compiles_and_runs(self):
        self.assertEqual(examples.while_loop(self.tool("sluicec"), self.folder),
                         examples.expected("while-loop"))

    def test_compiles_and_runs_two_processes(self):
        answer = examples.two_processes(self.tool("sluicec"), self.tool("sluice-run"), self.folder)
        self.assertEqual(answer, examples.expected("while-loop"))

    def test_link_to_the_compiler(self):
        link = self.folder / "another-name"
        link.symlink_to(self.tool("sluicec"))
        self.assertEqual(examples.while_loop(link, self.folder), examples.expected("while-loop"))


CMAKE = sys.argv[1]
BUILD = pathlib.Path(sys.argv[2]).resolve()
unittest.main(argv=sys.argv[:1], verbosity=2)
