#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of loops have the same bits whatever is computed again, and with any pass switched off.

Usage: gradient_choices_test.py SLUICEC
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import function_graphs
import loop_graphs

STEPS = 23
MEMORY = ["balanced", "min", "segments", "2K", "1G"]
SWITCHES = ["no-prune", "no-infer-shapes", "no-fold-constants", "no-merge-duplicates",
            "no-hoist-invariants", "O0", "no-collapse", "no-codelets"]
# Without shapes nobody knows that a product is one of two matrices, so it is not joined.
HIDE_SHAPES = ["--no-infer-shapes", "--O0"]
PRODUCTS = ["each", "joined"]


def graphs():
    """name -> (graph, what the derivative is of, with respect to what)"""
    loop_graphs.RNN_STEPS = function_graphs.RNN_STEPS = STEPS
    vector, layer = ["x", "b"], ["w", "bias", "rows", "c", "h"]
    return {"vector": (loop_graphs.counted(loop_graphs.dims(16)), "while/Exit_1", vector),
            "nested": (loop_graphs.nested(), "outer/Exit_1", vector),
            "branch": (loop_graphs.branching(), "while/Exit_1", vector),
            "scan": (loop_graphs.scan(STEPS), "target/gather", ["rows", "h", "b"]),
            "layer": (loop_graphs.lstm(3, 20), "target/gather", layer),
            "layer of functions": (function_graphs.lstm(3, 20), "gathered", layer)}


def inputs(feeds):
    words = []
    for name in feeds:
        value = f"i32={STEPS}" if name == "n" else "rand"
        words += ["--input", f"{name}={value}"]
    return words


def derivatives(sluicec, scratch, number, graph, flags):
    """The bytes of all results."""
    (text, feeds, _), y, xs = graph
    folder = scratch / str(number)
    folder.mkdir()
    (folder / "graph.pbtxt").write_text(text)
    command = [sluicec, folder / "graph.pbtxt", "-o", folder / "program", "--gradients",
               f"{y}={','.join(xs)}", *flags]
    command += [word for name in feeds for word in ("--feed", name)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"sluicec failed: {done.stderr.strip()}"
    outputs = [word for x in xs
               for word in ("--output", f"gradients/{x}=@{folder / x}.npy")]
    done = subprocess.run([folder / "program", *inputs(feeds), *outputs],
                          capture_output=True, text=True)
    if done.returncode:
        return f"the program failed: {done.stderr.strip()}"
    return b"".join((folder / f"{x}.npy").read_bytes() for x in xs)


def variants():
    """flags of each program, those that are compared with the first ones in groups"""
    for products in PRODUCTS:
        how = f"--gradient-products={products}"
        yield [[how], *([how, f"--gradient-memory={memory}"] for memory in MEMORY),
               *([how, f"--{switch}"] for switch in SWITCHES),
               *([how, "--gradient-memory=segments", f"--{switch}"] for switch in SWITCHES)]


def main():
    sluicec = sys.argv[1]
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        scratch, number, differing = pathlib.Path(folder), 0, set()
        for name, graph in graphs().items():
            plain = []
            for group in variants():
                runs = []
                for flags in group:
                    runs.append(pool.submit(derivatives, sluicec, scratch, number, graph, flags))
                    number += 1
                results = [run.result() for run in runs]
                plain.append(results[0])
                for flags, result in zip(group, results):
                    expected = plain[0 if flags[-1] in HIDE_SHAPES else -1]
                    good = isinstance(result, bytes) and result == expected
                    passed, failed = passed + good, failed + (not good)
                    if not good:
                        print(f"failed {name} {' '.join(flags)}: expected the bits of "
                              f"{' '.join(group[0])} but got "
                              f"{result if isinstance(result, str) else 'others'}")
            if plain[0] != plain[1]:
                differing.add(name)
    # Else nothing is joined.
    if differing != {"layer", "layer of functions"}:
        print(f"failed: expected other bits of products in layers but got them in {differing}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
