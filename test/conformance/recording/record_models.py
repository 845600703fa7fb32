#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes small SavedModels and records what TensorFlow gives for calls of their signatures.

Usage, with a Python that has TensorFlow (`pip install tensorflow-cpu`):
  record_models.py [--folder test/conformance/fixtures/savedmodel] [NAME]...

What is recorded comes from the saved files, in a session of their own: the init op has run, and
variables live on from call to call.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow as tf2  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "savedmodel"
RANDOM = np.random.RandomState(11)


def drawn(*shape, dtype="float32"):
    return RANDOM.randn(*shape).astype(dtype)


def signature(inputs, outputs):
    def infos(tensors):
        return {name: tf.saved_model.utils.build_tensor_info(t) for name, t in tensors.items()}
    return tf.saved_model.signature_def_utils.build_signature_def(infos(inputs), infos(outputs),
                                                                  "predict")


def training_graph(folder):
    """Variables of both kinds, one of them in parts, a local one, and a step of training."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 6], name="x")
        label = tf.placeholder(tf.float32, [None, 2], name="label")
        with tf.variable_scope("embedding", partitioner=tf.fixed_size_partitioner(3)):
            table = tf.get_variable("table", initializer=tf.constant(drawn(6, 4)))
        weight = tf.get_variable("weight", initializer=drawn(4, 2), use_resource=True)
        scale = tf.get_variable("scale", initializer=drawn(2, dtype="float16"), trainable=False)
        counter = tf.get_variable("counter", initializer=np.int64(40), trainable=False)
        bonus = tf.get_variable("bonus", initializer=np.float32(0.25), trainable=False,
                                collections=[tf.GraphKeys.LOCAL_VARIABLES])
        hidden = tf.tanh(tf.matmul(x, tf.convert_to_tensor(table)))
        y = tf.matmul(hidden, weight) * tf.cast(scale, tf.float32) + bonus
        loss = tf.reduce_mean(tf.squared_difference(y, label))
        gradient = tf.gradients(loss, [weight])[0]
        train = tf.group(tf.train.GradientDescentOptimizer(0.5).apply_gradients([(gradient, weight)]),
                         tf.assign_add(counter, 1))
        with tf.control_dependencies([train]):
            done = tf.identity(loss)
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        builder = tf.saved_model.builder.SavedModelBuilder(str(folder))
        builder.add_meta_graph_and_variables(
            session, ["serve"], main_op=tf.local_variables_initializer(),
            saver=tf.train.Saver(sharded=True), signature_def_map={
                "infer": signature({"features": x}, {"scores": y, "features": x}),
                "train": signature({"features": x, "labels": label}, {"loss": done})})
        builder.save()
    batch, labels = drawn(5, 6), drawn(5, 2)
    one = {"features": drawn(1, 6)}
    train = ("train", {"features": batch, "labels": labels})
    return [("infer", one), train, train, ("infer", one), ("infer", {"features": batch})]


def loop_graph(folder):
    """A loop as primitives, which reads a variable and counts its runs in another."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.disable_control_flow_v2()
        start = tf.placeholder(tf.float32, [None, 3], name="start")
        turns = tf.placeholder(tf.int32, [], name="turns")
        matrix = tf.get_variable("matrix", initializer=drawn(3, 3), use_resource=True)
        runs = tf.get_variable("runs", initializer=np.int32(0), use_resource=True)
        _, last = tf.while_loop(lambda i, v: i < turns,
                                lambda i, v: (i + 1, tf.tanh(tf.matmul(v, matrix))), [0, start],
                                shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 3])])
        with tf.control_dependencies([last]):
            count = tf.assign_add(runs, 1)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(folder), {"start": start, "turns": turns},
                                   {"last": last, "runs": tf.identity(count)})
    return [("serving_default", {"start": drawn(rows, 3), "turns": np.int32(turns)})
            for rows, turns in ((1, 0), (2, 3), (4, 7))]


def function_model(folder):
    """Variables and a branch in functions."""
    class Model(tf2.Module):
        def __init__(self):
            super().__init__()
            self.layers = [tf2.Variable(drawn(3, 3)), tf2.Variable(drawn(3))]
            self.steps = tf2.Variable(0, dtype=tf2.int64, name="steps")

        @tf2.function(input_signature=[tf2.TensorSpec([None, 3], tf2.float32, name="x")])
        def infer(self, x):
            y = tf2.matmul(x, self.layers[0]) + self.layers[1]
            if tf2.reduce_sum(y) > 0:
                y = tf2.nn.relu(y)
            else:
                y = -y
            return {"y": y}

        @tf2.function(input_signature=[])
        def tick(self):
            return {"steps": self.steps.assign_add(1)}

    with tf2.init_scope():
        model = Model()
        tf2.saved_model.save(model, str(folder), {"infer": model.infer, "tick": model.tick})
    return [("infer", {"x": drawn(2, 3)}), ("tick", {}), ("infer", {"x": -drawn(2, 3)}),
            ("tick", {})]


