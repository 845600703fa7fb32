# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the measured times into docs/performance.md and README.md, and a picture of them."""

import datetime
import os
import pathlib
import re
import subprocess

from rivals import picture
from rivals.families import FAMILIES
from rivals.rounds import median
from rivals.worker import RIVALS

BEGIN, END = "<!-- times, made by test/bench/models -->", "<!-- end of times -->"
OTHERS = [rival for rival in RIVALS if rival != "Sluice"]
PACKAGES = ("tensorflow-cpu", "keras", "jax", "onnxruntime", "tf2onnx", "torch")
# Of different kinds, for the first page.
FIRST = ("LSTM, training, h=128, b=4", "translation with attention, greedy",
         "Q-learning, 100 steps in the graph", "transformer, 4 blocks, b=8", "two scans, 1,000 rows")
LONGEST_REASON = 160


def in_words(seconds):
    if seconds >= 1:
        return f"{seconds:.3g} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.3g} µs"


def readable(reason):
    """What a framework said, without codes and places, and what has a meaning in a page."""
    reason = re.sub(r"^\w+: \[ONNXRuntimeError\] : \d+ : \w+ : |^\w+Error: ", "", reason)
    reason = re.sub(r"[`|<>]", "", re.sub(r"/\S*/", "", reason))
    return re.split(r"\. |: \(", reason)[0][:LONGEST_REASON].strip()


class Reasons:
    """Why there are dashes, each with a number."""

    def __init__(self):
        self.known = []

    def mark(self, entry):
        reason = readable(entry.get("reason", "not measured"))
        if reason not in self.known:
            self.known.append(reason)
        return f"- ({self.known.index(reason) + 1})"


class NoReasons:
    """Where there is no room for them."""

    @staticmethod
    def mark(_entry):
        return "-"


def cells(found, reasons):
    ours = median(found.get("Sluice", {}))
    yield in_words(ours) if ours else reasons.mark(found.get("Sluice", {}))
    for rival in OTHERS:
        theirs = median(found.get(rival, {}))
        if theirs and ours:
            yield f"{theirs / ours:.2f}" if theirs < 10 * ours else f"{theirs / ours:.0f}"
        else:
            yield in_words(theirs) if theirs else reasons.mark(found.get(rival, {}))


def table(results, threads, reasons, names=None):
    yield f"| model | Sluice | {' | '.join(OTHERS)} |"
    yield "|---|" + "---|" * (1 + len(OTHERS))
    for family in FAMILIES:
        for name in family.MODELS:
            found = results.get(name, {}).get(threads)
            if found and (names is None or name in names):
                yield f"| {name} | {' | '.join(cells(found, reasons))} |"


def versions(python):
    asked = f"from importlib.metadata import version\nfor p in {PACKAGES}: print(p, version(p))"
    done = subprocess.run([python, "-c", asked], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return ", ".join(done.stdout.splitlines())


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "")
    return f"{model}, {os.cpu_count()} processors, whose load was {os.getloadavg()[2]:.0f}"


def tables(python, results):
    reasons = Reasons()
    lines = [f"{datetime.date.today()}, {machine()}; {versions(python)}:"]
    for threads, title in (("1", "One thread"), ("2", "Two threads")):
        if any(threads in found for found in results.values()):
            lines += ["", f"### {title}", "", *table(results, threads, reasons)]
    return lines + ["", *(f"{i}. {reason}" for i, reason in enumerate(reasons.known, 1))]


def replace(path, lines):
    before, rest = path.read_text().split(BEGIN)
    path.write_text("\n".join([before + BEGIN, *lines, END]) + rest.split(END)[1])


def write(root, python, results):
    root = pathlib.Path(root)
    replace(root / "docs/performance.md", tables(python, results))
    (root / "docs/performance.svg").write_text(picture.of(results))
    replace(root / "README.md", list(table(results, "1", NoReasons(), FIRST)))
