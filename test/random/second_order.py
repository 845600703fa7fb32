# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks for derivatives of derivatives. These have no names in a graph file, so it is done in IR."""

import pathlib
import re
import sys

import answers
import ways

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "differential" / "gradients"))
from gradient_requests import without_locations  # noqa: E402

REQUEST = re.compile(r"^ *(%\S+?)(?::(\d+))? = flow\.gradient of (.*) seeds (.*) wrt (.*) stops *(.*?) *"
                     r"\{.*\} : \((.*)\) -> (.*)$")
WEIGHT = "weight_{}"


def imported(compiler, program, folder):
    """The IR of a program, or an abnormal answer."""
    graph_file = folder / "graph.pbtxt"
    graph_file.write_text(program.text())
    code, out, err = ways.execute(
        [str(compiler), str(graph_file), *program.selection_flags(graph_file.with_suffix("")),
         "--stop-after=import"], ways.DEADLINE)
    return out if code == 0 else answers.abnormal(code, err, "import")


def with_second(text):
    """The first request's results are differentiated by its xs, with weights that are fed; fetched
    behind all else."""
    lines = without_locations(text).splitlines()
    number = next(i for i, line in enumerate(lines) if REQUEST.match(line))
    end = next(i for i in range(number, len(lines)) if lines[i] == "  }")
    name, count, _, _, xs, stops, operands, results = REQUEST.match(lines[number]).groups()
    xs, results = xs.split(", "), split_types(results)
    firsts = [f"{name}#{i}" for i in range(int(count))] if count else [name]
    seconds, weights = [f"%second{i}" for i in range(len(xs))], []
    for i, kind in enumerate(results):
        lines.insert(end, f'%weight{i} = flow.feed {{name = "{WEIGHT.format(i)}"}} : () -> {kind}')
        weights.append(f"%weight{i}")
    behind = len(xs) + len(stops.split(", ") if stops else [])
    kinds = [*results, *results, *split_types(f"({operands})")[-behind:]]
    more = [f"{', '.join(seconds)} = flow.gradient of {', '.join(firsts)} seeds "
            f"{', '.join(weights)} wrt {', '.join(xs)} stops {stops} {{name = \"second\"}} "
            f": ({', '.join(kinds)}) -> ({', '.join(results)})"]
    more += [f'flow.fetch {value} {{name = "second{i}"}} : ({kind}) -> ()'
             for i, (value, kind) in enumerate(zip(seconds, results))]
    end += len(results)
    return "\n".join([*lines[:end], *more, *lines[end:]]) + "\n"


def split_types(text):
    """Of `(a, b<c, d>)` or `a`."""
    text = text[1:-1] if text.startswith("(") else text
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def run(compiler, ir, program, way, folder):
    """The answers to all calls."""
    file = folder / "second.mlir"
    file.write_text(ir)
    command = [str(compiler), str(file), "--verify-each", *way.compiler_flags]
    if not way.linked:
        return answers.read(*ways.execute([*command, *way.run_flags, "--calls=-"], ways.DEADLINE,
                                          program.calls_text()))
    executable = folder / "second.program"
    code, _, err = ways.execute([*command, "-o", str(executable)], ways.DEADLINE)
    if code != 0:
        return answers.abnormal(code, err, "compiler")
    return answers.read(*ways.execute([str(executable), *way.run_flags, "--calls=-"],
                                      ways.DEADLINE, program.calls_text()))
