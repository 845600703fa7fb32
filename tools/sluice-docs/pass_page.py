# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference page of the passes, rendered from what TableGen knows of them."""

import inspect
import re
from dataclasses import dataclass

import op_records

# In the order of the phases; passes of the cpu folder belong to codegen.
FOLDERS = ["import", "optimize", "raise", "differentiate", "lower", "place", "partition", "codegen",
           "codegen/cpu", "emit"]


@dataclass
class Pass:
    name: str
    phase: str
    file: str
    summary: str
    description: str
    options: list  # [(name, type, default, text)]
    statistics: list  # [(name, text)]


def load(tblgen, root, mlir_include):
    """All passes, phase by phase, in the order of their files."""
    passes = []
    for folder in FOLDERS:
        file = root / "compiler" / folder / "Passes.td"
        records = op_records.dump(tblgen, root, mlir_include, file)
        for definition in re.findall(r"^def (\w+)", file.read_text(), re.MULTILINE):
            record = records[definition]
            options = [records[option["def"]] for option in record["options"]]
            statistics = [records[statistic["def"]] for statistic in record["statistics"]]
            passes.append(Pass(
                record["argument"], folder.split("/")[0], file.relative_to(root).as_posix(),
                record["summary"], inspect.cleandoc(record["description"] or ""),
                [(o["argument"], o["type"], o["defaultValue"], o["description"]) for o in options],
                [(s["name"], s["description"]) for s in statistics]))
    return passes


def check(passes):
    """What the records lack."""
    faults = []
    for one in passes:
        lacks = [word for word in ("*Requires*", "*Produces*") if word not in one.description]
        # A pass that only prints has nothing to count.
        lacks += [] if one.statistics or "*Produces* no changes." in one.description else ["a statistic"]
        lacks += [] if one.name.startswith(one.phase + "-") else [f"a name that begins with {one.phase}-"]
        faults += [f"{one.file}: '{one.name}' lacks {what}" for what in lacks]
    return faults


def section(one):
    lines = [f"### {one.name}", "", f"*{one.summary}*", "", one.description, ""]
    for name, kind, default, text in one.options:
        shown = f", default `{default}`" if default and default != '""' else ""
        lines.append(f"- **Option** `{name}` ({kind.removeprefix('std::')}{shown}): {text}")
    lines += [f"- **Statistic** `{name}`: {text}" for name, text in one.statistics]
    return lines + [""]


def page(passes, pipelines):
    """The page; `pipelines` is its last section as sluice-docs prints it."""
    lines = ["# Passes", "",
             "Generated from the files `Passes.td` of the [phases](phases.md). "
             "[`sluice-opt --NAME`](sluice-opt.md) runs a pass on IR, `sluice-opt --help` lists all of them "
             "with those of MLIR; [pipelines](#pipelines) run several. Statistics are counted where LLVM "
             "was built to do so, and shown by `--mlir-pass-statistics`.", ""]
    phase = ""
    for one in passes:
        if one.phase != phase:
            phase = one.phase
            lines += [f"## {phase}", ""]
        lines += section(one)
    return "\n".join(lines + [pipelines])
