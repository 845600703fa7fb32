#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a call takes: of an executable, and of TensorFlow with the same SavedModel, one thread each.

TensorFlow runs in a process of its own, this file's, as it is by default: the process that compares
values has turned libraries off that round differently. Requests come as lines of JSON.
"""

import json
import os
import statistics
import subprocess
import sys
import time

ROUNDS = 5
BATCH = 0.03  # seconds of calls that are measured at a time
MOST = 200    # calls of these


class Rival:
    """TensorFlow in another process."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "TF_ENABLE_ONEDNN_OPTS": "1"})

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["seconds"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def of_executable(executable, requests, count):
    """Seconds of a call, on average of `count` calls of each request."""
    done = subprocess.run([str(executable), "--calls", "-", "--workers=0", "--stats-json"],
                          input="\n".join(requests * count), capture_output=True, text=True, check=True)
    figures = json.loads(done.stderr.strip().splitlines()[-1])
    return figures["call_seconds"] / figures["calls"]


def measured(executable, rival, model, requests):
    """Medians of Sluice and of TensorFlow, in turn; None where TensorFlow cannot load the SavedModel in
    the folder `model`."""
    def calls(seconds):
        return max(1, min(MOST, int(BATCH / seconds / len(requests))))

    first = rival.ask(load=str(model), requests=requests)
    ours, theirs = calls(of_executable(executable, requests, 1)), first and calls(first)
    times = [(of_executable(executable, requests, ours), first and rival.ask(count=theirs))
             for _ in range(ROUNDS)]
    return tuple(None if None in column else statistics.median(column) for column in zip(*times))


def serve():
    import tensorflow as tf  # pylint: disable=import-outside-toplevel
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    from tensors import tensor  # pylint: disable=import-outside-toplevel
    loaded = function = calls = None

    def seconds(count):
        start = time.perf_counter()
        for _ in range(count):
            for call in calls:
                result = function(**call)
        for value in result.values():
            value.numpy()
        return (time.perf_counter() - start) / (count * len(calls))

    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "load" in request:
                loaded = tf.saved_model.load(request["load"])  # lives as long as its function
                function = loaded.signatures["serving_default"]
                calls = [{name: tf.constant(tensor(value)) for name, value in
                          json.loads(text)["inputs"].items()} for text in request["requests"]]
                seconds(2)
            found = seconds(request.get("count", 3))
        except (ValueError, KeyError, tf.errors.OpError):
            found = None
        print(json.dumps({"seconds": found}), flush=True)


if __name__ == "__main__":
    serve()
