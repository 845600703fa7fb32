#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every op on drawn operands with TensorFlow, and records what it gave as fixtures.

Usage, with a Python that has TensorFlow (`pip install tensorflow-cpu`):
  against_tensorflow.py SLUICEC [--cases N] [--seed S] [--op NAME] [--fixture FOLDER] [-v]

Values agree within the tolerances of recorded runs, and where one side gives an error the other
must too. Differences that `known_differences.py` explains are counted, and so is what cannot be
compared: types that one of the two has no kernel for.
`--fixture` writes what TensorFlow gave in the cases that can be compared, of all ops or of one, as
a recorded run for `test/conformance/fixtures/tf2`; only small ones.
"""

import argparse
import base64
import collections
import json
import multiprocessing
import os
import pathlib
import random
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

import cases  # noqa: E402
import graphs  # noqa: E402
import known_differences  # noqa: E402
import op_signatures  # noqa: E402
import operands  # noqa: E402
import programs  # noqa: E402
import tolerances  # noqa: E402
from comparison import Comparison, Form, inputs_of  # noqa: E402
from kernels_test import CHUNK  # noqa: E402

v1 = tf.compat.v1
LARGEST_IN_FIXTURE = 1000  # bytes of operands
NO_KERNEL = ("No OpKernel was registered", "is not in the list of allowed values",
             "Could not find device for node", "not supported", "not implemented",
             "Unsupported", "Unhandled", "only support", "not yet support", "Invalid seed type")


def as_array(operand):
    dtype = tf.dtypes.as_dtype(operands.DTYPES[operand.dtype][1]).as_numpy_dtype
    return np.frombuffer(operand.data, dtype=dtype).reshape(operand.dims)


def as_json(array, dtype):
    array = np.asarray(array)
    return {"dtype": dtype, "shape": list(array.shape),
            "b64": base64.b64encode(array.tobytes()).decode()}


def graph_of(found):
    nodes = [node for case in found for node in graphs.plain(case)[0]]
    return graphs.g.graph(*nodes, producer=1994)


def without_optimizers():
    """TensorFlow's kernels as they are: nothing is folded or rewritten."""
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    return config


def run_tensorflow(case):
    """An answer in the form of our programs."""
    graph = v1.Graph()
    try:
        definition = v1.GraphDef.FromString(graph_of([case]))
        with graph.as_default():
            v1.import_graph_def(definition, name="")
        feeds = {f"{name}:0": as_array(operand) for name, operand in graphs.feeds_of(case).items()}
        fetches = [graph.get_tensor_by_name(name) for name in graphs.plain(case)[2]]
        with v1.Session(graph=graph, config=without_optimizers()) as session:
            values = session.run(fetches, feeds)
    except tf.errors.OpError as error:
        return {"error": {"code": type(error).__name__, "message": error.message}}
    except (ValueError, TypeError) as error:  # shapes that do not fit are found at import
        return {"error": {"code": "InvalidArgumentError", "message": str(error)}, "import": True}
    return {"outputs": [as_json(value, fetch.dtype.name)
                        for value, fetch in zip(values, fetches)]}


def serve(pipe):
    while case := pipe.recv():
        pipe.send(run_tensorflow(case))


class TensorFlow:
    """In a process of its own, as it may end the process where it finds something wrong."""

    def __init__(self):
        self.process = None

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, far_end = context.Pipe()
        self.process = context.Process(target=serve, args=(far_end,), daemon=True)
        self.process.start()
        far_end.close()

    def run(self, case):
        if not self.process:
            self.start()
        self.pipe.send(case)
        try:
            return self.pipe.recv()
        except EOFError:
            self.process = None
            return {"error": {"code": "Aborted", "message": "the process has ended"}}

    def stop(self):
        if self.process:
            self.pipe.send(None)
            self.process.join()


def compare(case, ours, theirs):
    """(verdict, detail)"""
    if "error" in theirs:
        if theirs["error"]["code"] == "Aborted":
            return "aborts TensorFlow", ""
        if theirs["error"]["code"] == "UnimplementedError" or any(
                text in theirs["error"]["message"] for text in NO_KERNEL):
            return "no kernel in TensorFlow", ""
        if "error" in ours:
            return "same", ""
        return "different", f"expected {theirs['error']['code']}: {theirs['error']['message'][:300]}"
    if "error" in ours:
        return "different", "expected a value"
    is_transform = case.op in known_differences.FOURIER
    found = [tolerances.differ(*pair, as_one=is_transform)
             for pair in zip(ours["outputs"], theirs["outputs"], strict=True)]
    found = found[:known_differences.defined_results(case)]
    found = [f"output {i}: {text}" for i, text in enumerate(found) if text]
    return ("different", "; ".join(found)) if found else ("same", "")


