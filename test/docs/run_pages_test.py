#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of run_pages.py."""

import os
import pathlib
import tempfile
import unittest

import run_pages
from run_pages import Command, File

PAGE = """Write this as `a.txt`:

```text
one
```

```console
$ cat a.txt
one
$ printf 'x\\ny\\nz\\n'
x
…
$ echo number 12
number …
$ (exit 3)
(exit code 3)
```

<!-- not run: it would take long -->

```sh
false
```

```sh
test -f a.txt
export b=two
```

```console
$ echo \\
  $b
two
```

```c
not a command
```
"""


def faults_of(text):
    with tempfile.TemporaryDirectory() as folder:
        root, run_pages.ROOT = run_pages.ROOT, pathlib.Path(folder)
        try:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            return run_pages.run_page(page, pathlib.Path(os.sep))
        finally:
            run_pages.ROOT = root


class Reading(unittest.TestCase):
    def test_files_commands_and_what_is_left_out(self):
        steps = run_pages.read_page(PAGE)
        self.assertEqual(steps[0], File("a.txt", "one\n"))
        self.assertEqual(steps[1], Command(8, "cat a.txt", ["one"]))
        self.assertEqual(steps[4], Command(15, "(exit 3)", [], 3))
        self.assertEqual([step.text for step in steps[5:]],
                         ["test -f a.txt\nexport b=two", "echo \\\n  $b"])

    def test_output_before_any_command_is_refused(self):
        with self.assertRaises(ValueError):
            run_pages.read_page("```console\nouch\n```\n")


class Running(unittest.TestCase):
    def test_a_good_page_passes(self):
        self.assertEqual(faults_of(PAGE), (6, []))

    def test_other_output_is_a_fault(self):
        _, faults = faults_of("```console\n$ echo one\ntwo\n```\n")
        self.assertIn("page.md:2: printed something else", faults[0])

    def test_missing_and_further_output_is_a_fault(self):
        self.assertTrue(faults_of("```console\n$ echo one\none\ntwo\n```\n")[1])
        self.assertTrue(faults_of("```console\n$ printf 'one\\ntwo\\n'\none\n```\n")[1])

    def test_dots_within_a_line_do_not_cross_lines(self):
        self.assertTrue(faults_of("```console\n$ printf 'a\\nb\\n'\na…b\n```\n")[1])

    def test_an_exit_code_is_a_fault(self):
        self.assertIn("page.md:2: failed", faults_of("```sh\nfalse\n```\n")[1][0])
        self.assertIn("expected exit code 0 but got 4", faults_of("```console\n$ (exit 4)\n```\n")[1][0])
        self.assertTrue(faults_of("```console\n$ true\n(exit code 1)\n```\n")[1])

    def test_a_failure_in_the_middle_of_a_block_is_a_fault(self):
        self.assertTrue(faults_of("```sh\nfalse\ntrue\n```\n")[1])


if __name__ == "__main__":
    unittest.main()