def vocabulary(folder):
    """Tables of files, which are assets, and one whose entries are in the checkpoint."""
    files = pathlib.Path(tempfile.mkdtemp())
    (files / "words.txt").write_text("the\nof\nund so weiter\nand\n")
    (files / "weights.csv").write_text("x,7,0.5\ny,-3, 1e-2\nz,4,-8")
    lookup = tf2.lookup

    class Model(tf2.Module):
        def __init__(self):
            super().__init__()
            line, number = lookup.TextFileIndex.WHOLE_LINE, lookup.TextFileIndex.LINE_NUMBER
            self.words = lookup.StaticHashTable(lookup.TextFileInitializer(
                str(files / "words.txt"), tf2.string, line, tf2.int64, number, vocab_size=3), -1)
            self.weights = lookup.StaticHashTable(lookup.TextFileInitializer(
                str(files / "weights.csv"), tf2.int64, 1, tf2.float32, 2, delimiter=","), 100.0)
            self.seen = lookup.experimental.MutableHashTable(tf2.string, tf2.int64, 0)

        @tf2.function(input_signature=[tf2.TensorSpec([None], tf2.string, name="words"),
                                       tf2.TensorSpec([None], tf2.int64, name="keys")])
        def find(self, words, keys):
            return {"ids": self.words.lookup(words), "weights": self.weights.lookup(keys),
                    "seen": self.seen.lookup(words), "size": self.seen.size()}

        @tf2.function(input_signature=[tf2.TensorSpec([None], tf2.string, name="words")])
        def count(self, words):
            self.seen.insert(words, self.seen.lookup(words) + 1)
            return {"size": self.seen.size()}

    with tf2.init_scope():
        model = Model()
        model.seen.insert(tf2.constant(["the", "dog"]), tf2.constant([5, 6], tf2.int64))
        tf2.saved_model.save(model, str(folder), {"find": model.find, "count": model.count})
    shutil.rmtree(files)
    words = np.array(["of", "dog", "and", "the", "und so weiter"], object)
    find = ("find", {"words": words, "keys": np.array([4, 7, 0, -3], np.int64)})
    return [find, ("count", {"words": words[:3]}), find]


def same_names(folder):
    """Two layers, and what an optimizer keeps for two variables, whose variables have one name. The
    graph restores copies of them, so only the objects say which is which."""
    class Model(tf2.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = (tf2.keras.layers.Dense(2, use_bias=False, name="dense")
                                       for _ in range(2))
            for layer in (self.first, self.second):
                layer.build([None, 3])
                layer.kernel.assign(drawn(3, 2))
            self.optimizer = tf2.keras.optimizers.Adagrad()
            self.optimizer.build([self.first.kernel, self.second.kernel])
            self.optimizer.apply([tf2.constant(drawn(3, 2)), tf2.constant(drawn(3, 2))])

        @tf2.function(input_signature=[tf2.TensorSpec([None, 3], tf2.float32, name="x")])
        def infer(self, x):
            sums = [slot.value for slot in self.optimizer._accumulators]
            return {"first": self.first(x), "second": self.second(x), "first_sum": sums[0] + 0,
                    "second_sum": sums[1] + 0}

    with tf2.init_scope():
        model = Model()
        tf2.saved_model.save(model, str(folder), {"infer": model.infer})
    return [("infer", {"x": drawn(2, 3)})]


MODELS = {"functions": function_model, "loop": loop_graph, "same_names": same_names,
          "training": training_graph, "vocabulary": vocabulary}
BY_OBJECTS = {"same_names"}  # a session restores no more than the graph does


def tensor_json(value):
    value = np.asarray(value)
    if value.dtype == object:
        texts = [each if isinstance(each, bytes) else each.encode() for each in value.flat]
        return {"dtype": "string", "shape": list(value.shape),
                "data": [base64.b64encode(text).decode() for text in texts]}
    return {"dtype": str(value.dtype), "shape": list(value.shape),
            "b64": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()}


def readers(graph):
    """A tensor with the value of each variable."""
    result = {}
    for op in graph.get_operations():
        if op.type == "VarHandleOp":
            result[op.name] = tf.raw_ops.ReadVariableOp(resource=op.outputs[0],
                                                        dtype=op.get_attr("dtype"))
        elif op.type == "VariableV2":
            result[op.name] = tf.identity(op.outputs[0])
    return result


def record(folder, calls):
    runs = []
    with tf.Graph().as_default() as graph, tf.Session() as session:
        meta = tf.saved_model.load(session, ["serve"], str(folder))
        variables = readers(graph)
        before = session.run(variables)
        for name, inputs in calls:
            ports = meta.signature_def[name]
            outputs = session.run({key: info.name for key, info in ports.outputs.items()},
                                  {ports.inputs[key].name: value for key, value in inputs.items()})
            after = session.run(variables)
            changed = any(np.asarray(before[key]).tobytes() != np.asarray(after[key]).tobytes()
                          for key in after)
            runs.append({"signature": name,
                         "inputs": {key: tensor_json(value) for key, value in inputs.items()},
                         "expect": {key: tensor_json(value) for key, value in outputs.items()},
                         "state_after": {f"{key}:0": tensor_json(value)
                                         for key, value in after.items()} if changed else {}})
            before = after
    return runs


def record_by_objects(folder, calls):
    """Of calls that change nothing."""
    runs = []
    with tf2.init_scope():
        signatures = tf2.saved_model.load(str(folder)).signatures
        for name, inputs in calls:
            outputs = signatures[name](**{key: tf2.constant(value) for key, value in inputs.items()})
            runs.append({"signature": name,
                         "inputs": {key: tensor_json(value) for key, value in inputs.items()},
                         "expect": {key: tensor_json(value) for key, value in outputs.items()},
                         "state_after": {}})
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=sorted(MODELS))
    parser.add_argument("--folder", type=pathlib.Path, default=FIXTURES)
    options = parser.parse_args()
    for name in options.names:
        folder = options.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        calls = MODELS[name](folder / "model")
        (folder / "model" / "fingerprint.pb").unlink(missing_ok=True)
        runs = (record_by_objects if name in BY_OBJECTS else record)(folder / "model", calls)
        (folder / "runs.json").write_text(json.dumps(
            {"test": name, "origin": f"tensorflow {tf.__version__}", "model": "model",
             "tags": ["serve"], "runs": runs}) + "\n")


if __name__ == "__main__":
    main()
