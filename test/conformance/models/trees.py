# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function that calls itself: the state of a tree's node is made of those of its children."""

import tensorflow as tf
from tensorflow.python.framework import function as library

import export
from program import Program, drawn, spec, traced

v1 = tf.compat.v1
WORDS, UNITS = 10, 4
ARGUMENTS = [spec("node", dtype=tf.int32), spec("word", None, dtype=tf.int32),
             spec("left", None, dtype=tf.int32), spec("right", None, dtype=tf.int32),
             spec("embedding", WORDS, UNITS), spec("gates", 2 * UNITS, 5 * UNITS)]
TREE = ARGUMENTS[:4]
RECURSIVE = {"stand_in": "tree"}  # what stands for the call in the traced graph, and the function


def node_state(recurse, node, word, left, right, embedding, gates):
    """h and c of a node, where `recurse` gives those of other nodes."""
    def leaf():
        h = tf.gather(embedding, tf.gather(word, node))
        return tf.tanh(h), h

    def inner():
        rest = word, left, right, embedding, gates
        h_left, c_left = recurse(tf.gather(left, node), *rest)
        h_right, c_right = recurse(tf.gather(right, node), *rest)
        sums = tf.matmul(tf.concat([h_left, h_right], 0)[None], gates)[0]
        update, keep_left, keep_right, out, new = tf.split(sums, 5)
        c = (tf.sigmoid(update) * tf.tanh(new) + tf.sigmoid(keep_left) * c_left +
             tf.sigmoid(keep_right) * c_right)
        return tf.sigmoid(out) * tf.tanh(c), c

    return v1.cond(tf.gather(left, node) < 0, leaf, inner)


def stand_in(node, word, left, right, embedding, gates):
    """Stands where the function is to call itself: tracing cannot end otherwise."""
    return tf.zeros([UNITS]), tf.zeros([UNITS])


def closed(graph, feeds, fetches):
    return export.Frozen(export.close_recursion(graph.as_graph_def(), RECURSIVE),
                         [each.name for each in feeds], [each.name for each in fetches])


def with_primitives(values):
    """The graph with primitives. It has a function all the same, because nothing else can call
    itself; but the body has primitives, as those of TensorFlow 1 do."""
    types = [each.dtype for each in ARGUMENTS]
    inner = library.Defun(*types, func_name="stand_in", out_names=["h", "c"])(stand_in)

    def recurse(*arguments):
        states = inner(*arguments)
        for state in states:
            state.set_shape([UNITS])
        return states

    @library.Defun(*types, func_name="tree", out_names=["h", "c"])
    def tree(*arguments):
        for given, expected in zip(arguments, ARGUMENTS):
            given.set_shape(expected.shape)
        return node_state(recurse, *arguments)

    v1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        feeds = [v1.placeholder(each.dtype, each.shape, each.name) for each in TREE]
        h, c = tree(*feeds, *map(tf.constant, values))
        fetches = [tf.identity(c), tf.identity(h)]
    v1.enable_control_flow_v2()
    return closed(graph, feeds, fetches)


def with_functions(tree, values):
    """The freezer puts functions in the place of their calls, and would not end."""
    with tf.Graph().as_default() as graph:
        feeds = [v1.placeholder(each.dtype, each.shape, each.name) for each in TREE]
        h, c = tree(*feeds, *map(tf.constant, values))
        fetches = [tf.identity(c), tf.identity(h)]
    return closed(graph, feeds, fetches)


class Tree(tf.Module):
    def __init__(self):
        super().__init__()
        self.embedding = tf.Variable(drawn(WORDS, UNITS), name="embedding")
        self.gates = tf.Variable(drawn(2 * UNITS, 5 * UNITS, scale=0.6), name="gates")


def tree_model():
    module = Tree()
    inner = tf.function(stand_in, input_signature=ARGUMENTS)

    @tf.function(input_signature=ARGUMENTS)
    def tree(*arguments):
        return node_state(inner, *arguments)

    def root(node, word, left, right):
        h, c = tree(node, word, left, right, module.embedding, module.gates)
        return {"h": h, "c": c}

    def recursion(*arguments):
        """The same without a graph, where Python can call itself."""
        return node_state(recursion, *arguments)

    def reference(*call):
        h, c = recursion(*call, module.embedding, module.gates)
        return {"h": h, "c": c}

    def frozen(lowered):
        values = [module.embedding.numpy(), module.gates.numpy()]
        return with_primitives(values) if lowered else with_functions(tree, values)

    calls = [([3], [-1], [-1], 0), ([1, 2, 3, 0, 0], [-1, -1, -1, 0, 3], [-1, -1, -1, 1, 2], 4),
             ([5] * 8 + [0] * 7, [-1] * 8 + list(range(0, 14, 2)), [-1] * 8 + list(range(1, 14, 2)),
              14)]
    return Program(traced(root, *TREE),
                   [{"node": node, "word": word, "left": left, "right": right}
                    for word, left, right, node in calls], module,
                   recursive=RECURSIVE, frozen=frozen, reference=reference)


MODELS = {"recursive tree": tree_model}
VARIANTS = {}
