#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Saves with TensorFlow and restores with programs, and the other way round.

Usage, with a Python that has TensorFlow (`pip install tensorflow-cpu`):
  against_tensorflow.py SLUICEC [-v]

Graphs are those of `tf.compat.v1.train.Saver`: of both formats, of partitioned variables, and of
variables of every type. Programs and the interpreter save what TensorFlow restores, and restore
what it has saved; `--load`, `--save` and `--weights` do the same without a saver.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

v1 = tf.compat.v1
SLUICEC = ""
TYPES = ["float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8",
         "uint16", "uint32", "uint64", "bool", "complex64", "complex128"]
NOT_IN_TABLES = ["bfloat16", "uint32", "uint64"]


def run(*command, cwd):
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


class Saver:
    """A graph with variables and a saver, and programs of it."""

    def __init__(self, folder, make, **options):
        self.folder, self.graph = folder, v1.Graph()
        with self.graph.as_default():
            self.variables = make()
            self.saver = v1.train.Saver(**options)
            self.definition = self.saver.as_saver_def()
        (folder / "g.pb").write_bytes(self.graph.as_graph_def().SerializeToString())

    def flags(self, what):
        where = self.definition.filename_tensor_name.split(":")[0]
        if what == "save":
            return ["--feed", where, "--fetch", self.definition.save_tensor_name.split(":")[0]]
        return ["--feed", where, "--run", self.definition.restore_op_name]

    def compile(self, what, *flags):
        run(SLUICEC, "g.pb", *self.flags(what), *flags, "-o", what, cwd=self.folder)

    def feed(self, prefix):
        return ["--input", f"{self.definition.filename_tensor_name.split(':')[0]}=string={prefix}"]

    def initialize(self, session, seed):
        rng = np.random.default_rng(seed)
        for variable in v1.global_variables():
            value = (rng.random(variable.shape.as_list()) * 100).astype(
                variable.dtype.base_dtype.as_numpy_dtype)
            variable.load(value, session)

    def session(self):
        return v1.Session(graph=self.graph)

    def values(self, session):
        return {v.op.name: session.run(v) for v in v1.global_variables()}


class Checkpoints(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def expect_same(self, got, wanted):
        self.assertEqual(got.keys(), wanted.keys())
        for name, value in wanted.items():
            self.assertEqual(got[name].tobytes(), value.tobytes(), name)

    def both_ways(self, saver, prefix="c"):
        """TensorFlow saves, a program restores and saves again, and TensorFlow restores that."""
        saver.compile("restore")
        saver.compile("save")
        theirs = self.folder / f"theirs-{prefix}"
        with saver.session() as session:
            saver.initialize(session, 1)
            wanted = saver.values(session)
            # Where there are shards, a pattern that all of them match.
            saved = saver.saver.save(session, str(theirs), write_meta_graph=False)
        run("./restore", *saver.feed(saved), "--save", "state.ckpt", cwd=self.folder)
        run("./save", *saver.feed(f"ours-{prefix}"), "--load", "state.ckpt", cwd=self.folder)
        self.expect_saved(saver, f"ours-{prefix}" + saved[len(str(theirs)):], wanted)
        return wanted

    def every_type(self, types):
        return lambda: [v1.get_variable(name, [2, 3], name, initializer=v1.zeros_initializer(),
                                        use_resource=name != "float32") for name in types]

    def test_bundles_of_every_type(self):
        saver = Saver(self.folder, self.every_type(TYPES))
        wanted = self.both_ways(saver)
        reader = tf.train.load_checkpoint(str(self.folder / "state.ckpt"))
        self.expect_same({name: reader.get_tensor(name)
                          for name in reader.get_variable_to_shape_map()}, wanted)
        self.without_restoring(saver, wanted)

    def expect_saved(self, saver, name, wanted):
        """That TensorFlow restores from files of this name what is wanted."""
        with saver.session() as session:
            saver.initialize(session, 3)
            saver.saver.restore(session, str(self.folder / name))
            self.expect_same(saver.values(session), wanted)

    def without_restoring(self, saver, wanted, ways=("interpreted", "loaded", "weights")):
        """The interpreter, --load and --weights take what TensorFlow has saved."""
        if "interpreted" in ways:
            run(SLUICEC, "g.pb", *saver.flags("save"), "--interpret", *saver.feed("interpreted"),
                "--load", "theirs-c", cwd=self.folder)
        if "loaded" in ways:
            run("./save", *saver.feed("loaded"), "--load", "theirs-c", cwd=self.folder)
        run(SLUICEC, "g.pb", *saver.flags("save"), "--weights", "theirs-c", "-o", "weights",
            cwd=self.folder)
        run("./weights", *saver.feed("weights"), cwd=self.folder)
        for name in ways:
            self.expect_saved(saver, name, wanted)

    def test_the_first_format_of_every_type(self):
        types = [name for name in TYPES if name not in NOT_IN_TABLES]
        saver = Saver(self.folder, self.every_type(types), write_version=v1.train.SaverDef.V1)
        self.without_restoring(saver, self.both_ways(saver))

    def partitioned(self):
        return [v1.get_variable("matrix", [10, 4], partitioner=v1.fixed_size_partitioner(3),
                                initializer=v1.zeros_initializer()),
                v1.get_variable("other", [3, 9],
                                partitioner=v1.fixed_size_partitioner(4, axis=1),
                                initializer=v1.zeros_initializer())]

    def test_partitioned_variables(self):
        for version in (v1.train.SaverDef.V1, v1.train.SaverDef.V2):
            with self.subTest(version=version):
                saver = Saver(self.folder, self.partitioned, write_version=version)
                self.both_ways(saver, f"v{version}")

    def test_shards_of_the_first_format(self):
        saver = Saver(self.folder, self.partitioned, write_version=v1.train.SaverDef.V1,
                      sharded=True)
        self.both_ways(saver)

    def test_metagraphs_with_a_saver_of_the_first_format(self):
        saver = Saver(self.folder, self.partitioned, write_version=v1.train.SaverDef.V1)
        wanted = self.both_ways(saver)
        with saver.session():
            v1.train.export_meta_graph(str(self.folder / "g.pb"), saver_def=saver.definition,
                                       graph=saver.graph)
        self.without_restoring(saver, wanted, ["weights"])

    def test_objects_of_checkpoints(self):
        class Model(tf.Module):
            def __init__(self):
                super().__init__()
                self.weight = tf.Variable([1.0, 2.0], name="layer/kernel")
        tf.train.Checkpoint(model=Model()).write(str(self.folder / "objects"))
        with v1.Graph().as_default() as graph:
            v1.identity(v1.get_variable("layer/kernel", [2]), name="y")
        (self.folder / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
        run(SLUICEC, "g.pb", "--fetch", "y", "-o", "y", cwd=self.folder)
        self.assertIn("[1, 2]", run("./y", "--load", "objects", cwd=self.folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("sluicec")
    arguments, rest = parser.parse_known_args()
    SLUICEC = os.path.abspath(arguments.sluicec)
    unittest.main(argv=[sys.argv[0], *rest])
