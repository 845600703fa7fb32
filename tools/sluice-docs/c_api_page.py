# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference/c-api.md, from the headers that callers see: their comments, and what they are about.

A comment that begins with ## is a section. Any other stands above a declaration, without an empty
line between; what has none is no part of the interface.
"""

import re

HEADERS = ["runtime/embed/sluice_abi.h", "runtime/embed/sluice.h"]
COMMENT = re.compile(r"/\*(.*?)\*/\n?", re.DOTALL)
INTRODUCTION = """# C interface of compiled models

Generated from `runtime/embed/sluice_abi.h` and `sluice.h`, which [`sluicec --emit=lib`](../how-to/embed.md) also writes into
the headers of models. The reasons are in [embedding](../rationale/embedding.md).
"""


def prose(comment):
    """The text of a comment, without stars."""
    lines = (re.sub(r"^\s*\*? ?", "", line).rstrip() for line in comment.strip().splitlines())
    return "\n".join(lines)


def declaration(code):
    """Of a function what callers see, all else as it is."""
    if code.startswith("static inline"):
        return code[len("static inline "):code.index(") {") + 1] + ";"
    return code.strip()


def page(headers):
    """The page of the headers' texts."""
    return INTRODUCTION + "".join("\n" + sections(header) for header in headers)


def sections(header):
    out = []
    body = header[header.index("/* ## "):header.rindex("#ifdef __cplusplus")]
    for paragraph in re.split(r"\n\n(?!\s)", body):
        match = COMMENT.match(paragraph.lstrip("\n"))
        if not match:
            continue
        text, code = prose(match.group(1)), paragraph.lstrip("\n")[match.end():]
        if text.startswith("## "):
            out.append(text + "\n")
            if code.strip():
                out.append(f"```c\n{declaration(code)}\n```\n")
        elif code.strip():
            out.append(f"```c\n{declaration(code)}\n```\n\n{text}\n")
    return "\n".join(out)
