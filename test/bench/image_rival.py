# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a graph with TensorFlow and prints the seconds of a call: with one thread those of the processor.

Usage: image_rival.py GRAPH THREADS CALLS NAME=DIM,DIM…
"""

import sys
import time

import numpy
import tensorflow as tf
from google.protobuf import text_format


def main():
    path, threads, calls, *feeds = sys.argv[1:]
    definition = tf.compat.v1.GraphDef()
    with open(path, encoding="utf-8") as file:
        text_format.Parse(file.read(), definition)
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(definition, name="")
    rng = numpy.random.default_rng(1)
    config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=int(threads),
                                      inter_op_parallelism_threads=1)
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        values = {}
        for feed in feeds:
            name, dims = feed.split("=")
            dims = [int(dim) for dim in dims.split(",")]
            values[graph.get_tensor_by_name(f"{name}:0")] = rng.uniform(-1, 1, dims).astype("f")
        run = session.make_callable(graph.get_operation_by_name("y"), list(values))
        given = list(values.values())
        run(*given)
        clock = time.process_time if int(threads) == 1 else time.perf_counter
        start = clock()
        for _ in range(int(calls)):
            run(*given)
        print((clock() - start) / int(calls))


if __name__ == "__main__":
    main()
