#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries a report's script in a browser without a window: what the address asks for must be shown.

Usage: page_in_browser_check.py BIN EXAMPLES [--browser chromium]. Not part of the default tests,
which need no browser.
"""

import argparse
import html.parser
import pathlib
import subprocess
import tempfile

PAGERANK = ["--feed", "links", "--fetch", "ranks", "--fetch", "iterations"]


class Elements(html.parser.HTMLParser):
    """The elements of a page after its script has run."""

    def __init__(self, text):
        super().__init__()
        self.found, self.text, self.inside = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.found.append((tag, attributes))
        self.inside.append((tag, attributes.get("id")))

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, name in self.inside:
            if name:
                self.text[name] = self.text.get(name, "") + data

    def items(self, style):
        return [a for _, a in self.found if "data-id" in a and style in a["class"].split()]


class Checker:
    def __init__(self, options):
        self.options = options
        self.passed = self.failed = 0

    def show(self, page, address):
        command = [self.options.browser, "--headless", "--no-sandbox", "--disable-gpu",
                   "--virtual-time-budget=20000", "--window-size=1400,1000", "--dump-dom",
                   f"file://{page}#{address}"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        return Elements(result.stdout)

    def check(self, what, holds):
        print(("ok    " if holds else "FAILED") + " " + what)
        self.passed += bool(holds)
        self.failed += not holds


def run(checker, folder):
    options = checker.options
    page = folder / "r.html"
    subprocess.run([str(options.bin / "sluicec"), str(options.examples / "while-loop/pagerank.pb"),
                    *PAGERANK, "--devices", "2", "--placement-seed", "3", "--emit=html",
                    "-o", str(page)], check=True)
    first = checker.show(page, "")
    checker.check("items are drawn", len(first.items("node")) > 20)
    checker.check("a loop is a box", first.items("loop"))
    checker.check("all is told to be drawn", "ops drawn" in first.text["shown"])
    found = checker.show(page, "graph?find=while/MatMul")
    checker.check("search selects a node", len(found.items("selected")) == 1)
    checker.check("search shows its details", "nd.matmul" in found.text["details"])
    closed = checker.show(page, "graph?open=none")
    checker.check("closed boxes hide their ops",
                  len(closed.items("node")) < len(first.items("node")) and closed.items("closed"))
    checker.check("what is hidden is told", "closed box" in closed.text["shown"])
    inside = checker.show(page, "graph?open=none&find=while/MatMul")
    checker.check("search opens the boxes around a node",
                  inside.items("open") and inside.items("selected"))
    constant = checker.show(page, "graph?find=while/chance_to_follow")
    checker.check("a constant is found at its user",
                  "while/chance_to_follow" in constant.text["details"])
    missing = checker.show(page, "graph?find=no/such/node")
    checker.check("a name that is not there is told", "no node" in missing.text["shown"])
    lines = checker.show(page, "phases?find=while/MatMul")
    hits = [a for _, a in lines.found if "hit" in a.get("class", "").split()]
    checker.check("lines of a node are marked in both panes", len(hits) >= 2)
    for tab in ["wires", "loops", "codelets", "memory"]:
        shown = checker.show(page, tab)
        sections = [a["id"] for tag, a in shown.found
                    if tag == "section" and "shown" in a.get("class", "")]
        checker.check(f"tab {tab} is shown, with text",
                      sections == [tab] and len(shown.text[tab]) > 40)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("examples", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--browser", default="chromium")
    checker = Checker(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        run(checker, pathlib.Path(folder))
    print(f"{checker.passed} passed, {checker.failed} failed")
    return 1 if checker.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
