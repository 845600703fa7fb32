#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The docs check finds dead links, headings and paths, and leaves the rest alone."""

import pathlib
import tempfile
import unittest

import docs_check


class DocsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        (self.root / "docs").mkdir()
        (self.root / "runtime").mkdir()
        (self.root / "runtime" / "a.h").touch()
        (self.root / "docs" / "other.md").write_text("# A heading: here\n")
        (self.root / "README.md").write_text("[docs](docs/other.md) [more](docs/page.md#top)\n"
                                             "# Top\n")

    def check(self, text):
        text += "# Top\n"
        (self.root / "docs" / "page.md").write_text(text)
        return docs_check.check(self.root)

    def test_good_pages_pass(self):
        self.assertEqual(self.check("[a](other.md#a-heading-here) [b](https://x.org) "
                                    "`runtime/a.h` `runtime/` `runtime/*.h` `x/y`\n"), [])

    def test_dead_links_are_found(self):
        self.assertEqual(self.check("\n[a](gone.md)\n"),
                         ["docs/page.md:2: link to 'gone.md': no such file"])
        self.assertEqual(self.check("[a](other.md#gone)\n"),
                         ["docs/page.md:1: link to 'other.md#gone': no such heading"])

    def test_a_file_that_the_reader_makes_need_not_be_there(self):
        self.assertEqual(self.check("The new file `runtime/b.h`:\n"), [])

    def test_dead_paths_are_found(self):
        self.assertEqual(self.check("see `runtime/gone.h`\n"),
                         ["docs/page.md:1: 'runtime/gone.h': no such path"])
        self.assertEqual(len(self.check("`runtime/{a,gone}.h`\n")), 1)
        self.assertEqual(len(self.check("`runtime/*.cpp`\n")), 1)

    def test_commands_in_blocks_are_checked(self):
        self.assertEqual(len(self.check("```\n./test/gone --now\n```\n")), 1)
        self.assertEqual(len(self.check("    ./test/gone\n")), 1)

    def test_placeholders_and_blocks_are_left_alone(self):
        self.assertEqual(self.check("`compiler/<phase>/` \n```\nruntime/gone.h\n```\n"), [])

    def test_pages_without_a_way_to_them_are_found(self):
        (self.root / "docs" / "lost.md").write_text("[back](page.md)\n")
        (self.root / "docs" / "also.md").write_text("[lost](lost.md)\n")
        fault = "no links lead here from README.md; name it in docs/README.md"
        expected = [f"docs/also.md: {fault}", f"docs/lost.md: {fault}"]
        self.assertEqual(self.check("x\n"), expected)
        self.assertEqual(self.check("```\n[a](also.md)\n```\n"), expected)
        self.assertEqual(self.check("[a](also.md)\n"), [])

    def test_dead_paths_in_pictures_are_found(self):
        (self.root / "docs" / "a.svg").write_text('<svg x="runtime/no.h">\n<text>runtime/a.h '
                                                  'runtime/gone/ and/or</text></svg>\n')
        self.assertEqual(self.check("x\n"), ["docs/a.svg:2: 'runtime/gone/': no such path"])


if __name__ == "__main__":
    unittest.main()
