#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process that has one rival in it. It is asked by lines of JSON: to load a model, which it calls and
compares with TensorFlow, and to measure calls of it.

Usage: worker.py RIVAL THREADS FOLDER
"""

import gc
import importlib
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from rivals.folder import Folder  # noqa: E402

RIVALS = {"Sluice": "sluice_rival", "TensorFlow": "tensorflow_rival", "TensorFlow, XLA": "tensorflow_rival",
          "ONNX Runtime": "onnxruntime_rival", "JAX": "jax_rival", "PyTorch": "torch_rival",
          "PyTorch, compiled": "torch_rival"}
LONGEST_LOAD = 240  # seconds, with all compiling


def difference(got, expected):
    """Of the largest value; infinite where something else than numbers differs."""
    import numpy as np
    got = np.asarray(got)
    if got.shape != expected.shape:
        raise ValueError(f"got {got.shape} in place of {expected.shape}")
    if got.dtype.kind != "f":
        return 0.0 if np.array_equal(got, expected) else float("inf")
    most = max(np.max(np.abs(expected), initial=0), 1e-30)
    return float(np.max(np.abs(got.astype("float64") - expected), initial=0) / most)


class Worker:
    def __init__(self, kind, threads, place):
        self.kind, self.place = kind, place
        module = importlib.import_module(f"rivals.{RIVALS[kind]}")
        self.rival = module.Rival(threads, kind, place)
        self.function = self.call = None

    def load(self, name):
        folder = Folder(self.place, name)
        facts = folder.facts
        self.drop()
        self.function = self.rival.load(folder, name)
        calls = [list(map(self.rival.given, call)) for call in folder.calls("calls", facts["inputs"])]
        expected = folder.calls("expected", facts["outputs"])
        worst = max(difference(got, wanted) for call, values in zip(calls, expected)
                    for got, wanted in zip(map(self.rival.array, self.function(*call)), values, strict=True))
        self.call = calls[0]
        self.measure(2)
        return {"difference": worst}

    def measure(self, count):
        function, call = self.function, self.call
        start, busy = time.perf_counter(), time.process_time()
        for _ in range(count):
            function(*call)
        return {"seconds": (time.perf_counter() - start) / count,
                "processor_seconds": (time.process_time() - busy) / count}

    def drop(self):
        self.function = self.call = None
        gc.collect()
        return {}


def main():
    kind, threads, place = sys.argv[1:]
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # frameworks print
    worker = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            worker = worker or Worker(kind, int(threads), place)
            reply = getattr(worker, request.pop("do"))(**request)
        except ImportError as error:
            reply = {"reason": f"no {error.name}"}
        except Exception as error:  # pylint: disable=broad-exception-caught
            reply = {"reason": f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
