#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the generated reference pages are what the sources say now.

Usage: generated_docs_check.py ROOT --tblgen LLVM_TBLGEN --mlir-include DIR --sluice-docs PROGRAM
                               [--update]
Prints a line for each page that differs; with --update it writes the pages instead. It fails, too, if
sluice-docs finds an op that lacks a face, if a pass lacks a part of
its record, or if what callers of models see has no comment. Exit code 0 without faults.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from faults import report

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "sluice-docs"))
import c_api_page  # noqa: E402
import dialect_pages  # noqa: E402
import omission_page  # noqa: E402
import op_records  # noqa: E402
import pass_page  # noqa: E402

REFERENCE = pathlib.Path("docs/reference")
# Pages with a part that is generated: the table of a program's flags.
FLAGS = re.compile(r"(<!-- flags of (\S+), generated -->\n).*?(?=<!-- end of flags -->)", re.DOTALL)
LIMITS = re.compile(r"(<!-- limits, generated -->\n).*?(?=<!-- end of limits -->)", re.DOTALL)


def printed(sluice_docs, *page):
    """The text that sluice-docs prints; its messages are faults."""
    run = subprocess.run([sluice_docs, *page], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True)
    faults = run.stderr.splitlines()
    if run.returncode != 0 and not faults:
        faults = [f"{sluice_docs} {' '.join(page)} failed"]
    return run.stdout, faults


def with_flags(text, sluice_docs):
    """The page with its tables of flags as they are now."""
    faults = []

    def table(match):
        flags, messages = printed(sluice_docs, "flags", match.group(2))
        faults.extend(messages)
        return match.group(1) + flags

    return FLAGS.sub(table, text), faults


def with_limits(text, table):
    """The page of limits with the compiler's table."""
    return LIMITS.sub(lambda match: match.group(1) + table, text)


def generate(root, tblgen, mlir_include, sluice_docs):
    """({page: text}, faults)"""
    pages, faults = {}, []
    for dialect in op_records.load_dialects(tblgen, root, mlir_include):
        pages[REFERENCE / "dialects" / f"{dialect.name}.md"] = dialect_pages.page(dialect)
    passes = pass_page.load(tblgen, root, mlir_include)
    pipelines, messages = printed(sluice_docs, "pipelines")
    pages[REFERENCE / "passes.md"] = pass_page.page(passes, pipelines)
    faults += pass_page.check(passes) + messages
    for name in ["ops", "tensorflow-ops", "phases", "exit-codes"]:
        text, messages = printed(sluice_docs, name)
        pages[REFERENCE / f"{name}.md"] = text
        faults += messages
    omissions = REFERENCE / "tensorflow-omissions.md"
    pages[omissions], messages = omission_page.page(root, pages[REFERENCE / "tensorflow-ops.md"])
    faults += messages
    pages[REFERENCE / "c-api.md"], messages = c_api_page.page(
        {header: (root / header).read_text() for header in c_api_page.HEADERS})
    faults += messages
    limits = REFERENCE / "limits.md"
    table, messages = printed(sluice_docs, "limits")
    pages[limits] = with_limits((root / limits).read_text(), table)
    faults += messages
    for file in sorted((root / REFERENCE).glob("*.md")):
        if FLAGS.search(file.read_text()):
            text, messages = with_flags(file.read_text(), sluice_docs)
            pages[file.relative_to(root)] = text
            faults += messages
    return pages, faults


def differences(root, pages):
    """The pages that do not say what they should; also pages that nothing generates any more."""
    faults = []
    for page, text in pages.items():
        file = root / page
        if not file.exists() or file.read_text() != text:
            faults.append(f"{page}: differs from what the sources say; "
                          "build the target update-docs to write it again")
    known = {root / page for page in pages}
    for file in sorted((root / REFERENCE / "dialects").glob("*.md")):
        if file not in known:
            faults.append(f"{file.relative_to(root)}: no dialect has this name any more")
    return faults


def write(root, pages):
    for page, text in pages.items():
        (root / page).parent.mkdir(parents=True, exist_ok=True)
        (root / page).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--mlir-include", required=True)
    parser.add_argument("--sluice-docs", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    pages, faults = generate(options.root, options.tblgen, options.mlir_include, options.sluice_docs)
    if options.update:
        write(options.root, pages)
    else:
        faults += differences(options.root, pages)
    return report(faults)


if __name__ == "__main__":
    sys.exit(main())
