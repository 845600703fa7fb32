# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GRU that reads a sentence, and one that writes another and looks back at what was read: a step of
training, and sentences that are written word by word, the best word each time or the best sentences."""

from rivals.model import NO_TRAINING, Model, jax_trained, stateless, torch_trained, trained

WORDS, UNITS, ROWS, STEPS, LONGEST, BEAM = 1000, 128, 8, 20, 20, 4
FIRST, END, NEVER = 1, 0, -1e9


# ---- TensorFlow ---------------------------------------------------------------------------------------

def translator():
    import generators
    module = generators.Translator(WORDS, UNITS, 0.3)
    return module, [module.words, module.inner, module.scores, *module.reading.weights,
                    *module.writing.weights]


def sentences(width):
    from program import counts
    source = counts(WORDS, ROWS, width, low=1)
    for row in range(ROWS):
        source[row, width - row:] = 0
    return source


def training():
    import training as trainings
    module, variables = translator()
    return trained(module, variables, lambda *call: trainings.of_translation(module, *call),
                   trainings.TRANSLATION, [(sentences(STEPS), sentences(STEPS)) for _ in range(3)])


def greedy():
    import tensorflow as tf
    from program import Program, spec, traced
    module, variables = translator()

    def translate(source):
        seen, state = module.read(source)
        known, rows = source > 0, tf.shape(source)[0]
        word, ended = tf.fill([rows], FIRST), tf.zeros([rows], tf.bool)
        words = tf.TensorArray(tf.int32, LONGEST, element_shape=[None])
        score = tf.zeros([rows])
        for i in tf.range(LONGEST):
            scores, state = module.step(word, state, seen, known)
            best = tf.reduce_max(tf.nn.log_softmax(scores), 1)
            word = tf.where(ended, END, tf.argmax(scores, 1, tf.int32))
            score += tf.where(ended, 0.0, best)
            words = words.write(i, word)
            ended = ended | (word == END)
            if tf.reduce_all(ended):
                break
        return {"score": score, "words": tf.transpose(words.stack())}

    return Program(traced(translate, spec("source", None, None, dtype=tf.int32)),
                   [{"source": sentences(STEPS)}], module), variables


def beam():
    import generators
    from program import Program
    module, variables = translator()
    return Program(generators.with_beam(module, BEAM, LONGEST), [{"source": sentences(STEPS)}],
                   module), variables


# ---- JAX ----------------------------------------------------------------------------------------------

def jax_gru(x, state, kernel, inner, bias):
    import jax
    from jax import numpy as jnp
    keep, reset, new = jnp.split(x @ kernel + bias[0], 3, axis=-1)
    keep_h, reset_h, new_h = jnp.split(state @ inner + bias[1], 3, axis=-1)
    keep = jax.nn.sigmoid(keep + keep_h)
    return keep * state + (1 - keep) * jnp.tanh(new + jax.nn.sigmoid(reset + reset_h) * new_h)


def jax_read(weights, source):
    import jax
    from jax import numpy as jnp

    def body(state, word):
        after = jax_gru(weights[0][word], state, *weights[3:6])
        state = jnp.where(word[:, None] > 0, after, state)
        return state, state

    state, seen = jax.lax.scan(body, jnp.zeros((source.shape[0], UNITS)), source.T)
    return jnp.swapaxes(seen, 0, 1), state


def jax_step(weights, word, state, seen, known):
    import jax
    from jax import numpy as jnp
    words, inner, scores = weights[:3]
    sums = jnp.einsum("bv,bsv->bs", state @ inner, seen)
    context = jnp.einsum("bs,bsv->bv", jax.nn.softmax(jnp.where(known, sums, NEVER)), seen)
    state = jax_gru(jnp.concatenate([words[word], context], 1), state, *weights[6:])
    return jnp.concatenate([state, context], 1) @ scores, state


def jax_training(weights):
    import jax
    from jax import numpy as jnp

    def loss(weights, source, target):
        seen, state = jax_read(weights, source)
        known = source > 0

        def body(state, pair):
            word, wanted = pair
            scores, state = jax_step(weights, word, state, seen, known)
            wrong = -jax.nn.log_softmax(scores)[jnp.arange(wanted.shape[0]), wanted]
            return state, jnp.where(wanted > 0, wrong, 0).sum()

        _, wrong = jax.lax.scan(body, state, (target.T[:-1], target.T[1:]))
        return wrong.sum() / (target[:, 1:] > 0).sum()

    return jax_trained(weights, loss)


def jax_greedy(weights, source):
    import jax
    from jax import numpy as jnp
    seen, state = jax_read(weights, source)
    rows, known = source.shape[0], source > 0

    def goes_on(carried):
        i, *_, ended = carried
        return (i < LONGEST) & ~ended.all()

    def body(carried):
        i, word, state, words, score, ended = carried
        scores, state = jax_step(weights, word, state, seen, known)
        word = jnp.where(ended, END, scores.argmax(1).astype(jnp.int32))
        score += jnp.where(ended, 0, jax.nn.log_softmax(scores).max(1))
        return i + 1, word, state, words.at[:, i].set(word), score, ended | (word == END)

    *_, words, score, _ = jax.lax.while_loop(goes_on, body, (
        0, jnp.full(rows, FIRST, jnp.int32), state, jnp.zeros((rows, LONGEST), jnp.int32), jnp.zeros(rows),
        jnp.zeros(rows, bool)))
    return [score, words]


def jax_beam(weights, source):
    import jax
    from jax import numpy as jnp
    seen, state = jax_read(weights, source)
    rows = source.shape[0]
    seen, state, known = (jnp.repeat(x, BEAM, axis=0) for x in (seen, state, source > 0))
    only_end = jnp.full(WORDS, NEVER).at[END].set(0)

    def goes_on(carried):
        i, *_, ended = carried
        return (i < LONGEST) & ~ended.all()

    def body(carried):
        i, words, state, score, ended = carried
        scores, state = jax_step(weights, words[:, :, i].reshape(-1), state, seen, known)
        scores = jax.nn.log_softmax(scores).reshape(rows, BEAM, WORDS)
        scores = score[:, :, None] + jnp.where(ended[:, :, None], only_end, scores)
        score, chosen = jax.lax.top_k(scores.reshape(rows, -1), BEAM)
        parent, word = chosen // WORDS, chosen % WORDS
        words = jnp.take_along_axis(words, parent[:, :, None], 1).at[:, :, i + 1].set(word)
        ended = jnp.take_along_axis(ended, parent, 1) | (word == END)
        state = state[(parent + BEAM * jnp.arange(rows)[:, None]).reshape(-1)]
        return i + 1, words, state, score, ended

    _, words, _, score, _ = jax.lax.while_loop(goes_on, body, (
        0, jnp.zeros((rows, BEAM, LONGEST + 1), jnp.int32).at[:, :, 0].set(FIRST), state,
        jnp.tile(jnp.array([0.0] + [NEVER] * (BEAM - 1)), (rows, 1)), jnp.zeros((rows, BEAM), bool)))
    normed = score / ((5 + (words != END).sum(2)) / 6) ** 0.6
    order = jnp.argsort(-normed, axis=1)
    return [jnp.take_along_axis(normed, order, 1), jnp.take_along_axis(words, order[:, :, None], 1)]


# ---- PyTorch ------------------------------------------------------------------------------------------

def torch_gru(x, state, kernel, inner, bias):
    keep, reset, new = (x @ kernel + bias[0]).chunk(3, -1)
    keep_h, reset_h, new_h = (state @ inner + bias[1]).chunk(3, -1)
    keep = (keep + keep_h).sigmoid()
    return keep * state + (1 - keep) * (new + (reset + reset_h).sigmoid() * new_h).tanh()


class TorchTranslator:
    """What is called in each iteration is compiled, if anything is; loops are Python's."""

    def __init__(self, weights, fast):
        import torch
        self.weights, self.lib = weights, torch
        self.reading, self.writing = fast(self.reading_step), fast(self.step)

    def reading_step(self, word, state):
        after = torch_gru(self.weights[0][word], state, *self.weights[3:6])
        return self.lib.where(word[:, None] > 0, after, state)

    def read(self, source):
        state, seen = self.lib.zeros(source.shape[0], UNITS), []
        for word in source.T:
            state = self.reading(word, state)
            seen.append(state)
        return self.lib.stack(seen, 1), state

    def step(self, word, state, seen, known):
        words, inner, scores = self.weights[:3]
        sums = self.lib.einsum("bv,bsv->bs", state @ inner, seen)
        shares = self.lib.where(known, sums, NEVER).softmax(1)
        context = self.lib.einsum("bs,bsv->bv", shares, seen)
        state = torch_gru(self.lib.cat([words[word], context], 1), state, *self.weights[6:])
        return self.lib.cat([state, context], 1) @ scores, state


