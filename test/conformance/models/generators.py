# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that make something: translations with a beam, pictures from random numbers."""

import numpy as np
import tensorflow as tf

from features import Weights
from program import Program, counts, drawn, spec, traced

WORDS, UNITS, BEAM, LONGEST = 20, 8, 3, 7
FIRST, END = 1, 0
PIXELS, HIDDEN, LATENT = 36, 12, 4


class Translator(tf.Module):
    """A GRU reads; a GRU that looks back at what was read writes."""

    def __init__(self, words=WORDS, units=UNITS, scale=0.8):
        super().__init__()
        self.units = units
        self.words = tf.Variable(drawn(words, units), name="words")
        self.reading, self.writing = (tf.keras.layers.GRUCell(units, name=name)
                                      for name in ("reading", "writing"))
        self.inner = tf.Variable(drawn(units, units, scale=0.5), name="inner")
        self.scores = tf.Variable(drawn(2 * units, words, scale=scale), name="scores")
        for cell, width in ((self.reading, units), (self.writing, 2 * units)):
            cell.build((None, width))

    def embedded(self, words):
        return tf.gather(tf.convert_to_tensor(self.words), words)

    def read(self, source):
        x = tf.transpose(self.embedded(source), [1, 0, 2])
        state = tf.zeros([tf.shape(source)[0], self.units])
        seen = tf.TensorArray(tf.float32, tf.shape(x)[0], element_shape=[None, self.units])
        for i in tf.range(tf.shape(x)[0]):
            after, _ = self.reading(x[i], state)
            state = tf.where(source[:, i, None] > 0, after, state)
            seen = seen.write(i, state)
        return tf.transpose(seen.stack(), [1, 0, 2]), state

    def step(self, word, state, seen, known):
        """Scores of the next word, and the state, of each row."""
        weights = tf.einsum("bu,uv,bsv->bs", state, self.inner, seen)
        weights = tf.nn.softmax(tf.where(known, weights, -1e9))
        context = tf.einsum("bs,bsv->bv", weights, seen)
        state, _ = self.writing(tf.concat([self.embedded(word), context], 1), state)
        return tf.concat([state, context], 1) @ self.scores, state


def with_beam(module, width, longest):
    """The best `width` sentences for each row, best first."""
    count, units = module.words.shape

    def translate(source):
        rows = tf.shape(source)[0]
        seen, state = module.read(source)
        seen, state, known = (tf.repeat(x, width, axis=0) for x in (seen, state, source > 0))
        words = tf.fill([rows, width, 1], FIRST)
        score = tf.tile([[0.0] + [-1e9] * (width - 1)], [rows, 1])
        ended = tf.zeros([rows, width], tf.bool)
        for _ in tf.range(longest):
            tf.autograph.experimental.set_loop_options(shape_invariants=[
                (words, tf.TensorShape([None, width, None])), (state, tf.TensorShape([None, units]))])
            if tf.reduce_all(ended):
                break
            scores, state = module.step(tf.reshape(words[:, :, -1], [-1]), state, seen, known)
            scores = tf.reshape(tf.nn.log_softmax(scores), [rows, width, count])
            only_end = tf.one_hot(END, count, 0.0, -1e9)
            scores = score[:, :, None] + tf.where(ended[:, :, None], only_end, scores)
            score, chosen = tf.math.top_k(tf.reshape(scores, [rows, width * count]), width)
            parent, word = chosen // count, chosen % count
            words = tf.concat([tf.gather(words, parent, batch_dims=1), word[:, :, None]], 2)
            ended = tf.gather(ended, parent, batch_dims=1) | (word == END)
            state = tf.gather(state, tf.reshape(parent + width * tf.range(rows)[:, None], [-1]))
        length = tf.reduce_sum(tf.cast(words != END, tf.float32), 2)
        normed = score / ((5 + length) / 6) ** 0.6
        order = tf.argsort(normed, direction="DESCENDING", stable=True)
        return {"words": tf.gather(words, order, batch_dims=1),
                "score": tf.gather(normed, order, batch_dims=1)}

    return traced(translate, spec("source", None, None, dtype=tf.int32))


def beam():
    module = Translator()
    source = counts(WORDS, 3, 6, low=1)
    source[1, 4:] = source[2, 2:] = 0
    return Program(with_beam(module, BEAM, LONGEST),
                   [{"source": source}, {"source": source[:1]}], module)


