#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models in three forms, runs them, and compares with TensorFlow.

Usage, with a Python that has TensorFlow (`pip install tensorflow-cpu`):
  compare.py [--sluicec build/release/bin/sluicec] [--page docs/reference/models.md] [NAME]...

NAME: a part of the names of models; default: all. With --page the table there is written again.
Ends with 1 if a model is refused, or differs by more than the largest of its values allows.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import program  # noqa: F401, first: says how TensorFlow is to run

import numpy as np
import tensorflow as tf

import clock
import decoders
import export
import features
import generators
import images
import loops
import recurrent
import training
import transformers
import trees
from tensors import tensor, tensor_json

ROOT = pathlib.Path(__file__).resolve().parents[3]
FAMILIES = (recurrent, loops, decoders, trees, images, transformers, features, generators, training)
FORMS = export.FORMS
COSTS = ("Sluice", "TensorFlow", "size")
DEADLINE = 300  # seconds, on a machine that does much else
# Largest difference in relation to the largest value.
TOLERANCES = {"float16": 5e-3, "bfloat16": 4e-2, "float32": 1e-5, "float64": 1e-12}
BEGIN, END = "<!-- differences, made by compare.py -->", "<!-- end of differences -->"


class Refused(Exception):
    """The compiler or the program has said why."""


def run(command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=DEADLINE,
                          **options)
    if done.returncode:
        raise Refused(f"exit code {done.returncode}\n{done.stderr.strip()}\n{done.stdout[-500:]}")
    return done.stdout


def requests_of(exported, calls):
    return [json.dumps({"inputs": {exported.inputs[name]: tensor_json(value)
                                   for name, value in call.items()}}) for call in calls]


def answers(sluicec, exported, calls, executable):
    run([sluicec, exported.path, *exported.flags, "-o", executable])
    lines = run([executable, "--calls", "-"], input="\n".join(requests_of(exported, calls))).splitlines()
    return [dict(zip(exported.outputs, map(tensor, json.loads(line)["outputs"]))) for line in lines]


class Difference:
    """The largest one of all outputs of all calls."""

    def __init__(self):
        self.absolute = self.relative = 0.0
        self.is_fine = True

    def add(self, got, expected):
        if got.shape != expected.shape or got.dtype != expected.dtype:
            raise Refused(f"got {got.dtype} {got.shape} in place of "
                          f"{expected.dtype} {expected.shape}")
        name = tf.as_dtype(expected.dtype).name
        if name not in TOLERANCES:
            self.is_fine &= np.array_equal(got, expected)
            if not np.array_equal(got, expected):
                self.absolute = self.relative = np.inf
            return
        got, expected = got.astype("float64"), expected.astype("float64")
        if not got.size or np.array_equal(got, expected, equal_nan=True):
            return
        # Infinities that are alike would have NaN as their difference.
        alike = (got == expected) | (np.isnan(got) & np.isnan(expected))
        absolute = np.max(np.abs(np.where(alike, 0, got) - np.where(alike, 0, expected)))
        absolute = np.inf if np.isnan(absolute) else absolute
        finite = np.abs(expected[np.isfinite(expected)])
        relative = absolute / max(np.max(finite, initial=0), np.finfo("float64").tiny)
        self.absolute, self.relative = max(self.absolute, absolute), max(self.relative, relative)
        self.is_fine &= bool(relative <= TOLERANCES[name])

    def __str__(self):
        return f"{self.absolute:.0e} ({self.relative:.0e})" if self.absolute else "0"


def differences(sluicec, model, exported, expected, executable):
    found = Difference()
    answered = answers(sluicec, exported, model.calls, executable)
    for got, wanted in zip(answered, expected, strict=True):
        for output, value in wanted.items():
            found.add(got[output], value)
    return found


def in_words(seconds):
    if seconds is None:
        return "-"
    digits = 0 if seconds >= 1e-4 else 1
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.{digits}f} µs"


def costs(model, exported, executable, rival):
    """Cells of the times of a call, and of the size without symbols."""
    times = clock.measured(executable, rival, exported.path, requests_of(exported, model.calls))
    bare = executable.with_suffix(".stripped")
    run(["strip", "-o", bare, executable])
    return [*map(in_words, times), f"{bare.stat().st_size / 1024:.0f} KiB"]


def compare(sluicec, model, folder, rival=None):
    """One cell for each form, and what was wrong; with a rival, also of what a call costs."""
    cells, faults, expected, more = [], [], None, []
    for name in FORMS:
        if name != FORMS[0] and not model.is_constant:
            cells.append("not frozen")
            continue
        exported = export.write(model, name, folder)
        expected = expected or export.expected(model)  # once it is exported: calls change variables
        try:
            found = differences(sluicec, model, exported, expected, folder / name)
            cells.append(str(found))
            if not found.is_fine:
                faults.append(f"{name}: differs by {found}")
            if rival and name == FORMS[0]:
                more = costs(model, exported, folder / name, rival)
        except Refused as error:
            cells.append("refused")
            faults.append(f"{name}: {error}")
    return cells + more, faults


def table(sluicec, names, folder, rival=None):
    rows, failed = [], 0
    for title in ("MODELS", "VARIANTS"):
        for family in FAMILIES:
            for name, make in getattr(family, title).items():
                if names and not any(each in name for each in names):
                    continue
                program.start(name)
                place = folder / str(len(rows))
                place.mkdir()
                cells, faults = compare(sluicec, make(), place, rival)
                rows.append(f"| {name} | {' | '.join(cells)} |")
                print(rows[-1], *faults, sep="\n", flush=True)
                failed += bool(faults)
    return rows, failed


def write_page(page, rows):
    text = page.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    machine = f"{os.cpu_count()} processors, whose load was {os.getloadavg()[2]:.0f}"
    head = [BEGIN, f"TensorFlow {tf.__version__}, Keras {tf.keras.__version__}; {machine}:", "",
            f"| model | {' | '.join(FORMS + COSTS)} |", "|---|" + "---|" * len(FORMS + COSTS)]
    page.write_text(before + "\n".join([*head, *rows, END]) + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sluicec", type=pathlib.Path, default=ROOT / "build/release/bin/sluicec")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--times", action="store_true", help="say what a call costs, too, as the page does")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for all that is made")
    options = parser.parse_args()
    if options.names and options.page:
        parser.error("--page is for all models")
    if options.keep:
        options.keep.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        rival = clock.Rival() if options.page or options.times else None
        rows, failed = table(options.sluicec, options.names, options.keep or pathlib.Path(temporary), rival)
        if rival:
            rival.close()
    if not rows:
        parser.error("no model has such a name")
    if options.page and not failed:
        write_page(options.page, rows)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
