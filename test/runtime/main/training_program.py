# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program whose every call depends on all that was before: variables, random numbers, a table and a queue."""

import json
import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

LONG = "type: DT_INT64"


def shape(*sizes):
    return "shape { " + " ".join(f"dim {{ size: {size} }}" for size in sizes) + " }"


def training_graph(elements):
    """`weights` are mixed with random numbers and with what is drawn from a queue, which gets two of them
    and gives one in each call, `count` counts calls, and the table holds what weights have begun with in
    each. Fetches: `weights/next`, `words`, which shows the table's order."""
    graph = Graph()
    add = graph.node
    add("weights", "VarHandleOp", dtype=FLOAT, shape=shape(elements), shared_name='s: "weights"')
    add("count", "VarHandleOp", dtype=LONG, shape=shape(), shared_name='s: "count"')
    add("words/table", "MutableHashTableV2", key_dtype=LONG, value_dtype=FLOAT,
        shared_name='s: "words"')
    size = f"dim {{ size: 1 }} }} int_val: {elements}"
    add("size", "Const", dtype=INT,
        value=f"tensor {{ dtype: DT_INT32 tensor_shape {{ {size} }}")
    add("noise", "RandomUniform", ["size"], T=INT, dtype=FLOAT, seed="i: 3", seed2="i: 5")
    graph.constant("half", FLOAT, 0.5)
    add("one", "Const", dtype=LONG,
        value="tensor { dtype: DT_INT64 tensor_shape { } int64_val: 1 }")
    add("weights/read", "ReadVariableOp", ["weights"], dtype=FLOAT)
    add("weights/half", "Mul", ["weights/read", "half"], T=FLOAT)
    add("shuffle", "RandomShuffleQueueV2", component_types=f"list {{ {FLOAT} }}",
        shapes="list { shape { } }", capacity="i: 100000", min_after_dequeue="i: 1", seed="i: 7",
        seed2="i: 8", shared_name='s: "shuffle"')
    add("places", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
        "int_val: 0 int_val: 1 }")
    add("two", "GatherV2", ["weights/half", "places", "zero"], Tparams=FLOAT, Tindices=INT, Taxis=INT,
        batch_dims="i: 0")
    add("put", "QueueEnqueueManyV2", ["shuffle", "two"], Tcomponents=f"list {{ {FLOAT} }}")
    add("drawn", "QueueDequeueV2", ["shuffle", "^put"], component_types=f"list {{ {FLOAT} }}")
    add("drawn/half", "Mul", ["drawn", "half"], T=FLOAT)
    add("weights/noisy", "AddV2", ["weights/half", "noise"], T=FLOAT)
    add("weights/next", "AddV2", ["weights/noisy", "drawn/half"], T=FLOAT)
    add("weights/write", "AssignVariableOp", ["weights", "weights/next"], dtype=FLOAT)
    add("count/read", "ReadVariableOp", ["count"], dtype=LONG)
    add("count/next", "AddV2", ["count/read", "one"], T=LONG)
    add("count/write", "AssignVariableOp", ["count", "count/next"], dtype=LONG)
    add("zero", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 }")
    add("first", "GatherV2", ["weights/next", "zero", "zero"], Tparams=FLOAT, Tindices=INT,
        Taxis=INT, batch_dims="i: 0")
    add("key", "Mul", ["count/next", "factor"], T=LONG)
    add("factor", "Const", dtype=LONG,
        value="tensor { dtype: DT_INT64 tensor_shape { } int64_val: 7919 }")
    add("insert", "LookupTableInsertV2", ["words/table", "key", "first"], Tin=LONG, Tout=FLOAT)
    add("export", "LookupTableExportV2", ["words/table", "^insert"], Tkeys=LONG, Tvalues=FLOAT)
    add("words", "Identity", ["export"], T=LONG)
    return graph.text()


def write_first_values(path, elements):
    """A safetensors file for --load."""
    header = json.dumps({
        "weights": {"dtype": "F32", "shape": [elements], "data_offsets": [0, 4 * elements]},
        "count": {"dtype": "I64", "shape": [], "data_offsets": [4 * elements, 4 * elements + 8]},
    }).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(4 * elements + 8))


def compile_training(sluicec, folder, elements, *flags):
    """Makes the program, or the folder of programs, `train` and the file `first` that its variables
    begin with."""
    (folder / "training.pbtxt").write_text(training_graph(elements))
    write_first_values(folder / "first", elements)
    subprocess.run([sluicec, "training.pbtxt", "--fetch=weights/next", "--fetch=words",
                    "--run=weights/write,count/write", "-o", "train", *flags], cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