def torch_training(weights, fast):
    import torch
    module = TorchTranslator(weights, fast)

    def loss(source, target):
        seen, state = module.read(source)
        known, scores = source > 0, []
        for word in target.T[:-1]:
            found, state = module.writing(word, state, seen, known)
            scores.append(found)
        return torch.nn.functional.cross_entropy(
            torch.stack(scores, 1).reshape(-1, WORDS), target[:, 1:].reshape(-1).long(), ignore_index=0)

    return torch_trained(weights, loss)


def torch_greedy(weights, fast):
    import torch
    module = TorchTranslator(weights, fast)

    def translate(source):
        seen, state = module.read(source)
        known, rows = source > 0, source.shape[0]
        word, ended = torch.full([rows], FIRST), torch.zeros(rows, dtype=torch.bool)
        words, score = [], torch.zeros(rows)
        for _ in range(LONGEST):
            scores, state = module.writing(word, state, seen, known)
            best = scores.log_softmax(1).amax(1)
            word = scores.argmax(1).masked_fill(ended, END)
            score += best.masked_fill(ended, 0)
            words.append(word)
            ended = ended | (word == END)
            if ended.all():
                break
        return [score, torch.stack(words, 1).int()]

    return translate


def torch_beam(weights, fast):
    import torch
    module = TorchTranslator(weights, fast)
    only_end = torch.full([WORDS], NEVER)
    only_end[END] = 0

    def translate(source):
        seen, state = module.read(source)
        rows = source.shape[0]
        seen, state, known = (x.repeat_interleave(BEAM, 0) for x in (seen, state, source > 0))
        words = torch.full([rows, BEAM, 1], FIRST)
        score = torch.tensor([0.0] + [NEVER] * (BEAM - 1)).repeat(rows, 1)
        ended = torch.zeros(rows, BEAM, dtype=torch.bool)
        for _ in range(LONGEST):
            if ended.all():
                break
            scores, state = module.writing(words[:, :, -1].reshape(-1), state, seen, known)
            scores = scores.log_softmax(1).view(rows, BEAM, WORDS)
            scores = score[:, :, None] + torch.where(ended[:, :, None], only_end, scores)
            score, chosen = scores.view(rows, -1).topk(BEAM)
            parent, word = chosen // WORDS, chosen % WORDS
            words = torch.cat([words.gather(1, parent[:, :, None].expand_as(words)), word[:, :, None]], 2)
            ended = ended.gather(1, parent) | (word == END)
            state = state[(parent + BEAM * torch.arange(rows)[:, None]).view(-1)]
        normed = score / ((5 + (words != END).sum(2)) / 6) ** 0.6
        order = normed.argsort(descending=True, stable=True)
        return [normed.gather(1, order), words.gather(1, order[:, :, None].expand_as(words)).int()]

    return translate


MODELS = {
    "translation with attention, training": Model(training, jax_training, torch_training,
                                                  {"ONNX Runtime": NO_TRAINING}),
    "translation with attention, greedy": Model(greedy, stateless(jax_greedy), torch_greedy),
    "translation with attention, beam of 4": Model(beam, stateless(jax_beam), torch_beam),
}