def layered(**sizes):
    return Weights(**{f"{name}_{part}": shape for name, (rows, columns) in sizes.items()
                      for part, shape in (("kernel", (rows, columns)), ("bias", (columns,)))})


def dense(module, name, x):
    return x @ getattr(module, f"{name}_kernel") + getattr(module, f"{name}_bias")


def vae_module():
    return layered(seen=(PIXELS, HIDDEN), mean=(HIDDEN, LATENT), spread=(HIDDEN, LATENT),
                   back=(LATENT, HIDDEN), picture=(HIDDEN, PIXELS))


def vae_pass(module, x, seed):
    """A picture, by a point that is drawn near to where the picture belongs; and the loss."""
    hidden = tf.nn.softplus(dense(module, "seen", x))
    mean, spread = dense(module, "mean", hidden), dense(module, "spread", hidden)
    point = mean + tf.exp(0.5 * spread) * tf.random.stateless_normal(tf.shape(mean), seed)
    picture = dense(module, "picture", tf.nn.relu(dense(module, "back", point)))
    wrong = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=picture), 1)
    far = -0.5 * tf.reduce_sum(1 + spread - mean ** 2 - tf.exp(spread), 1)
    return tf.sigmoid(picture), tf.reduce_mean(wrong + far)


def vae():
    module = vae_module()

    def encode(x, seed):
        picture, loss = vae_pass(module, x, seed)
        return {"picture": picture, "loss": loss}

    return Program(traced(encode, spec("x", None, PIXELS), spec("seed", 2, dtype=tf.int32)),
                   [{"x": abs(drawn(2, PIXELS)) % 1, "seed": [7, i]} for i in range(2)], module)


def diffusion():
    """From noise to a picture, each step with noise of its own."""
    module = layered(first=(PIXELS + 2, HIDDEN), second=(HIDDEN, PIXELS))

    def paint(seed, rows):
        betas = tf.linspace(0.01, 0.3, 10)
        left = tf.math.cumprod(1 - betas)
        x = tf.random.stateless_normal([rows, PIXELS], seed)
        for i in tf.range(9, -1, -1):
            when = tf.fill([rows, 1], tf.cast(i, tf.float32) / 10)
            hidden = tf.nn.silu(dense(module, "first", tf.concat([x, tf.sin(when), tf.cos(when)], 1)))
            noise = dense(module, "second", hidden)
            x = (x - betas[i] / tf.sqrt(1 - left[i]) * noise) / tf.sqrt(1 - betas[i])
            if i > 0:
                drawn_here = tf.random.experimental.stateless_fold_in(seed, i)
                x += tf.sqrt(betas[i]) * tf.random.stateless_normal([rows, PIXELS], drawn_here)
        return {"picture": x}

    return Program(traced(paint, spec("seed", 2, dtype=tf.int32), spec("rows", dtype=tf.int32)),
                   [{"seed": [1, 2], "rows": 1}, {"seed": [-5, 9], "rows": 3}], module)


def sampled():
    """Words drawn one after the other, of the most likely ones only."""
    module = Translator()

    def write(state, seed):
        rows = tf.shape(state)[0]
        word = tf.fill([rows], FIRST)
        words = tf.TensorArray(tf.int32, LONGEST, element_shape=[None])
        for i in tf.range(LONGEST):
            scores, state = module.step(word, state, state[:, None], tf.ones([rows, 1], tf.bool))
            least = tf.math.top_k(scores, 5)[0][:, -1:]
            scores = tf.where(scores < least, -1e9, scores / 0.8)
            draw = tf.random.stateless_uniform(tf.shape(scores), seed + [0, i], 1e-6, 1.0)
            word = tf.argmax(scores - tf.math.log(-tf.math.log(draw)), 1, tf.int32)
            words = words.write(i, word)
        return {"words": tf.transpose(words.stack())}

    return Program(traced(write, spec("state", None, UNITS), spec("seed", 2, dtype=tf.int32)),
                   [{"state": drawn(3, UNITS), "seed": np.array([3, 8])}], module)


MODELS = {
    "translation with attention and a beam": beam,
    "VAE": vae,
}

VARIANTS = {
    "diffusion": diffusion,
    "words drawn of the most likely": sampled,
}
