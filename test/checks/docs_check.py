#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what the docs name exists (linked files, headings, paths in code font and in
pictures), and that links lead from README.md to every page of docs/.

Usage: docs_check.py [ROOT]. Prints a line for each fault. Exit code 0 without faults.
"""

import re

from faults import check_tree

# A path in code font is checked if it starts with one of these folders or is one of these files.
TOP = ["compiler", "dialects", "runtime", "tools", "test", "examples", "docs", ".ci"]
TOP_FILES = ["CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "CONTRIBUTING.md"]

FENCE = re.compile(r"^ *```")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\s]+)`")
# A how-to tells to make a file.
NEW_FILE = re.compile(r"^The new file `[^`]+`:$")
# What a reader types at the start of a line of a code block: ./examples/x/run
COMMAND = re.compile(r"^ *(?:\$ )?\./((?:" + "|".join(map(re.escape, TOP)) + r")/\S+)")


# The text of an SVG picture.
PICTURE_TEXT = re.compile(r">([^<>]+)<")


def anchors(file):
    """Names of the headings of a page as GitHub makes them."""
    found = set()
    for line in file.read_text().splitlines():
        if match := re.match(r"#+ +(.*)", line):
            text = re.sub(r"[^\w\- ]", "", match.group(1).lower())
            found.add(text.strip().replace(" ", "-"))
    return found


def check_link(root, page, target):
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"link to '{target}': no such file"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return f"link to '{target}': no such heading"
    return None


def expand(path):
    """a/{b,c}.h → a/b.h, a/c.h"""
    if match := re.search(r"\{([^{}]*)\}", path):
        for part in match.group(1).split(","):
            yield from expand(path[:match.start()] + part + path[match.end():])
    else:
        yield path


def check_path(root, text):
    path = text.rstrip("/.,:;")
    if path not in TOP_FILES and path.split("/")[0] not in TOP:
        return None
    # Placeholders such as <phase> or NAME stand for something; a path with them cannot be checked.
    if re.search(r"[<>…()=$]|\bNAME\b", path):
        return None
    for one in expand(path):
        exists = any(root.glob(one)) if "*" in one else (root / one).exists()
        if not exists:
            return f"'{text}': no such path"
    return None


def check_page(root, page):
    faults = []
    in_block = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if FENCE.match(line):
            in_block = not in_block
            continue
        found = []
        if in_block or line.startswith("    "):
            if match := COMMAND.match(line):
                found.append(check_path(root, match.group(1)))
        elif not NEW_FILE.match(line):
            found += [check_link(root, page, target) for target in LINK.findall(line)]
            found += [check_path(root, text) for text in CODE.findall(line)]
        where = page.relative_to(root).as_posix()
        faults += [f"{where}:{number}: {fault}" for fault in found if fault]
    return faults


def check_picture(root, picture):
    """Words of a picture that look like paths are paths."""
    faults = []
    for number, line in enumerate(picture.read_text().splitlines(), 1):
        words = [word for text in PICTURE_TEXT.findall(line) for word in text.split() if "/" in word]
        where = f"{picture.relative_to(root).as_posix()}:{number}"
        faults += [f"{where}: {fault}" for word in words if (fault := check_path(root, word))]
    return faults


def linked_pages(page):
    """The pages that a page links to, outside of its code blocks."""
    found, in_block = set(), False
    for line in page.read_text().splitlines():
        in_block ^= bool(FENCE.match(line))
        for target in [] if in_block else LINK.findall(line):
            file = (page.parent / target.partition("#")[0]).resolve()
            if file.suffix == ".md" and file.exists():
                found.add(file)
    return found


def check_reached(root):
    """No page of docs/ is for those only who know its name."""
    waiting = [root / "README.md"] if (root / "README.md").exists() else []
    reached = set(waiting)
    while waiting:
        new = linked_pages(waiting.pop()) - reached
        reached |= new
        waiting += new
    return [f"{page.relative_to(root).as_posix()}: no links lead here from README.md; "
            "name it in docs/README.md"
            for page in sorted((root / "docs").rglob("*.md")) if page not in reached]


def check_shown_answer(root):
    """README shows what the example prints."""
    expected = root / "examples" / "while-loop" / "expected-output.txt"
    if expected.exists() and expected.read_text() not in (root / "README.md").read_text():
        return ["README.md: expected the answer of examples/while-loop/expected-output.txt"]
    return []


def check(root):
    pages = list(root.glob("*.md"))
    for area in ["docs", "examples", "test", "compiler", "dialects", "runtime", "tools"]:
        pages += sorted((root / area).rglob("*.md"))
    faults = [fault for page in pages for fault in check_page(root, page)]
    for picture in sorted((root / "docs").rglob("*.svg")):
        faults += check_picture(root, picture)
    return faults + check_reached(root) + check_shown_answer(root)


if __name__ == "__main__":
    check_tree(check)
