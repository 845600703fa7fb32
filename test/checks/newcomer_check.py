#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the how-tos of a newcomer's journeys (an op, a pass, a device): applies their code blocks to one
copy of the source tree, builds what they touch, and runs the tests that they add.

Usage: newcomer_check.py ROOT --work DIR --lit LIT --tblgen LLVM_TBLGEN --mlir-include DIR
                         [--cmake=ARGUMENT]…
DIR keeps the copy and its build, so that a second run only builds what has changed.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

PAGES = [f"docs/how-to/add-{what}.md" for what in ("an-op", "a-pass", "a-device")]
OP = "nd.cosh"
COPIED = ["CMakeLists.txt", "compiler", "dialects", "runtime", "tools", "packaging", "test",
          "docs/reference/tensorflow-ops.md"]
NOT_COPIED = {"test/conformance/fixtures", "test/runtime"}
# Everything in test/runtime would be built into one program; the pages change two files of it.
RUNTIME_TESTS = ["test/runtime/kernels/elementwise_test.cpp", "test/runtime/device/conformance_test.cpp"]
TARGETS = ["sluice-opt", "sluice-translate", "runtime-tests"]
# Where the README's commands build; ccache must see the same relative paths.
BUILD = "build/release"
# Takes the place of the files of the same names in the copy.
STAND_INS = {"tools/sluice-opt": "test/checks/newcomer/sluice-opt", "test": "test/checks/newcomer/test"}
# What a TensorFlow graph with the new op looks like.
GRAPH = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Cosh" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
"""

# An op lives in few places: so many source files are edited at most for each kind on the first page.
MOST_SOURCES = {"Add an op": 5, "A reduction": 5, "A view": 6}

LABEL = re.compile(r"^(?:Into `([^`]+)`, (after|before) `(.*)`|At the (end) of `([^`]+)`"
                   r"|The (new) file `([^`]+)`):$")


@dataclass
class Block:
    file: str
    place: str  # after, before, end or new
    anchor: str
    code: str


def read_blocks(page):
    """The labelled code blocks of a page. Blocks without a label are not meant to be applied."""
    blocks, lines, i = [], page.splitlines(), 0
    while i < len(lines):
        label = LABEL.match(lines[i])
        i += 1
        if not label:
            continue
        while not lines[i].startswith("```"):
            if lines[i].strip():
                raise ValueError(f"expected a code block after '{label.group(0)}'")
            i += 1
        end = lines.index("```", i + 1)
        code = "".join(line + "\n" for line in lines[i + 1:end])
        file, place, anchor, at_end, end_file, new, new_file = label.groups()
        blocks.append(Block(file or end_file or new_file, place or at_end or new, anchor or "", code))
        i = end + 1
    return blocks


def crowded(page):
    """The kinds of ops for which a page edits more source files than it may, with the files."""
    parts = re.split(r"^##? (" + "|".join(MOST_SOURCES) + r")$", page, flags=re.MULTILINE)
    for kind, text in zip(parts[1::2], parts[2::2]):
        files = sorted({block.file for block in read_blocks(text)
                        if not block.file.startswith("test/")})
        if len(files) > MOST_SOURCES[kind]:
            yield f"{kind}: expected at most {MOST_SOURCES[kind]} files but got {', '.join(files)}"


def apply(block, text):
    """The text of a file with the block in its place."""
    if block.place == "end":
        return text + block.code
    lines = text.splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if line.strip() == block.anchor]
    if len(found) != 1:
        raise ValueError(f"{block.file}: expected one line '{block.anchor}' but got {len(found)}")
    at = found[0] + (block.place == "after")
    return "".join(lines[:at]) + block.code + "".join(lines[at:])


def sources(root):
    """The files to copy, by their path below the root."""
    keep = [root / "test/runtime/CMakeLists.txt", *(root / test for test in RUNTIME_TESTS)]
    for folder in ("kernels", "device"):
        keep += (root / "test/runtime" / folder).glob("*.h")
    for top in COPIED:
        path = root / top
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(root).as_posix()
            skipped = any(name.startswith(folder + "/") for folder in NOT_COPIED)
            if file.is_file() and (not skipped or file in keep) and "__pycache__" not in name:
                yield name


def synchronize(root, copy, blocks):
    """Makes the copy equal to the tree with the blocks applied; leaves what is equal untouched."""
    wanted = {}
    for name in sources(root):
        wanted[name] = (root / name).read_bytes()
    for folder, stand_in in STAND_INS.items():
        for file in (root / stand_in).glob("*"):
            wanted[f"{folder}/{file.name}"] = file.read_bytes()
    for block in blocks:
        if block.place == "new":
            if block.file in wanted:
                raise ValueError(f"{block.file}: is not new")
            wanted[block.file] = block.code.encode()
        else:
            wanted[block.file] = apply(block, wanted[block.file].decode()).encode()
    for name, content in wanted.items():
        file = copy / name
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            if (root / name).exists():
                shutil.copymode(root / name, file)
    for file in sorted(copy.rglob("*")):
        name = file.relative_to(copy).as_posix()
        if file.is_file() and name not in wanted and not name.startswith("build/"):
            file.unlink()


def run(command, **options):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{result.stdout[-6000:]}")
    return result.stdout


def build(copy, folder, cmake_arguments):
    # With paths taken relative to the copy, ccache knows most of the runtime from the tree's own build.
    environment = {**os.environ, "CCACHE_BASEDIR": str(copy.resolve())}
    if not (folder / "build.ninja").exists():
        # What matters of the compiler is that it works, not how fast it runs.
        run(["cmake", "-G", "Ninja", "-S", copy, "-B", folder, "-DSLUICE_COMPILER_FLAGS=-O0",
             *cmake_arguments], env=environment)
    run(["cmake", "--build", folder, "--target", *TARGETS], env=environment)


def test(copy, folder, lit, new_tests, record_arguments):
    run([folder / "bin/runtime-tests", "--gtest_filter=Elementwise*:Devices*"])
    graph = folder / "graph.pbtxt"
    graph.write_text(GRAPH)
    imported = run([folder / "bin/sluice-translate", "--import-graphdef", graph, "--feed=x",
                    "--fetch=y"])
    if f"{OP} " not in imported:
        sys.exit(f"expected the imported graph to use {OP} but got:\n{imported}")
    run([lit, "-v", folder / "test/dialects/nd", folder / "test/compiler/optimize",
         *(folder / name for name in new_tests)])
    run([sys.executable, copy / "test/checks/op_record_check.py", copy, *record_arguments,
         "--sluice-opt", folder / "bin/sluice-opt"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--lit", required=True)
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--mlir-include", required=True)
    parser.add_argument("--cmake", action="append", default=[], metavar="ARGUMENT",
                        help="for configuring the copy; may be repeated")
    options = parser.parse_args()
    for fault in crowded((options.root / PAGES[0]).read_text()):
        sys.exit(f"{PAGES[0]}: {fault}")
    blocks = []
    for page in PAGES:
        found = read_blocks((options.root / page).read_text())
        if not found:
            sys.exit(f"{page}: expected code blocks with labels")
        blocks += found
    copy = options.work / "tree"
    folder = copy / BUILD
    synchronize(options.root, copy, blocks)
    build(copy, folder, options.cmake)
    new_tests = [block.file for block in blocks if block.place == "new"
                 and block.file.startswith("test/") and block.file.endswith(".mlir")]
    test(copy, folder, options.lit, new_tests,
         ["--tblgen", options.tblgen, "--mlir-include", options.mlir_include])


if __name__ == "__main__":
    main()
