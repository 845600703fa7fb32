# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference/c-api.md, from the headers that callers see: their comments, and what they are about.

A comment that begins with ## is a section. Any other stands above a declaration, and is about it and about those
that follow without an empty line or a comment between. A declaration of which no comment says anything is a fault.
"""

import re

HEADERS = ["runtime/embed/sluice_abi.h", "runtime/embed/sluice.h"]
COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
# What makes a header one of C and C++, and its includes.
FRAME = re.compile(r'#(?:ifdef|ifndef|endif|include|define \w+_H\b)[^\n]*|extern "C" \{|\}')
SPACE = re.compile(r"\s*")
# Where braces and semicolons are none, and those that are.
PIECE = re.compile(r"""/\*.*?\*/|"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[{};]""", re.DOTALL)
INTRODUCTION = """# C interface of compiled models

Generated from `runtime/embed/sluice_abi.h` and `sluice.h`, which [`sluicec --emit=lib`](../how-to/embed.md) also writes into
the headers of models. The reasons are in [embedding](../rationale/embedding.md).
"""


def prose(comment):
    """The text of a comment, without stars."""
    lines = (re.sub(r"^\s*\*? ?", "", line).rstrip() for line in comment.strip().splitlines())
    return "\n".join(lines)


def end_of_declaration(text, start):
    """Behind what ends the declaration that begins there: a line, a semicolon, or a function's body."""
    if text[start] == "#":
        return text.index("\n", start)
    depth, is_function = 0, text.startswith("static inline", start)
    for piece in PIECE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(piece.group(), 0)
        if depth == 0 and piece.group() == ("}" if is_function else ";"):
            return piece.end()
    return len(text)


def declaration(code):
    """Of a function what callers see, its arguments below each other as before; all else as it is."""
    if not code.startswith("static inline"):
        return code
    shown = code[len("static inline "):code.index(") {") + 1] + ";"
    return shown.replace("\n" + " " * len("static inline "), "\n")


def items(header):
    """(line, comment or None, declaration or None, whether another one stands in the line above)"""
    text = re.sub(r"//[^\n]*", "", header)
    at, comment = 0, None
    while (gap := SPACE.match(text, at)).end() < len(text):
        at, line = gap.end(), text.count("\n", 0, gap.end()) + 1
        is_close = gap.group().count("\n") == 1
        match = COMMENT.match(text, at)
        if comment is not None and (match or not is_close):  # it stands alone
            yield line, comment, None, False
            comment = None
        if match:
            comment, at = prose(match.group(1)), match.end()
        elif match := FRAME.match(text, at):
            at = match.end()
        else:
            end = end_of_declaration(text, at)
            yield line, comment, text[at:end], is_close and comment is None
            at, comment = end, None


def page(headers):
    """(the page of {name: text of a header}, faults)"""
    faults = []
    text = INTRODUCTION + "".join("\n" + sections(name, header, faults)
                                  for name, header in headers.items())
    return text, faults


def sections(name, header, faults):
    """The sections of one header."""
    blocks = []  # texts, and [code, text]
    for line, comment, code, is_close in items(header):
        if code is None:
            blocks.append(comment)
        elif is_close and blocks and isinstance(blocks[-1], list):
            blocks[-1][0] += "\n" + declaration(code)
        elif comment is None:
            faults.append(f"{name}:{line}: expected a comment on what callers see: {code.splitlines()[0]}")
        elif comment.startswith("## "):
            blocks += [comment, [declaration(code), ""]]
        else:
            blocks.append([declaration(code), comment])
    return "\n\n".join(block if isinstance(block, str) else f"```c\n{block[0]}\n```\n\n{block[1]}".rstrip()
                       for block in blocks) + "\n"
