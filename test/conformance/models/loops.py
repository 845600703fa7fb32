# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches as `tf.function` makes them of Python, and as TensorFlow's functions do."""

import tensorflow as tf

from program import Program, counts, drawn, spec, traced


def collatz(n):
    steps = tf.constant(0)
    while n > 1:
        steps += 1
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return {"steps": steps}


def newton(x):
    root = tf.ones_like(x)
    while tf.reduce_max(tf.abs(root * root - x)) > 1e-4:
        root = 0.5 * (root + x / root)
    return {"root": root}


def written(x):
    rows = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    total = tf.zeros_like(x[0])
    for i in tf.range(tf.shape(x)[0]):
        total = 0.5 * total + tf.tanh(x[i])
        rows = rows.write(i, total)
    return {"rows": rows.stack(), "last": rows.read(rows.size() - 1)}


def array_parts(x):
    parts = tf.TensorArray(tf.float32, 3, infer_shape=False, element_shape=[None, 2])
    for i in range(3):
        parts = parts.write(i, x[:i + 1])
    halves = tf.TensorArray(tf.float32, 2, element_shape=[None, 2]).split(x, [1, tf.shape(x)[0] - 1])
    return {"all": parts.concat(), "half": halves.read(1)}


def mapped(x):
    return {"y": tf.map_fn(lambda row: tf.nn.softmax(row) * tf.reduce_max(row), x)}


def mapped_pair(x, n):
    return dict(zip("ab", tf.map_fn(lambda p: (p[0] * tf.cast(p[1], tf.float32), p[1] + 1), (x, n))))


def mapped_nested(x):
    return {"y": tf.map_fn(lambda m: tf.map_fn(lambda v: v / (1 + tf.norm(v)), m), x)}


def mapped_other_type(n):
    return {"y": tf.map_fn(lambda v: tf.cast(v, tf.float32) ** 0.5, n,
                           fn_output_signature=tf.float32)}


