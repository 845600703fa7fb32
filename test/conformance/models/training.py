# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps: each model is called with five batches, and gives its loss and what it has become."""

import numpy as np
import tensorflow as tf

import features
import generators
import images
import transformers
from program import Program, counts, drawn, spec, traced

STEPS, ROWS = 5, 4
layers, optimizers, losses = tf.keras.layers, tf.keras.optimizers, tf.keras.losses


def of_step(module, step, variables, specs, draw):
    """`step` changes variables and gives losses by name; `draw` makes the inputs of a call."""
    def train(*inputs):
        result = step(*inputs)
        return {**result, **{f"variable_{i:02}": each.read_value() for i, each in enumerate(variables)}}

    calls = [dict(zip([each.name for each in specs], draw())) for _ in range(STEPS)]
    return Program(traced(train, *specs), calls, module, is_constant=False)


def applied(optimizer, loss, variables):
    """A step that makes `loss(*inputs)` smaller."""
    optimizer.build(variables)

    def step(*inputs):
        with tf.GradientTape() as tape:
            value = loss(*inputs)
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return {"loss": value}

    return step


def of_module(module, optimizer, loss, specs, draw):
    module.optimizer = optimizer
    variables = list(module.trainable_variables)
    return of_step(module, applied(optimizer, lambda *call: loss(module, *call), variables), variables,
                   specs, draw)


def of_layers(model, optimizer, loss, draw, label):
    """A model of Keras in training: dropout and statistics of batch norms included."""
    module = tf.Module()
    module.model, module.optimizer = model, optimizer
    # Seeds of dropout are no weights of a layer.
    module.values = [each.value for each in model.variables]
    loss = loss or losses.SparseCategoricalCrossentropy(from_logits=True)

    def value(*inputs):
        *given, wanted = inputs
        return loss(wanted, model(given if len(given) > 1 else given[0], training=True))

    specs = [spec(each.name, *each.shape, dtype=each.dtype) for each in model.inputs] + [label]
    step = applied(optimizer, value, model.trainable_variables)
    return of_step(module, step, module.values, specs, draw)


LABEL = spec("label", None, dtype=tf.int32)


def classifier(model, optimizer, classes=images.CLASSES):
    shape = model.inputs[0].shape[1:]
    return of_layers(model, optimizer, None, lambda: (drawn(ROWS, *shape), counts(classes, ROWS)), LABEL)


def perceptron():
    model = tf.keras.Sequential([layers.Input((12,), name="x"), layers.Dense(16, activation="relu"),
                                 layers.Dense(8, activation="tanh"), layers.Dense(3)])
    return classifier(model, optimizers.SGD(0.1), 3)


def autoencoder():
    def draw():
        x = abs(drawn(ROWS, 28, 28, 1)) % 1
        return x, x
    return of_layers(images.autoencoder(), optimizers.Adagrad(0.05), losses.BinaryCrossentropy(), draw,
                     spec("wanted", None, 28, 28, 1))


def digits():
    given = images.image(16, 1)
    x = layers.MaxPooling2D()(layers.Conv2D(6, 3, activation="relu")(given))
    x = layers.BatchNormalization()(layers.Conv2D(8, 3, 2, activation="relu")(x))
    x = layers.Dropout(0.25)(layers.Flatten()(layers.AveragePooling2D(2)(x)))
    return classifier(tf.keras.Model(given, layers.Dense(images.CLASSES)(x)), optimizers.Adam(0.01))


def transformer():
    schedule = optimizers.schedules.CosineDecay(1e-3, 10, warmup_target=1e-2, warmup_steps=3)
    optimizer = optimizers.AdamW(schedule, weight_decay=0.01, global_clipnorm=1.0)
    return of_layers(transformers.decoder_model(1), optimizer, None,
                     lambda: (np.maximum(transformers.words(ROWS, 6), 1), counts(transformers.WORDS, ROWS, 6)),
                     spec("label", None, None, dtype=tf.int32))


