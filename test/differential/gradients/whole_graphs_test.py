#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of whole graphs, first and second, in 64 bits: of recorded ones, of examples and of programs/.

Usage: whole_graphs_test.py SLUICEC SLUICE-CONFORMANCE [--filter TEXT] [--least N] [-v]

What was recorded are 32 bits, so the IR that raise makes of a graph is widened. Each request for
derivatives that TensorFlow has answered is made again, with drawn seeds, and once more of what it gives.
Recorded graphs are called with what was recorded, others at drawn points.
"""

import argparse
import base64
import collections
import concurrent.futures
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from asked import Asked, NotSupported  # noqa: E402
from gradient_requests import FEED  # noqa: E402
from whole_graphs import Failed, WholeGraph, packed  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FIXTURES = [ROOT / "test/conformance/fixtures" / name for name in ("tf1", "tf2", "rnn", "apps")]


def recorded(sluicec, conformance, kept, only):
    """What the conformance tool asks for, as it keeps it."""
    if only.startswith(("programs", "examples")):
        return
    subprocess.run([conformance, f"--compiler={sluicec}", "--gradients", "--interpret=differentiate",
                    f"--keep-temps={kept}", *FIXTURES], stdout=subprocess.DEVNULL, check=True)
    for flags in sorted(kept.glob("*/*/program*.flags")):
        name = f"{flags.parent.parent.name}/{flags.parent.name}/{flags.stem}"
        calls = list(flags.parent.glob(f"{flags.stem}.calls*.jsonl"))
        if only not in name or not calls:
            continue
        # Of several graphs the last one that has all names: each has those before it.
        for file in sorted(flags.parent.glob("*.pb"), reverse=True):
            yield WholeGraph(sluicec, name, file, flags.read_text().splitlines(),
                            json.loads(calls[0].read_text().splitlines()[0]), flags.parent)


# What is asked of a graph, and the dims of what it is fed and of its variables.
EXAMPLES = {
    "examples/while-loop/pagerank.pb": ("ranks=links", {"links": [6, 6]}, {}),
    "examples/two-processes/pagerank.pb": ("ranks=links", {"links": [6, 6]}, {}),
    "examples/differentiate-a-frozen-graph/rod.pb": (
        "loss=log_conductivity,log_cooling", {"hours": [3], "power": [3], "measured": [3, 16]},
        {"log_conductivity": [15], "log_cooling": []}),
    "test/bench/while_vector.pbtxt": ("while/Exit_1=x,b", {"x": [16], "b": [16]}, {}),
}


def examples(sluicec, folder, only):
    """At drawn points."""
    for name, (asked, feeds, variables) in EXAMPLES.items():
        rng = random.Random(name)

        def drawn(all_dims, rng=rng):
            return {key: packed([rng.uniform(0.5, 1.5) for _ in range(math.prod(dims))], dims)
                    for key, dims in all_dims.items()}
        inputs = drawn(feeds)
        if "bench" in name:
            inputs["n"] = integer(3)
        flags = [f"--feed={','.join(inputs)}", f"--gradients={asked}"]
        if only in name:
            yield WholeGraph(sluicec, name, ROOT / name, flags,
                            {"inputs": inputs, "state": drawn(variables)}, folder)


def integer(value):
    return {"dtype": "int32", "shape": [], "b64": base64.b64encode(struct.pack("<i", value)).decode()}


def readable(sluicec, folder, only):
    """Programs of 64 bits; an integer that they are fed is 0."""
    for file in sorted((HERE / "programs").glob("*.mlir")):
        rng, inputs = random.Random(file.stem), {}
        for line in file.read_text().splitlines():
            if match := FEED.match(line):
                dims = [int(size) for size in re.findall(r"(\d+)x", match[3])]
                inputs[match[2]] = integer(0) if "i32" in match[3] else packed(
                    [rng.uniform(-1.5, 1.5) for _ in range(math.prod(dims))], dims)
        if only in f"programs/{file.name}":
            yield WholeGraph(sluicec, f"programs/{file.name}", file, [], {"inputs": inputs}, folder)


def check_one(graph):
    """(lines about what failed, counts); None if it was another graph."""
    try:
        text = graph.raised()
        if text is None:
            return None
        graph.folder = pathlib.Path(tempfile.mkdtemp(dir=graph.folder))
        number, total, failed = 0, 1, []
        while number < total:
            try:
                asked = Asked(text, number)
                total = asked.count
                if 'flow.known_as "tf.fed"' in text:
                    raise NotSupported("derivatives go through what is fed, and differences do not")
                graph.check(asked)
            except NotSupported as reason:
                graph.counts[f"skipped, {reason}"] += 1
            except Failed as failure:
                failed.append(f"{graph.name}: request {number + 1}: {failure}")
            number += 1
        return failed, graph.counts
    except ValueError as reason:
        return [], collections.Counter({f"skipped, {reason}": 1})


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sluicec")
    parser.add_argument("conformance")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only names with this in them")
    parser.add_argument("--least", type=int, default=0, metavar="N",
                        help="fail unless so many requests could be judged")
    parser.add_argument("-v", action="store_true", help="say what became of each graph")
    options = parser.parse_args()
    passed, failed, counts, seen = 0, 0, collections.Counter(), set()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tried = list(recorded(options.sluicec, options.conformance, pathlib.Path(folder),
                                options.filter))
        for more in (examples, readable):
            tried += more(options.sluicec, pathlib.Path(folder), options.filter)
        for graph, outcome in zip(tried, pool.map(check_one, tried)):
            if outcome is None or graph.name in seen:
                continue
            seen.add(graph.name)
            for line in outcome[0]:
                print(line)
            if options.v:
                print(f"{graph.name}: {dict(outcome[1])}")
            counts += outcome[1]
            passed, failed = passed + (not outcome[0]), failed + bool(outcome[0])
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")
    if counts["by tape, right"] < options.least:
        print(f"expected at least {options.least} requests to be judged")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