def mapped_branch(n):
    return {"y": tf.map_fn(lambda v: tf.cond(v % 2 == 0, lambda: v // 2, lambda: 3 * v + 1), n)}


def vectorized(x, w):
    return {"y": tf.vectorized_map(lambda row: tf.linalg.matvec(w, tf.nn.relu(row)), x)}


def scanned(x):
    return {"y": tf.scan(lambda a, v: a * 0.5 + tf.sin(v), x),
            "back": tf.scan(lambda a, v: a + v, x, reverse=True)}


def scanned_pair(x):
    first, second = tf.scan(lambda a, v: (a[1], a[0] + a[1] * v), x, initializer=(
        tf.zeros_like(x[0]), tf.ones_like(x[0])))
    return {"first": first, "second": second}


def folded(x):
    return {"left": tf.foldl(lambda a, v: a * 0.5 + v, x),
            "right": tf.foldr(lambda a, v: a * v + 1, x, initializer=tf.ones_like(x[0]))}


def nested(x, turns):
    total = tf.zeros_like(x)
    for i in tf.range(turns):
        inner = x
        for j in tf.range(i + 1):
            inner = tf.tanh(inner) + tf.cast(i * j, tf.float32) * 0.1
        total += inner
    return {"total": total}


def early(x, limit):
    total, taken = tf.constant(0.0), tf.constant(0)
    for v in x:
        if v < -1.5:
            continue
        total += v
        taken += 1
        if total > limit:
            break
    return {"total": total, "taken": taken}


def growing(n):
    row = tf.ones([1], tf.int64)
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[(row, tf.TensorShape([None]))])
        row = tf.concat([[1], row[1:] + row[:-1], [1]], 0)
    return {"row": row}


def switched(which, x):
    return {"y": tf.switch_case(which, [lambda: x + 1, lambda: tf.exp(x), lambda: -x], lambda: 0 * x)}


def gradient_of_loop(x, w):
    with tf.GradientTape() as tape:
        tape.watch(w)
        h = tf.zeros([2])
        for row in x:
            h = tf.tanh(tf.linalg.matvec(w, h) + row)
        loss = tf.reduce_sum(h * h)
    return {"loss": loss, "gradient": tape.gradient(loss, w)}


def gradient_of_scan(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.scan(lambda a, v: tf.sin(a) + v * v, x)
        loss = tf.reduce_mean(y)
    return {"gradient": tape.gradient(loss, x)}


def sorted_by_insertion(x):
    n = tf.size(x)
    for i in tf.range(1, n):
        j = i
        while j > 0 and x[j - 1] > x[j]:
            x = tf.tensor_scatter_nd_update(x, [[j - 1], [j]], [x[j], x[j - 1]])
            j -= 1
    return {"y": x}


def power(matrix, n):
    result = tf.eye(tf.shape(matrix)[0])
    while n > 0:
        if n % 2 == 1:
            result = result @ matrix
        matrix = matrix @ matrix
        n = n // 2
    return {"power": result}


def limited(x):
    _, y = tf.while_loop(lambda i, v: tf.reduce_sum(v) < 1e3, lambda i, v: (i + 1, v * 2 + 0.1),
                         (0, x), maximum_iterations=5, parallel_iterations=1)
    return {"y": y}


def checked(x):
    tf.debugging.assert_non_negative(x, "is negative")
    for _ in tf.range(3):
        x = tf.sqrt(x)
        tf.debugging.assert_all_finite(x, "is not finite")
    return {"y": x}


def of(function, inputs, *calls):
    """`inputs`: one specification for each argument."""
    return lambda: Program(traced(function, *inputs),
                           [dict(zip([each.name for each in inputs], call())) for call in calls])


ROWS, NUMBER, NUMBERS = spec("x", None, 4), spec("n", dtype=tf.int32), spec("n", None, dtype=tf.int32)
VECTOR = spec("x", None)
MODELS = {
    "while": of(collatz, [NUMBER], lambda: (counts(30, low=27),), lambda: (counts(2, low=1),)),
    "TensorArray": of(written, [ROWS], lambda: (drawn(5, 4),), lambda: (drawn(1, 4),)),
    "tf.map_fn": of(mapped, [ROWS], lambda: (drawn(5, 4),), lambda: (drawn(0, 4),)),
    "tf.scan": of(scanned, [ROWS], lambda: (drawn(5, 4),), lambda: (drawn(1, 4),)),
    "tf.foldl and tf.foldr": of(folded, [ROWS], lambda: (drawn(5, 4),), lambda: (drawn(1, 4),)),
    "loops in loops": of(nested, [ROWS, spec("turns", dtype=tf.int32)],
                         lambda: (drawn(2, 4), counts(5, low=4)), lambda: (drawn(2, 4), counts(1))),
    "a loop that is left early": of(early, [VECTOR, spec("limit")],
                                    lambda: (drawn(20), drawn(scale=0)), lambda: (drawn(20), drawn() + 9)),
}

VARIANTS = {
    "while until all have converged": of(newton, [VECTOR], lambda: (abs(drawn(6)),)),
    "a row that grows": of(growing, [NUMBER], lambda: (counts(6, low=5),)),
    "tf.while_loop with a bound": of(limited, [VECTOR], lambda: (abs(drawn(3)),)),
    "tf.switch_case": of(switched, [spec("which", dtype=tf.int32), VECTOR],
                         *[lambda i=i: (counts(i + 1, low=i), drawn(3)) for i in range(4)]),
    "TensorArray: parts, split, concat": of(array_parts, [spec("x", None, 2)], lambda: (drawn(4, 2),)),
    "tf.map_fn over two": of(mapped_pair, [ROWS, NUMBERS], lambda: (drawn(3, 4), counts(9, 3))),
    "tf.map_fn in tf.map_fn": of(mapped_nested, [spec("x", None, 3, None)], lambda: (drawn(2, 3, 4),)),
    "tf.map_fn with another type": of(mapped_other_type, [NUMBERS], lambda: (counts(9, 4),)),
    "tf.map_fn with a branch": of(mapped_branch, [NUMBERS], lambda: (counts(9, 6),)),
    "tf.vectorized_map": of(vectorized, [ROWS, spec("w", 3, 4)], lambda: (drawn(5, 4), drawn(3, 4))),
    "tf.scan over two": of(scanned_pair, [ROWS], lambda: (drawn(5, 4),)),
    "gradient of a loop": of(gradient_of_loop, [spec("x", None, 2), spec("w", 2, 2)],
                             lambda: (drawn(5, 2), drawn(2, 2))),
    "gradient of tf.scan": of(gradient_of_scan, [VECTOR], lambda: (drawn(6),)),
    "insertion sort": of(sorted_by_insertion, [VECTOR], lambda: (drawn(9),)),
    "power of a matrix": of(power, [spec("matrix", None, None), NUMBER],
                            lambda: (drawn(3, 3, scale=0.5), counts(12, low=11))),
    "assertions": of(checked, [VECTOR], lambda: (abs(drawn(5)),)),
}
