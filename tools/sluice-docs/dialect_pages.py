# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reference pages of the dialects, rendered from their op records."""

import itertools


def value_lines(title, values):
    if not values:
        return []
    words = [f"`{v.name}`{'…' if v.variadic else ''}: {v.what}" for v in values]
    return [f"- **{title}**: " + "; ".join(words)]


def op_section(record, level):
    lines = [f"{'#' * level} {record.name}", "", f"*{record.summary}*", "", record.semantics, ""]
    lines += value_lines("Operands", record.operands)
    lines += value_lines("Attributes", record.attributes)
    lines += value_lines("Results", record.results)
    lines += [f"- **Fires** {record.fires}",
              f"- **Dead operands**: {record.dead}",
              f"- **Run-time errors**: {record.failures}"]
    constraints = record.numbered_constraints()
    lines += ["- **Constraints**:" + ("" if constraints else " none.")]
    lines += [f"  - C{number}. {text}" for number, text in constraints]
    return lines + ["", "```mlir", record.example, "```", ""]


def page(dialect):
    lines = [f"# The {dialect.name} dialect: {dialect.summary}", "",
             f"Generated from the definitions in `dialects/{dialect.name}/`. "
             "[All ops and their faces](../ops.md).", "", dialect.description, ""]
    if dialect.types:
        lines += ["## Types", "", "| type | meaning |", "|---|---|"]
        lines += [f"| `{name}` | {summary} |" for name, summary in dialect.types] + [""]
    for family, records in itertools.groupby(dialect.records, key=lambda record: record.family):
        lines += [f"## {family.capitalize()}" if family else "## Ops", ""]
        for record in records:
            lines += op_section(record, 3)
    return "\n".join(lines).rstrip("\n") + "\n"