def recurrent(layer, optimizer):
    given = tf.keras.Input((None,), dtype="int32", name="words")
    x = layer(layers.Embedding(transformers.WORDS, 6, mask_zero=True)(given))
    return of_layers(tf.keras.Model(given, layers.Dense(3)(x)), optimizer, None,
                     lambda: (transformers.words(ROWS, 7), counts(3, ROWS)), LABEL)


def of_translation(module, source, target):
    """The loss of each next word, where the target has one."""
    seen, state = module.read(source)
    known = source > 0
    total = 0.0
    for i in tf.range(tf.shape(target)[1] - 1):
        scores, state = module.step(target[:, i], state, seen, known)
        wrong = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target[:, i + 1], logits=scores)
        total += tf.reduce_sum(tf.where(target[:, i + 1] > 0, wrong, 0.0))
    return total / tf.reduce_sum(tf.cast(target[:, 1:] > 0, tf.float32))


TRANSLATION = [spec(name, None, None, dtype=tf.int32) for name in ("source", "target")]


def translator():
    return of_module(generators.Translator(), optimizers.Adam(0.02), of_translation, TRANSLATION, lambda: tuple(
        counts(generators.WORDS, 3, width, low=1) for width in (5, 6)))


def vae():
    return of_module(generators.vae_module(), optimizers.Adam(0.01),
                     lambda module, x, seed: generators.vae_pass(module, x, seed)[1],
                     [spec("x", None, generators.PIXELS), spec("seed", 2, dtype=tf.int32)],
                     lambda: (abs(drawn(ROWS, generators.PIXELS)) % 1, counts(1000, 2)))


def adversaries():
    """Two networks, each of which is trained against the other one in the same step."""
    maker, judge = (tf.keras.Sequential([layers.Input((width,)), layers.Dense(8), layers.LeakyReLU(0.2),
                                         layers.Dense(out)]) for width, out in ((4, 6), (6, 1)))
    module = tf.Module()
    module.maker, module.judge = maker, judge
    module.optimizers = [optimizers.Adam(0.02, beta_1=0.5) for _ in range(2)]
    for optimizer, model in zip(module.optimizers, (maker, judge)):
        optimizer.build(model.trainable_variables)

    def wrong(scores, is_real):
        labels = tf.fill(tf.shape(scores), is_real)
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=scores))

    def step(real, seed):
        noise = tf.random.stateless_normal([tf.shape(real)[0], 4], seed)
        with tf.GradientTape(persistent=True) as tape:
            made = maker(noise, training=True)
            found = judge(made, training=True)
            of_maker = wrong(found, 1.0)
            of_judge = wrong(judge(real, training=True), 0.9) + wrong(found, 0.0)
        for optimizer, model, loss in zip(module.optimizers, (maker, judge), (of_maker, of_judge)):
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return {"loss": of_judge, "of_maker": of_maker}

    return of_step(module, step, [each.value for each in maker.variables + judge.variables],
                   [spec("real", None, 6), spec("seed", 2, dtype=tf.int32)],
                   lambda: (drawn(ROWS, 6) + 1, counts(1000, 2)))


def clicks():
    """Rows of tables that no feature of a batch names stay as they are."""
    module = features.Weights(linear=(features.BUCKETS, 1), factors=(features.BUCKETS, 4), out=(4, 1))

    def loss(module, row, feature, clicked):
        size = tf.stack([tf.shape(clicked, tf.int64)[0], tf.shape(row, tf.int64)[0]])
        places = tf.stack([row, tf.range(tf.shape(row, tf.int64)[0])], 1)
        numbers = tf.SparseTensor(places, feature, size)
        linear, deep = (tf.nn.safe_embedding_lookup_sparse(table, numbers, combiner=combiner)
                        for table, combiner in ((module.linear, "sum"), (module.factors, "mean")))
        scores = linear[:, 0] + (tf.nn.relu(deep) @ module.out)[:, 0]
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=clicked, logits=scores))

    return of_module(module, optimizers.Ftrl(0.1, l1_regularization_strength=0.001), loss,
                     [spec("row", None, dtype=tf.int64), spec("feature", None, dtype=tf.int64),
                      spec("clicked", None)],
                     lambda: ([0, 0, 1, 2, 2], counts(features.BUCKETS, 5), [1, 0, 1]))


