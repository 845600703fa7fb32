# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ source as tokens with positions, exact enough to change one of them and nothing else."""

import re
from dataclasses import dataclass

PATTERN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\ ]{0,16})\(.*?\)(?P=tag)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'?[0-9a-zA-Z_.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|<=>|\.\.\.|->\*|::|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|[^\s\w])
""", re.VERBOSE | re.MULTILINE | re.DOTALL)

CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Token:
    kind: str  # directive, string, char, number, name or operator
    text: str
    start: int  # offsets into the source
    end: int


def tokens_of(source):
    """All tokens but comments, in order."""
    found = []
    for match in PATTERN.finditer(source):
        kind = "string" if match.lastgroup in ("raw", "tag") else match.lastgroup
        if kind != "comment":
            found.append(Token(kind, match.group(), match.start(), match.end()))
    return found


def closing_of(tokens, opening):
    """The index of the bracket that closes the one at index `opening`, or None."""
    pair = CLOSING[tokens[opening].text]
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].text == tokens[opening].text:
            depth += 1
        elif tokens[index].text == pair:
            depth -= 1
            if depth == 0:
                return index
    return None
