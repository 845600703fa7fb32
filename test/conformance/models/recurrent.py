# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent layers of Keras."""

import numpy as np
import tensorflow as tf

from program import counts, drawn, of_model

FEATURES, UNITS, WORDS = 5, 6, 20
layers = tf.keras.layers


def sequence(*stack, steps=None, batch=None, dtype="float32", calls=None, is_constant=True):
    """Layers one after the other, on a sequence of vectors."""
    given = tf.keras.Input((steps, FEATURES), batch_size=batch, dtype=dtype, name="x")
    value = given
    for layer in stack:
        value = layer(value)
    sizes = [(batch or n, steps or s) for n, s in ((1, 4), (3, 7))]
    return of_model(tf.keras.Model(given, value),
                    *(calls or [(drawn(n, s, FEATURES, dtype=dtype),) for n, s in sizes]),
                    is_constant=is_constant)


def masked(rows, width):
    """Vectors, of which a different number at the end of each row is to be left out."""
    x = drawn(rows, width, FEATURES)
    for row in range(rows):
        x[row, width - row % width:] = 0
    return x


def words(rows, width):
    x = counts(WORDS, rows, width, low=1)
    for row in range(rows):
        x[row, width - row % width:] = 0
    return x


def embedded(*stack, calls=((1, 4), (3, 7))):
    given = tf.keras.Input((None,), dtype="int32", name="words")
    value = layers.Embedding(WORDS, FEATURES, mask_zero=True)(given)
    for layer in stack:
        value = layer(value)
    return of_model(tf.keras.Model(given, value), *((words(*size),) for size in calls))


def looked_up(lookup, *rows):
    """Words that a table knows, and others. A table cannot be made a constant."""
    given = tf.keras.Input((None,), dtype=rows[0].dtype.name.replace("object", "string"), name="words")
    value = layers.LSTM(UNITS)(layers.Embedding(WORDS, FEATURES)(lookup(given)))
    return of_model(tf.keras.Model(given, value), *((each,) for each in rows), is_constant=False)


def adapted(lookup, values):
    lookup.adapt(values)
    return lookup


def with_states():
    given = tf.keras.Input((None, FEATURES), name="x")
    states = [tf.keras.Input((UNITS,), name=name) for name in ("h", "c")]
    out, h, c = layers.LSTM(UNITS, return_sequences=True, return_state=True)(
        given, initial_state=states)
    return of_model(tf.keras.Model([given, *states], [out, h, c]),
                    (drawn(2, 5, FEATURES), drawn(2, UNITS), drawn(2, UNITS)))


def encoder_decoder():
    source, target = (tf.keras.Input((None,), dtype="int32", name=n) for n in ("source", "target"))
    read = layers.Embedding(WORDS, FEATURES)
    seen, h, c = layers.LSTM(UNITS, return_sequences=True, return_state=True)(read(source))
    told = layers.LSTM(UNITS, return_sequences=True)(read(target), initial_state=[h, c])
    context = layers.Attention()([told, seen])
    scores = layers.Dense(WORDS, activation="softmax")(layers.Concatenate()([told, context]))
    return of_model(tf.keras.Model([source, target], scores), (words(3, 6), words(3, 4)))


def keeping_state():
    model = tf.keras.Sequential([layers.Input(batch_shape=(2, 3, FEATURES), name="x"),
                                 layers.LSTM(UNITS, stateful=True)])
    return of_model(model, *[(drawn(2, 3, FEATURES),)] * 2, is_constant=False)


def stacked_cells():
    return sequence(layers.RNN(layers.StackedRNNCells(
        [layers.LSTMCell(UNITS), layers.GRUCell(4), layers.SimpleRNNCell(3)])))


class Leaky(layers.Layer):
    """A cell of the user's own."""
    state_size = output_size = UNITS

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], UNITS), name="kernel")

    def call(self, x, states):
        h = 0.9 * states[0] + 0.1 * tf.tanh(tf.matmul(x, self.kernel))
        return tf.where(h > 0, h, 0.5 * h), [h]


def both_ways(layer, **options):
    return layers.Bidirectional(layer, **options)


def attention(layer, **options):
    given = tf.keras.Input((None,), dtype="int32", name="words")
    multi = isinstance(layer, layers.MultiHeadAttention)
    x = layers.Embedding(WORDS, FEATURES, mask_zero=multi)(given)
    y = layer(x, x, **options) if multi else layer([x, x])
    return of_model(tf.keras.Model(given, layers.LayerNormalization()(y)),
                    (np.maximum(words(3, 6), 1),), (words(2, 5),))


