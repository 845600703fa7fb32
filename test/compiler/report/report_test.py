#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of whole compilations: pages that need nothing but themselves.

Usage: report_test.py BIN EXAMPLES.
"""

import html.parser
import json
import re

import report_case
from report_case import PAGERANK, ReportCase, pagerank

EMPTY_ELEMENTS = {"meta", "input", "br", "link", "img", "hr"}

HOSTILE = "</script><script>alert(1)</script><!-- & \\22 ]]> é"
HOSTILE_NAME = HOSTILE.replace("\\22", '"')
HOSTILE_GRAPH = """module {
  flow.graph @main {
    %x = flow.feed {name = "NAME"} : () -> tensor<4xf32> loc("NAME")
    %p = nd.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("a/NAME")
    %q = nd.add %p, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("a/q")
    flow.fetch %q {name = "q:0"} : (tensor<4xf32>) -> () loc("q")
  } loc("main")
} loc("m")
""".replace("NAME", HOSTILE)


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in the order of their opening, and keeps their text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.elements, self.text = [], [], [], {}
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag, _ in self.open]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag not in EMPTY_ELEMENTS:
            self.open.append((tag, attributes.get("id", tag)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes nothing at {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            key = self.open[-1][1]
            self.text[key] = self.text.get(key, "") + data


def without_times(page):
    return re.sub(r'(<script type="application/json" id="times-data">).*?(</script>)', r"\1\2",
                  page, flags=re.DOTALL)


class PageTest(ReportCase):
    def test_is_well_formed(self):
        page = Page(self.page(pagerank(), *PAGERANK))
        self.assertEqual(page.faults, [])
        ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(page.text["title"], "pagerank · Sluice report")

    def test_needs_nothing_from_outside(self):
        text = self.page(pagerank(), *PAGERANK)
        page = Page(text)
        for tag, attributes in page.elements:
            self.assertNotIn(tag, {"link", "img", "iframe", "object", "embed", "base"})
            self.assertFalse({"src", "href", "action", "background"} & set(attributes), tag)
        policy = [a["content"] for tag, a in page.elements
                  if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policy and policy[0].startswith("default-src 'none'"))
        addresses = set(re.findall(r"[a-z]+://[^\s\"'<>)]+", text))
        self.assertLessEqual(addresses, {"http://www.w3.org/2000/svg"})  # a name, not a place
        self.assertNotRegex(page.text["style"], r"@import|url\((?!#)")

    def test_data_of_the_page_are_those_of_the_json(self):
        arguments = [pagerank(), *PAGERANK, "-o", "program"]
        self.compile(*arguments, "--report", "r.html")
        page = Page((self.folder / "r.html").read_text(encoding="utf-8"))
        data, _ = self.data(*arguments)
        self.assertEqual(set(json.loads(page.text["times-data"])), set(data.pop("times")))
        self.assertEqual(json.loads(page.text["facts-data"]), data)

    def test_is_the_same_but_for_times(self):
        arguments = [pagerank(), "--devices", 2, *PAGERANK]
        first, second = self.page(*arguments), self.page(*arguments)
        self.assertEqual(without_times(first), without_times(second))

    def test_hostile_names_stay_names(self):
        (self.folder / "h.mlir").write_text(HOSTILE_GRAPH, encoding="utf-8")
        page = Page(self.page("h.mlir"))
        self.assertEqual(page.faults, [])
        self.assertEqual(sum(tag == "script" for tag, _ in page.elements), 3)
        facts = json.loads(page.text["facts-data"])
        names = {node["name"] for node in facts["graphs"][0]["nodes"]}
        self.assertIn(HOSTILE_NAME, names)
        self.assertEqual(facts["signatures"][0]["feeds"][0]["name"], HOSTILE_NAME)

    def test_hostile_file_name(self):
        name = "<b>&\"'.mlir"
        (self.folder / name).write_text(HOSTILE_GRAPH, encoding="utf-8")
        page = Page(self.page(name))
        self.assertEqual(page.faults, [])
        self.assertEqual(page.text["h1"], "<b>&\"'")

    def test_goes_to_standard_output_without_a_file(self):
        result = self.compile(pagerank(), *PAGERANK, "--emit=html",
                              "--explain-loops")
        self.assertTrue(result.stdout.startswith("<!DOCTYPE html>"))
        self.assertIn("loop 'while/while_context'", result.stderr)


class UsageTest(ReportCase):
    def refuse(self, code, message, *arguments):
        result = self.compile(pagerank(), *PAGERANK, *arguments,
                              check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(message, result.stderr)

    def test_needs_a_file_name(self):
        self.refuse(2, "--report: expected file but got an empty string", "-o", "p", "--report=")

    def test_is_not_the_program(self):
        self.refuse(2, "--report and -o name the same file", "-o", "p", "--report", "p")

    def test_does_not_overwrite_the_input(self):
        graph = self.folder / "g.pb"
        graph.write_bytes((pagerank()).read_bytes())
        result = self.compile("g.pb", *PAGERANK, "-o", "p", "--report", "./g.pb", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("would overwrite the input", result.stderr)

    def test_unwritable_file(self):
        self.refuse(3, "nowhere/r.html", "-o", "p", "--report", "nowhere/r.html")

    def test_failed_compilation_leaves_the_report_alone(self):
        (self.folder / "r.html").write_text("of an earlier run")
        result = self.compile(pagerank(), "--fetch", "nothing", "-o", "p",
                              "--report", "r.html", check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual((self.folder / "r.html").read_text(), "of an earlier run")


if __name__ == "__main__":
    report_case.main()
