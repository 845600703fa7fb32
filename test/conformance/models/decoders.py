# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders with variables: one word after the other, until all sentences have ended."""

import tensorflow as tf

from program import Program, drawn, spec, traced

WORDS, UNITS, LONGEST, BEAM = 12, 8, 9, 3
FIRST, END = 1, 0


class Cell(tf.Module):
    def __init__(self):
        super().__init__()
        self.embedding = tf.Variable(drawn(WORDS, UNITS), name="embedding")
        self.gates = tf.Variable(drawn(2 * UNITS, 3 * UNITS, scale=0.6), name="gates")
        self.scores = tf.Variable(drawn(UNITS, WORDS, scale=1.5), name="scores")

    def step(self, word, state):
        """Scores of the next words, and the next state: rows are sentences."""
        x = tf.gather(tf.convert_to_tensor(self.embedding), word)
        update, keep, new = tf.split(tf.concat([x, state], 1) @ self.gates, 3, axis=1)
        state = tf.sigmoid(keep) * state + tf.sigmoid(update) * tf.tanh(new)
        return tf.nn.log_softmax(state @ self.scores), state


def greedy():
    cell = Cell()

    def decode(state):
        rows = tf.shape(state)[0]
        word = tf.fill([rows], FIRST)
        done = tf.zeros([rows], tf.bool)
        words = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        score = tf.zeros([rows])
        for i in tf.range(LONGEST):
            scores, state = cell.step(word, state)
            word = tf.where(done, END, tf.argmax(scores, 1, tf.int32))
            score += tf.where(done, 0.0, tf.reduce_max(scores, 1))
            words = words.write(i, word)
            done = done | (word == END)
            if tf.reduce_all(done):
                break
        return {"words": tf.transpose(words.stack()), "score": score}

    return Program(traced(decode, spec("state", None, UNITS)),
                   [{"state": drawn(rows, UNITS)} for rows in (1, 4)], cell)


def beam():
    cell = Cell()

    def decode(state):
        """The best BEAM sentences for each row."""
        rows = tf.shape(state)[0]
        state = tf.repeat(state, BEAM, axis=0)
        words = tf.fill([rows, BEAM, 1], FIRST)
        score = tf.tile([[0.0] + [-1e9] * (BEAM - 1)], [rows, 1])
        done = tf.zeros([rows, BEAM], tf.bool)
        ended = tf.constant([[[0.0] + [-1e9] * (WORDS - 1)]])
        i = tf.constant(0)
        while i < LONGEST and not tf.reduce_all(done):
            tf.autograph.experimental.set_loop_options(shape_invariants=[
                (words, tf.TensorShape([None, BEAM, None])), (state, tf.TensorShape([None, UNITS]))])
            scores, state = cell.step(tf.reshape(words[:, :, -1], [-1]), state)
            scores = tf.where(done[:, :, None], ended, tf.reshape(scores, [rows, BEAM, WORDS]))
            score, chosen = tf.math.top_k(
                tf.reshape(score[:, :, None] + scores, [rows, BEAM * WORDS]), BEAM)
            parent, word = chosen // WORDS, chosen % WORDS
            words = tf.concat([tf.gather(words, parent, batch_dims=1), word[:, :, None]], 2)
            done = tf.gather(done, parent, batch_dims=1) | (word == END)
            state = tf.reshape(tf.gather(tf.reshape(state, [rows, BEAM, UNITS]), parent,
                                         batch_dims=1), [-1, UNITS])
            i += 1
        return {"words": words, "score": score}

    return Program(traced(decode, spec("state", None, UNITS)),
                   [{"state": drawn(rows, UNITS)} for rows in (1, 4)], cell)


MODELS = {"greedy decoder": greedy, "beam decoder": beam}
VARIANTS = {}