def run_ours(sluicec, folder, found):
    """{name: answer} of what the compiler accepts; the rest is in the comparison's `refused`."""
    comparison = Comparison(sluicec, folder)
    accepted = comparison.accepted("plain", found, graphs.plain)
    requests = [{"signature": case.name, "inputs": inputs_of(case)} for case in accepted]
    ((_, command),) = comparison.commands("plain", {"code": Form()})
    got = dict(zip((case.name for case in accepted), programs.answers(command, requests)))
    unsupported = set()
    for case, code, message in comparison.refused.values():
        got[case.name] = {"error": {"code": f"exit {code}", "message": message}}
        unsupported |= {case.name} if code == 4 else set()
    return got, unsupported


def draw_all(options):
    drawn = []
    for op, signature in op_signatures.supported().items():
        if options.op in (None, op) and not cases.reason_for_none(signature):
            for i in range(options.cases):
                rng = random.Random(f"{options.seed}/{op}/{i}")
                case = cases.draw(signature, f"c{len(drawn)}", rng)
                case.inputs = [operands.without_denormals(operand) for operand in case.inputs]
                drawn.append(case)
    return drawn


def write_fixture(folder, found, theirs):
    """One graph with a run for each case; of what TensorFlow does not import there is none."""
    found = [case for case in found if "import" not in theirs[case.name]
             and sum(len(operand.data) for operand in case.inputs) <= LARGEST_IN_FIXTURE]
    folder.mkdir(parents=True)
    runs = []
    for case in found:
        run = {"graph": "graph1.pb", "feeds": inputs_of(case), "fetches": graphs.plain(case)[2],
               "targets": [], "state_before": {}, "nondeterministic": False}
        answer = theirs[case.name]
        if "error" in answer:
            run["error"] = [answer["error"]["code"], answer["error"]["message"]]
        else:
            run.update(expect=answer["outputs"], state_after={})
        runs.append(run)
    (folder / "graph1.pb").write_bytes(graph_of(found))
    (folder / "runs.json").write_text(json.dumps({
        "test": folder.name.rsplit(".", 1)[-1], "class": "Differential",
        "module": "against_tensorflow", "origin": f"tensorflow {tf.__version__}", "runs": runs}))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sluicec")
    parser.add_argument("--cases", type=int, default=20, metavar="N", help="of each op")
    parser.add_argument("--seed", default="1", metavar="S")
    parser.add_argument("--op", metavar="NAME", help="only this one")
    parser.add_argument("--fixture", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("-v", action="store_true", help="name what could not be compared")
    return parser.parse_args()


def run_all_ours(sluicec, drawn):
    ours, unsupported = {}, set()
    for start in range(0, len(drawn), CHUNK):
        with tempfile.TemporaryDirectory() as scratch:
            got, refused = run_ours(sluicec, pathlib.Path(scratch), drawn[start:start + CHUNK])
        ours.update(got)
        unsupported |= refused
    return ours, unsupported


def run_all_theirs(drawn):
    tensorflow = TensorFlow()
    theirs = {case.name: tensorflow.run(case) for case in drawn}
    tensorflow.stop()
    return theirs


def judge(case, ours, theirs, supported):
    """The verdict, and what there is to say of it."""
    if not supported and "error" not in theirs:
        return "not supported by Sluice", ""
    verdict, detail = compare(case, ours, theirs)
    if verdict == "different":
        why = known_differences.reason(case, [as_array(operand) for operand in case.inputs])
        verdict, detail = ("known to differ", why) if why else (verdict, detail)
    return verdict, detail


def show(case, verdict, detail, ours, theirs):
    print(f"{case.name}: {case.op} {case.attrs}: {verdict}: {detail}")
    for operand in case.inputs:
        print(f"  operand: {programs.shown({'outputs': [programs.tensor_json(operand)]})}")
    print(f"  Sluice:     {programs.shown(ours)}")
    print(f"  TensorFlow: {programs.shown(theirs)}")


def main():
    options = parse_options()
    drawn = draw_all(options)
    ours, unsupported = run_all_ours(options.sluicec, drawn)
    theirs = run_all_theirs(drawn)
    verdicts, comparable = collections.Counter(), []
    for case in drawn:
        both = ours[case.name], theirs[case.name]
        verdict, detail = judge(case, *both, case.name not in unsupported)
        verdicts[verdict] += 1
        comparable += [case] if verdict in ("same", "different") else []
        if verdict == "different" or (options.v and verdict != "same"):
            show(case, verdict, detail, *both)
    if options.fixture:
        write_fixture(options.fixture, comparable, theirs)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return 1 if verdicts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
