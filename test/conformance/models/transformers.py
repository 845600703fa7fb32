# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers: of layers of Keras, and one written by hand that generates with what it has seen."""

import numpy as np
import tensorflow as tf

from program import Program, counts, drawn, of_model, spec, traced

WORDS, WIDTH, HEADS, LONGEST = 40, 16, 2, 16
layers = tf.keras.layers


def words(rows, width):
    """Sentences of different lengths, with zeros behind."""
    x = counts(WORDS, rows, width, low=1)
    for row in range(rows):
        x[row, width - row % width:] = 0
    return x


class Positions(layers.Layer):
    """Embeddings of words and of where they stand."""

    def __init__(self):
        super().__init__()
        self.words = layers.Embedding(WORDS, WIDTH, mask_zero=True)
        self.places = layers.Embedding(LONGEST, WIDTH)

    def compute_mask(self, given, mask=None):
        return self.words.compute_mask(given)

    def call(self, given):
        return self.words(given) + self.places(tf.range(tf.shape(given)[1]))


def attended(x, seen, heads=HEADS, **options):
    y = layers.MultiHeadAttention(heads, x.shape[-1] // heads, use_bias=False)(x, seen, **options)
    return layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, y]))


def forward(x, activation="gelu"):
    y = layers.Dense(2 * x.shape[-1], activation=activation)(x)
    y = layers.Dropout(0.1)(layers.Dense(x.shape[-1])(y))
    return layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, y]))


def encoder_model(blocks=2):
    given = tf.keras.Input((None,), dtype="int32", name="words")
    x = Positions()(given)
    for _ in range(blocks):
        x = forward(attended(x, x))
    return tf.keras.Model(given, layers.Dense(3)(layers.GlobalAveragePooling1D()(x)))


def decoder_model(blocks=2):
    given = tf.keras.Input((None,), dtype="int32", name="words")
    x = Positions()(given)
    for _ in range(blocks):
        x = forward(attended(x, x, use_causal_mask=True))
    return tf.keras.Model(given, layers.Dense(WORDS)(x))


def translator_model():
    source, target = (tf.keras.Input((None,), dtype="int32", name=n) for n in ("source", "target"))
    seen, told = Positions()(source), Positions()(target)
    seen = forward(attended(seen, seen), "relu")
    told = attended(attended(told, told, use_causal_mask=True), seen)
    return tf.keras.Model([source, target], layers.Dense(WORDS, activation="softmax")(
        forward(told, "relu")))


def vision_model():
    """Patches of an image are its words."""
    given = tf.keras.Input((16, 16, 3), name="image")
    x = layers.Reshape((16, WIDTH))(layers.Conv2D(WIDTH, 4, 4)(given))
    x = forward(attended(x, x), lambda y: tf.keras.activations.gelu(y, approximate=True))
    return tf.keras.Model(given, layers.Dense(5)(layers.Flatten()(x)))


class Generator(tf.Module):
    """A decoder whose keys and values stay, so that each word is computed once."""

    def __init__(self):
        super().__init__()
        shapes = {"table": (WORDS, WIDTH), "mixed": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH),
                  "gates": (WIDTH, 4 * WIDTH), "down": (2 * WIDTH, WIDTH)}
        for name, shape in shapes.items():
            setattr(self, name, tf.Variable(drawn(*shape, scale=shape[0] ** -0.5), name=name))
        self.scale = tf.Variable(abs(drawn(WIDTH)), name="scale")

    def norm(self, x):
        return x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True) + 1e-6) * self.scale

    @staticmethod
    def turned(x, i):
        """Turns halves of a head by angles that grow with the place."""
        half = WIDTH // HEADS // 2
        angles = tf.cast(i, tf.float32) * 100.0 ** (-tf.range(half, dtype=tf.float32) / half)
        first, second = tf.split(x, 2, -1)
        cos, sin = tf.cos(angles), tf.sin(angles)
        return tf.concat([first * cos - second * sin, first * sin + second * cos], -1)

    def step(self, word, i, keys, values):
        rows = tf.shape(word)[0]
        x = tf.gather(tf.convert_to_tensor(self.table), word)
        query, key, value = (tf.reshape(y, [rows, HEADS, -1])
                             for y in tf.split(self.norm(x) @ self.mixed, 3, -1))
        # [place, row, head, part]
        keys = tf.tensor_scatter_nd_update(keys, [[i]], self.turned(key, i)[None])
        values = tf.tensor_scatter_nd_update(values, [[i]], value[None])
        scores = tf.einsum("bhd,tbhd->bht", self.turned(query, i), keys) * WIDTH ** -0.5
        scores = tf.where(tf.range(LONGEST) <= i, scores, -1e9)
        y = tf.einsum("bht,tbhd->bhd", tf.nn.softmax(scores), values)
        x += tf.reshape(y, [rows, WIDTH]) @ self.out
        gate, up = tf.split(self.norm(x) @ self.gates, 2, -1)
        x += (tf.nn.silu(gate) * up) @ self.down
        return tf.matmul(self.norm(x), self.table, transpose_b=True), keys, values


def generator():
    module = Generator()

    def generate(prompt):
        rows, given = tf.unstack(tf.shape(prompt))
        shape = [LONGEST, rows, HEADS, WIDTH // HEADS]
        keys, values = tf.zeros(shape), tf.zeros(shape)
        words = tf.TensorArray(tf.int32, LONGEST)
        word, score = prompt[:, 0], tf.zeros([rows])
        for i in tf.range(LONGEST):
            words = words.write(i, word)
            scores, keys, values = module.step(word, i, keys, values)
            best = tf.argmax(scores, -1, tf.int32)
            score += tf.reduce_max(tf.nn.log_softmax(scores), -1)
            word = tf.gather(prompt, i + 1, axis=1) if i + 1 < given else best
        return {"words": tf.transpose(words.stack()), "score": score}

    return Program(traced(generate, spec("prompt", None, None, dtype=tf.int32)),
                   [{"prompt": counts(WORDS, 1, 3)}, {"prompt": counts(WORDS, 3, 5)}], module)


def mixed_precision():
    given = tf.keras.Input((6, WIDTH), name="x")
    policy = {"dtype": "mixed_bfloat16"}
    y = layers.MultiHeadAttention(HEADS, WIDTH // HEADS, **policy)(given, given)
    x = layers.LayerNormalization(**policy)(layers.Add(**policy)([given, y]))
    x = layers.Dense(4, activation="gelu", **policy)(x)
    return of_model(tf.keras.Model(given, layers.Dense(2, **policy)(x)), (drawn(2, 6, WIDTH),))


def grouped_queries():
    given = tf.keras.Input((None, WIDTH), name="x")
    x = layers.GroupQueryAttention(8, 4, 2)(given, given, use_causal_mask=True)
    return of_model(tf.keras.Model(given, layers.UnitNormalization()(x)), (drawn(2, 7, WIDTH),))


MODELS = {
    "transformer, encoder": lambda: of_model(encoder_model(), (words(1, 5),), (words(3, 9),)),
    "transformer, decoder": lambda: of_model(
        decoder_model(), (np.maximum(words(1, 5), 1),), (words(3, 9),)),
    "transformer, encoder and decoder": lambda: of_model(
        translator_model(), (words(1, 5), words(1, 4)), (words(3, 6), words(3, 8))),
    "transformer that generates, with kept keys": generator,
    "vision transformer": lambda: of_model(vision_model(), (drawn(1, 16, 16, 3),)),
}

VARIANTS = {
    "transformer, mixed with bfloat16": mixed_precision,
    "GroupQueryAttention": grouped_queries,
}
