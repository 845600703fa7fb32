# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilations that write reports, for the tests of pages and of data."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

DEADLINE = 300  # seconds

bin_folder = examples = None  # set by main

PAGERANK = ["--feed", "links", "--fetch", "ranks", "--fetch", "iterations"]


def compile_graph(arguments, folder, check=True):
    result = subprocess.run([str(bin_folder / "sluicec"), *map(str, arguments)], cwd=folder,
                            capture_output=True, text=True, timeout=DEADLINE)
    if check and result.returncode != 0:
        raise AssertionError(f"exit code {result.returncode}: {result.stderr}")
    return result


class ReportCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-report-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def compile(self, *arguments, check=True):
        return compile_graph(arguments, self.folder, check)

    def page(self, *arguments):
        self.compile(*arguments, "--emit=html", "-o", "r.html")
        return (self.folder / "r.html").read_text(encoding="utf-8")

    def data(self, *arguments):
        result = self.compile(*arguments, "--report", "r.json")
        return json.loads((self.folder / "r.json").read_text(encoding="utf-8")), result


def pagerank():
    return examples / "while-loop/pagerank.pb"


def main():
    """Runs the tests of the calling module; the first arguments are the folders BIN and EXAMPLES."""
    global bin_folder, examples
    bin_folder, examples = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:], verbosity=1)
