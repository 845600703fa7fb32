#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of generated_docs_check.py and of the pages that it makes."""

import pathlib
import tempfile
import unittest

import generated_docs_check as check
import c_api_page
import dialect_pages
import omission_page
import pass_page
from op_records import Dialect, Record, Value

RECORD = Record("nd", "nd.add", "elementwise", "dialects/nd/x.td", summary="sum", semantics="Adds.",
                fires="when all is there.", dead="dead.", failures="none.",
                constraints="C1. One. C2. Two.", example="%z = nd.add %x",
                operands=[Value("lhs", "tensor"), Value("more", "tensor", True)])


class Pages(unittest.TestCase):
    def test_a_page_has_every_part_of_a_record(self):
        text = dialect_pages.page(Dialect("nd", "math", "About.", [("!nd.string", "bytes")], [RECORD]))
        for part in ["# The nd dialect: math", "About.", "| `!nd.string` | bytes |", "## Elementwise",
                     "### nd.add", "*sum*", "Adds.", "- **Fires** when all is there.", "  - C2. Two.",
                     "`lhs`: tensor; `more`…: tensor", "```mlir\n%z = nd.add %x\n```"]:
            self.assertIn(part, text)


class Omissions(unittest.TestCase):
    GROUPS = [["Logs", "Nobody reads them.", "*Summary"], ["Rest", "Later.", "Lu Eig"]]

    def test_every_op_has_the_first_group_that_knows_it(self):
        groups, faults = omission_page.grouped(["Eig", "ImageSummary", "Lu"], self.GROUPS)
        self.assertEqual(faults, [])
        self.assertEqual(groups, [("Logs", "Nobody reads them.", ["ImageSummary"]),
                                  ("Rest", "Later.", ["Eig", "Lu"])])

    def test_ops_without_a_reason_and_reasons_without_an_op_are_faults(self):
        _, faults = omission_page.grouped(["Eig", "ImageSummary", "Qr"], self.GROUPS)
        self.assertEqual([fault.split(": ", 1)[1] for fault in faults],
                         ["op Qr is refused: expected a reason", "'Lu' names no op that is refused"])

    def test_a_page_has_ops_tests_and_types(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for file, text in {
                    omission_page.TABLES / "opdefs.tsv": "# of\nAdd\tx\nLu\tx\n",
                    omission_page.TABLES / "omissions.tsv": "Rest\tLater.\tLu\n",
                    omission_page.FIXTURES / "tf2" / "skipped-gradients.tsv": "a.B\tno a|b\n",
                    omission_page.FIXTURES / "ops" / "no_kernel.tsv": "Add\tT=half\tno kernel\n",
                    omission_page.FIXTURES / "ops" / "unrecorded.tsv": "Sub\tT=int8\thangs\n"}.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text)
            text, faults = omission_page.page(root, "`Add` (moves)\n")
        self.assertEqual(faults, [])
        for part in ["### Rest\n\nLater.\n\n`Lu`\n",
                     "| with `--gradients` | `tf2/a.B` | no a\\|b |\n", "\n`Add` 1\n",
                     "| `Sub` | `T=int8` | hangs |\n"]:
            self.assertIn(part, text)


class Passes(unittest.TestCase):
    def test_a_page_has_every_part_of_a_record(self):
        one = pass_page.Pass("place-x", "place", "f.td", "put", "*Requires* a. *Produces* b.",
                             [("seed", "uint64_t", "0", "draws")], [("moved", "ops moved")])
        self.assertEqual(pass_page.check([one]), [])
        text = pass_page.page([one], "## Pipelines\n")
        for part in ["## place\n", "### place-x", "*put*", "*Requires* a.",
                     "- **Option** `seed` (uint64_t, default `0`): draws", "- **Statistic** `moved`: ops moved",
                     "\n\n## Pipelines\n"]:
            self.assertIn(part, text)

    def test_what_a_record_lacks_is_told(self):
        one = pass_page.Pass("place-x", "partition", "f.td", "put", "Puts.", [], [])
        self.assertEqual([fault.split(" lacks ")[1] for fault in pass_page.check([one])],
                         ["*Requires*", "*Produces*", "a statistic", "a name that begins with partition-"])


HEADER = """// Purpose.
#ifndef X_H
#define X_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ## Things
 *
 * About all. */

/* One
 * thing; and another. */
typedef struct thing {
  int a;
  /* Of a; */
  int b;
} thing;
typedef struct other other;
/* Does "it". */
static inline int act(int a,
                      int b) {
  if (a) {
    return '}';
  }
  return b;
}

/* ## Version */
#define V 1
%s
#ifdef __cplusplus
}
#endif
#endif
"""


class CApi(unittest.TestCase):
    def test_a_page_has_all_that_callers_see(self):
        text, faults = c_api_page.page({"x.h": HEADER % ""})
        self.assertEqual(faults, [])
        self.assertEqual(text.split("\n## ", 1)[1], """Things

About all.

```c
typedef struct thing {
  int a;
  /* Of a; */
  int b;
} thing;
typedef struct other other;
```

One
thing; and another.

```c
int act(int a,
        int b);
```

Does "it".

## Version

```c
#define V 1
```
""")

    def test_what_has_no_comment_is_a_fault(self):
        for code in ("typedef struct more {\n  int a;\n} more;", "static inline void f(void) {}",
                     "/* ## Options */\n\ntypedef int more;"):
            _, faults = c_api_page.page({"x.h": HEADER % f"\n{code}\n"})
            self.assertEqual(len(faults), 1, code)
            self.assertRegex(faults[0], r"x.h:3\d: expected a comment on what callers see: (typedef|static)")


class Differences(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.pages = {check.REFERENCE / "dialects" / "nd.md": "a\n"}

    def test_what_was_written_does_not_differ(self):
        check.write(self.root, self.pages)
        self.assertEqual(check.differences(self.root, self.pages), [])

    def test_missing_and_changed_pages_are_found(self):
        self.assertEqual(len(check.differences(self.root, self.pages)), 1)
        check.write(self.root, {page: "b\n" for page in self.pages})
        self.assertEqual(len(check.differences(self.root, self.pages)), 1)

    def test_pages_of_dialects_that_are_gone_are_found(self):
        check.write(self.root, {**self.pages, check.REFERENCE / "dialects" / "old.md": "x\n"})
        self.assertIn("old.md", check.differences(self.root, self.pages)[0])

    def test_limits_are_replaced(self):
        page = "a\n<!-- limits, generated -->\nold\n<!-- end of limits -->\nb\n"
        self.assertEqual(check.with_limits(page, "new\n"), page.replace("old", "new"))

    def test_messages_of_the_program_are_faults(self):
        program = self.root / "docs-program"
        program.write_text("#!/bin/sh\necho 'error: nd.x: no kernel' >&2\nexit 1\n")
        program.chmod(0o755)
        self.assertEqual(check.printed(str(program), "ops"), ("", ["error: nd.x: no kernel"]))

    def test_tables_of_flags_are_replaced_where_they_stand(self):
        program = self.root / "docs-program"
        program.write_text('#!/bin/sh\necho "$1 of $2"\n')
        program.chmod(0o755)
        page = "a\n<!-- flags of x, generated -->\nold\n<!-- end of flags -->\nb\n"
        self.assertEqual(check.with_flags(page, str(program)),
                         (page.replace("old", "flags of x"), []))


if __name__ == "__main__":
    unittest.main()