def by_hand():
    """Adam as its paper has it, without an optimizer, on a table of which some rows are read."""
    module = features.Weights(table=(20, 4), out=(4, 1))
    module.step = tf.Variable(0.0, name="step")
    variables = [module.table, module.out]
    module.means = [[tf.Variable(tf.zeros_like(each)) for _ in range(2)] for each in variables]

    def step(number, wanted):
        with tf.GradientTape() as tape:
            x = tf.gather(module.table, number)
            loss = tf.reduce_mean(tf.math.squared_difference(x @ module.out, wanted[:, None]))
        now = module.step.assign_add(1.0)
        for variable, gradient, (mean, square) in zip(
                variables, tape.gradient(loss, variables), module.means):
            gradient = tf.convert_to_tensor(gradient)
            mean.assign(0.9 * mean + 0.1 * gradient)
            square.assign(0.999 * square + 0.001 * gradient ** 2)
            variable.assign_sub(0.01 * (mean / (1 - 0.9 ** now)) /
                                (tf.sqrt(square / (1 - 0.999 ** now)) + 1e-8))
        return {"loss": loss}

    return of_step(module, step, variables, [spec("number", None, dtype=tf.int32), spec("wanted", None)],
                   lambda: (counts(20, ROWS), drawn(ROWS)))


def loop_of_steps():
    """All steps in one call: the loop is in the graph."""
    module = features.Weights(first=(5, 6), second=(6, 1))
    variables = [module.first, module.second]
    module.speed = [tf.Variable(tf.zeros_like(each)) for each in variables]

    def step(x, wanted):
        found = tf.TensorArray(tf.float32, tf.shape(x)[0])
        for i in tf.range(tf.shape(x)[0]):
            with tf.GradientTape() as tape:
                y = tf.tanh(x[i] @ module.first) @ module.second
                loss = tf.reduce_mean((y[:, 0] - wanted[i]) ** 2)
            for variable, gradient, speed in zip(variables, tape.gradient(loss, variables), module.speed):
                speed.assign(0.9 * speed + gradient)
                variable.assign_sub(0.05 * speed)
            found = found.write(i, loss)
        return {"loss": found.stack()}

    return of_step(module, step, variables, [spec("x", None, None, 5), spec("wanted", None, None)],
                   lambda: (drawn(3, ROWS, 5), drawn(3, ROWS)))


MODELS = {
    "CNN of digits, trained with Adam": digits,
    "residual network, trained with momentum": lambda: classifier(
        images.residual(32, 4), optimizers.SGD(0.005, momentum=0.9, nesterov=True)),
    "transformer, trained with AdamW": transformer,
    "LSTM behind Embedding, trained with Adam": lambda: recurrent(layers.LSTM(5), optimizers.Adam(0.01)),
    "translation with attention, trained with Adam": translator,
    "VAE, trained with Adam": vae,
    "GAN, both trained with Adam": adversaries,
    "clicks, trained with FTRL": clicks,
}

VARIANTS = {
    "perceptron, trained with SGD": perceptron,
    "autoencoder, trained with Adagrad": autoencoder,
    "GRU behind Embedding, trained with RMSprop": lambda: recurrent(
        layers.GRU(5, dropout=0.2), optimizers.RMSprop(0.01, momentum=0.5)),
    "table, trained with Adam by hand": by_hand,
    "perceptron, trained in a loop of the graph": loop_of_steps,
}
