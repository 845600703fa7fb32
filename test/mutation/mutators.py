# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The small mistakes that are put into C++ source, one at a time.

Each mutator takes a Source and yields Mutants. They are mistakes that people make: a condition the
wrong way round or forgotten, the neighbouring operator or table entry, off by one, a call left out.
Not all compile; the machine that tries them finds out.
"""

import re
from functools import cached_property

from cpp_tokens import closing_of, tokens_of
from mutant import Mutant


class Source:
    """One file: its text and its tokens."""

    def __init__(self, path, text):
        self.path = path
        self.text = text

    @cached_property
    def tokens(self):
        return tokens_of(self.text)

    def mutant(self, kind, first, last, replacement):
        """A mutant with something else for the tokens from index `first` to index `last`."""
        start, end = self.tokens[first].start, self.tokens[last].end
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", end)
        line_end = len(self.text) if line_end < 0 else line_end
        new = self.text[line_start:start] + replacement + self.text[end:line_end]
        return Mutant(self.path, self.text.count("\n", 0, start) + 1,
                      self.text[line_start:line_end], new, kind)

    def between(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last].end]

    def is_binary(self, index):
        """Whether it is an operator between blanks: brackets of templates have none."""
        token = self.tokens[index]
        return (token.kind == "operator" and self.text[token.start - 1:token.start].isspace()
                and self.text[token.end:token.end + 1].isspace())


def conditions(source):
    """(first, last) token of the condition of each `if` that declares nothing."""
    for index, token in enumerate(source.tokens[:-2]):
        if token.text != "if" or token.kind != "name" or source.tokens[index + 1].text != "(":
            continue
        close = closing_of(source.tokens, index + 1)
        inside = source.tokens[index + 2:close] if close else []
        if inside and not any(t.text in ("=", ";") for t in inside):
            yield index + 2, close - 1


def negated_conditions(source):
    for first, last in conditions(source):
        yield source.mutant("negated condition", first, last, f"!({source.between(first, last)})")


def dropped_conditions(source):
    for first, last in conditions(source):
        for value in ("true", "false"):
            yield source.mutant("dropped condition", first, last, value)


EXCHANGED_OPERATORS = {
    "&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="],
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
    "+": ["-"], "-": ["+"], "*": ["/", "+"], "/": ["*"], "%": ["/"],
    "+=": ["-=", "="], "-=": ["+="], "*=": ["/="], "&": ["|"], "|": ["&"], "<<": [">>"],
    ">>": ["<<"], "|=": ["&=", "="], "&=": ["|="],
}


def exchanged_operators(source):
    for index, token in enumerate(source.tokens):
        if token.text in EXCHANGED_OPERATORS and source.is_binary(index):
            # Of shifts only those by a number: the others are streams.
            if token.text in ("<<", ">>") and source.tokens[index + 1].kind != "number":
                continue
            for other in EXCHANGED_OPERATORS[token.text]:
                yield source.mutant("exchanged operator", index, index, other)


EXCHANGED_NAMES = dict(pair for one, other in (
    ("min", "max"), ("front", "back"), ("first", "second"), ("lhs", "rhs"), ("any_of", "all_of"),
    ("success", "failure"), ("succeeded", "failed"), ("push_back", "push_front"), ("floor", "ceil"),
    ("break", "continue"), ("insert", "erase"), ("lower_bound", "upper_bound"),
) for pair in ((one, other), (other, one)))


def exchanged_names(source):
    for index, token in enumerate(source.tokens):
        if token.kind == "name" and token.text in EXCHANGED_NAMES:
            yield source.mutant("exchanged name", index, index, EXCHANGED_NAMES[token.text])


INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|[0-9][0-9']*)([uUlLzZ]*)\Z")
FLOATING = re.compile(r"[0-9.]+(?:[eE][+-]?[0-9]+)?[fF]?\Z")


def other_numbers(text):
    if match := INTEGER.match(text):
        digits = match.group(1).replace("'", "")
        value = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
        others = [value + 1] if value == 0 else [value - 1, value + 1]
        return [f"{other}{match.group(2)}" for other in others]
    if FLOATING.match(text):
        return [f"({text} * 1.01f)" if text[-1] in "fF" else f"({text} * 1.01)"]
    return []


def is_capacity(tokens, index):
    """Whether a number is the capacity in `SmallVector<T, 8>`, `SmallString<128>` or their kin: it
    changes no result."""
    if index + 1 >= len(tokens) or tokens[index + 1].text != ">":
        return False
    before = [token.text for token in tokens[max(0, index - 24):index]]
    if before[-1] == "<":
        return before[-2].startswith("Small")
    return before[-1] == "," and any(name.startswith("Small") for name in before)


def changed_constants(source):
    for index, token in enumerate(source.tokens):
        if token.kind == "number" and not is_capacity(source.tokens, index):
            for other in other_numbers(token.text):
                yield source.mutant("changed constant", index, index, other)
        elif token.kind == "name" and token.text in ("true", "false"):
            yield source.mutant("changed constant", index, index,
                                "false" if token.text == "true" else "true")


NO_CALLS = {"return", "if", "for", "while", "switch", "static_assert", "assert", "case", "throw",
            "sizeof", "do", "else", "catch", "delete", "typedef", "using", "decltype", "alignas"}


HARMLESS_CALLS = {"reserve", "shrink_to_fit"}  # they change speed alone


def statement_starts(tokens):
    """Indices of tokens behind `;`, a brace, `else` or the `)` of an `if`, `for` or `while`."""
    behind_header = {closing_of(tokens, index + 1) for index, token in enumerate(tokens[:-1])
                     if token.text in ("if", "for", "while") and tokens[index + 1].text == "("}
    for index in range(1, len(tokens)):
        before = tokens[index - 1]
        if before.text in (";", "{", "}", "else") or index - 1 in behind_header:
            yield index


def removed_calls(source):
    """Statements that are one call, as `list.clear();`, or one step of a counter, as `++count;`."""
    tokens = source.tokens
    for start in statement_starts(tokens):
        index = start
        if tokens[index].text in ("++", "--"):
            index += 1
        if tokens[index].kind != "name" or tokens[index].text in NO_CALLS:
            continue
        called = index > start
        while index < len(tokens):
            token, before = tokens[index], tokens[index - 1]
            if token.text == "(" and before.text in HARMLESS_CALLS:
                break
            if token.text in ("(", "["):
                called = called or token.text == "("
                index = closing_of(tokens, index)
                if index is None:
                    break
            elif token.kind == "name" and index > start and before.kind == "name":
                break  # a declaration
            elif token.kind != "name" and token.text not in ("::", ".", "->", "++", "--"):
                break
            index += 1
        if index is not None and index < len(tokens) and tokens[index].text == ";" and called:
            yield source.mutant("removed call", start, index, ";")


def row_shape(row):
    return tuple(token.text if token.kind == "operator" else token.kind for token in row)


def exchanged_entries(source):
    """A line of a table takes one word from the next line, if both have one shape."""
    newlines = [match.start() for match in re.finditer("\n", source.text)]
    lines, line = {}, 0
    for index, token in enumerate(source.tokens):
        while line < len(newlines) and newlines[line] < token.start:
            line += 1
        lines.setdefault(line, []).append(index)
    for number, row in lines.items():
        other = lines.get(number + 1, [])
        words = [source.tokens[index] for index in row]
        if len(row) < 4 or words[-1].text not in (",", ")", "}", ";", ":"):
            continue
        if row_shape(words) != row_shape([source.tokens[index] for index in other]):
            continue
        for index, neighbour in list(zip(row, other))[1:]:
            mine, its = source.tokens[index], source.tokens[neighbour]
            if mine.kind != "operator" and mine.text != its.text:
                yield source.mutant("exchanged entry", index, index, its.text)


def named_rows(tokens):
    """(first, name, last) token of each row `{"name", …}` of a table, also within a call as
    `made({"name", …})`, that has more than its name."""
    for index in range(1, len(tokens) - 1):
        opens = tokens[index].kind == "string" and tokens[index - 1].text == "{"
        close = closing_of(tokens, index - 1) if opens else None
        if close is None or close == index + 1:
            continue
        if tokens[index - 2].text == "(" and tokens[index - 3].kind == "name":
            yield index - 3, index, close + 1
        else:
            yield index - 1, index, close


def exchanged_rows(source):
    """Two rows of a table, one behind the other, take each other's name."""
    rows, tokens = list(named_rows(source.tokens)), source.tokens
    for (first, name, end), (start, other, last) in zip(rows, rows[1:]):
        if start != end + 2 or tokens[end + 1].text != ",":
            continue

        def rest(begin, name, end):
            return [token.text for token in tokens[begin:name] + tokens[name + 1:end + 1]]
        if rest(first, name, end) == rest(start, other, last):
            continue
        between = source.text[tokens[name].end:tokens[other].start]
        yield source.mutant("exchanged rows", name, other,
                            tokens[other].text + between + tokens[name].text)


MUTATORS = [negated_conditions, dropped_conditions, exchanged_operators, exchanged_names,
            changed_constants, removed_calls, exchanged_entries, exchanged_rows]


def mutants_of(path, text):
    """All mutants of a file."""
    source = Source(path, text)
    return [mutant for mutator in MUTATORS for mutant in mutator(source)]