MODELS = {
    "LSTM": lambda: sequence(layers.LSTM(UNITS), layers.Dense(2)),
    "GRU": lambda: sequence(layers.GRU(UNITS), layers.Dense(2)),
    "Bidirectional LSTM behind Masking": lambda: sequence(
        layers.Masking(), both_ways(layers.LSTM(UNITS)), layers.Dense(2),
        calls=[(masked(3, 6),), (masked(1, 2),)]),
    "Bidirectional LSTM behind Embedding with a mask": lambda: embedded(
        both_ways(layers.LSTM(UNITS)), layers.Dense(2)),
    "three LSTMs, one behind the other": lambda: sequence(
        layers.LSTM(UNITS, return_sequences=True), layers.LSTM(4, return_sequences=True),
        layers.LSTM(3), layers.Dense(2)),
}

VARIANTS = {
    "SimpleRNN": lambda: sequence(layers.SimpleRNN(UNITS)),
    "LSTM, float64": lambda: sequence(layers.LSTM(UNITS, dtype="float64"), dtype="float64"),
    "LSTM, float16": lambda: sequence(layers.LSTM(UNITS, dtype="float16"), dtype="float16"),
    "LSTM, bfloat16": lambda: sequence(layers.LSTM(UNITS, dtype="mixed_bfloat16")),
    "LSTM, all sizes fixed": lambda: sequence(layers.LSTM(UNITS), steps=4, batch=2),
    "LSTM, unrolled": lambda: sequence(layers.LSTM(UNITS, unroll=True), steps=4),
    "LSTM, backwards, with sequences": lambda: sequence(
        layers.LSTM(UNITS, go_backwards=True, return_sequences=True)),
    "LSTM with given and returned states": with_states,
    "LSTM that keeps its state": keeping_state,
    "LSTM with dropout, at inference": lambda: sequence(
        layers.LSTM(UNITS, dropout=0.5, recurrent_dropout=0.5), layers.Dropout(0.5),
        is_constant=False),
    "LSTM with layer normalization": lambda: sequence(
        layers.LSTM(UNITS, return_sequences=True), layers.LayerNormalization()),
    "LSTM with relu and hard sigmoid": lambda: sequence(
        layers.LSTM(UNITS, activation="relu", recurrent_activation="hard_sigmoid")),
    "LSTM, masked, with sequences": lambda: embedded(layers.LSTM(UNITS, return_sequences=True)),
    "LSTM, masked, unrolled": lambda: sequence(
        layers.Masking(), layers.LSTM(UNITS, unroll=True), steps=4, calls=[(masked(3, 4),)]),
    "GRU with reset before": lambda: sequence(layers.GRU(UNITS, reset_after=False)),
    "GRU, masked": lambda: embedded(layers.GRU(UNITS)),
    "GRU, float64, with sequences": lambda: sequence(
        layers.GRU(UNITS, dtype="float64", return_sequences=True), dtype="float64"),
    "RNN of stacked cells": stacked_cells,
    "RNN of a cell of its own": lambda: sequence(layers.RNN(Leaky(), return_sequences=True)),
    "Bidirectional GRU, summed, with sequences": lambda: sequence(
        both_ways(layers.GRU(UNITS, return_sequences=True), merge_mode="sum")),
    "TimeDistributed": lambda: sequence(layers.TimeDistributed(layers.Dense(3)), layers.LSTM(4)),
    "encoder and decoder with Attention": encoder_decoder,
    "AdditiveAttention": lambda: attention(layers.AdditiveAttention()),
    "MultiHeadAttention": lambda: attention(layers.MultiHeadAttention(2, 4)),
    "MultiHeadAttention, causal, masked": lambda: attention(
        layers.MultiHeadAttention(2, 4), use_causal_mask=True),
    "StringLookup, Embedding and LSTM": lambda: looked_up(
        layers.StringLookup(vocabulary=["the", "of", "and"]),
        np.array([[b"of", b"dog"], [b"", b"the"]], object)),
    "StringLookup that was adapted": lambda: looked_up(
        adapted(layers.StringLookup(), np.array(["a", "b", "b"])),
        np.array([[b"b", b"a", b"x", b"yy", b"z z"]], object)),
    "IntegerLookup, Embedding and LSTM": lambda: looked_up(
        layers.IntegerLookup(vocabulary=[7, -3, 40], num_oov_indices=2),
        np.array([[7, 8, 9], [-3, 40, 0]], np.int64)),
    "Embedding, average over words that count": lambda: embedded(layers.GlobalAveragePooling1D()),
}
