# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function that calls itself: the state of a tree's node is made of those of its children."""

import tensorflow as tf
from tensorflow.python.framework import function as library

import export
from program import Program, drawn, spec, traced

v1 = tf.compat.v1
WORDS, UNITS = 10, 4
TREE = [spec("node", dtype=tf.int32), *(spec(name, None, dtype=tf.int32) for name in ("word", "left", "right"))]
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
    units = embedding.shape[1]
    return tf.zeros([units]), tf.zeros([units])


def arguments_of(values):
    return [*TREE, *(spec(name, *value.shape) for name, value in zip(("embedding", "gates"), values))]


def closed(graph, feeds, fetches):
    return export.Frozen(export.close_recursion(graph.as_graph_def(), RECURSIVE),
                         [each.name for each in feeds], [each.name for each in fetches])


def with_primitives(values):
    """The graph with primitives. It has a function all the same, because nothing else can call
    itself; but the body has primitives, as those of TensorFlow 1 do."""
    expected = arguments_of(values)
    units = values[0].shape[1]
    types = [each.dtype for each in expected]

    @library.Defun(*types, func_name="stand_in", out_names=["h", "c"])
    def inner(*arguments):
        return tf.zeros([units]), tf.zeros([units])

    def recurse(*arguments):
        states = inner(*arguments)
        for state in states:
            state.set_shape([units])
        return states

    @library.Defun(*types, func_name="tree", out_names=["h", "c"])
    def tree(*arguments):
        for given, wanted in zip(arguments, expected):
            given.set_shape(wanted.shape)
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
    def __init__(self, words, units):
        super().__init__()
        self.embedding = tf.Variable(drawn(words, units), name="embedding")
        self.gates = tf.Variable(drawn(2 * units, 5 * units, scale=1.2 * units ** -0.5), name="gates")


def of_module(module, calls):
    arguments = arguments_of([module.embedding, module.gates])
    inner = tf.function(stand_in, input_signature=arguments)

    @tf.function(input_signature=arguments)
    def tree(*given):
        return node_state(inner, *given)

    def root(node, word, left, right):
        h, c = tree(node, word, left, right, module.embedding, module.gates)
        return {"h": h, "c": c}

    def recursion(*given):
        """The same without a graph, where Python can call itself."""
        return node_state(recursion, *given)

    def reference(*call):
        h, c = recursion(*call, module.embedding, module.gates)
        return {"h": h, "c": c}

    def frozen(lowered):
        values = [module.embedding.numpy(), module.gates.numpy()]
        return with_primitives(values) if lowered else with_functions(tree, values)

    return Program(traced(root, *TREE), calls, module, recursive=RECURSIVE, frozen=frozen,
                   reference=reference)


def call_of(word, left, right):
    """With the last node as root."""
    return {"node": len(word) - 1, "word": word, "left": left, "right": right}


def full_tree(leaves, word):
    """With as many leaves as some power of two, all of the same word."""
    inner = range(0, 2 * leaves - 2, 2)
    return call_of([word] * leaves + [0] * (leaves - 1), [-1] * leaves + list(inner),
                   [-1] * leaves + [left + 1 for left in inner])


def tree_model():
    calls = [call_of([3], [-1], [-1]), call_of([1, 2, 3, 0, 0], [-1, -1, -1, 0, 3], [-1, -1, -1, 1, 2]),
             full_tree(8, 5)]
    return of_module(Tree(WORDS, UNITS), calls)


MODELS = {"recursive tree": tree_model}
VARIANTS = {}
