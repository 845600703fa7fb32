# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of LSTM and GRU before a dense one, and an LSTM in both directions over rows of their own lengths.

Inputs are as wide as the layer. TensorFlow's graph is for any batch and any number of steps."""

from rivals.model import NO_TRAINING, Model, jax_trained, stateless, torch_trained, trained

STEPS, CLASSES = 50, 10


# ---- TensorFlow ---------------------------------------------------------------------------------------

def keras_model(kind, units):
    import tensorflow as tf
    layers = tf.keras.layers
    given = tf.keras.Input((None, units), name="x")
    return tf.keras.Model(given, layers.Dense(CLASSES)(getattr(layers, kind)(units)(given)))


def inference(kind, batch, units):
    from program import drawn, of_model
    model = keras_model(kind, units)
    return of_model(model, (drawn(batch, STEPS, units),)), model.weights


def training(kind, batch, units):
    import tensorflow as tf
    from program import counts, drawn, spec
    module = tf.Module()
    module.model = keras_model(kind, units)
    wrong = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return trained(module, module.model.trainable_variables,
                   lambda x, label: wrong(label, module.model(x, training=True)),
                   [spec("x", None, None, units), spec("label", None, dtype=tf.int32)],
                   [(drawn(batch, STEPS, units), counts(CLASSES, batch)) for _ in range(3)])


def both_ways(batch, units):
    import tensorflow as tf
    from program import Program, counts, drawn, spec, traced
    layer = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(units), name="both")
    layer.build((None, None, units))
    module = tf.Module()
    module.layer = layer

    def read(x, length):
        return {"last": layer(x, mask=tf.sequence_mask(length, tf.shape(x)[1]))}

    lengths = counts(STEPS + 1, batch, low=STEPS // 4)
    return Program(traced(read, spec("x", None, None, units), spec("length", None, dtype=tf.int32)),
                   [{"x": drawn(batch, STEPS, units), "length": lengths}], module), layer.weights


# ---- JAX ----------------------------------------------------------------------------------------------

def jax_step(kind, units):
    """The next state, of the state and of the input's part of the sums."""
    import jax
    from jax import numpy as jnp

    def lstm(state, sums, inner, _):
        h, c = state
        update, keep, new, out = jnp.split(sums + h @ inner, 4, axis=-1)
        c = jax.nn.sigmoid(keep) * c + jax.nn.sigmoid(update) * jnp.tanh(new)
        return jax.nn.sigmoid(out) * jnp.tanh(c), c

    def gru(state, sums, inner, bias):
        h, = state
        keep, reset, new = jnp.split(sums, 3, axis=-1)
        keep_h, reset_h, new_h = jnp.split(h @ inner + bias, 3, axis=-1)
        keep = jax.nn.sigmoid(keep + keep_h)
        new = jnp.tanh(new + jax.nn.sigmoid(reset + reset_h) * new_h)
        return keep * h + (1 - keep) * new,

    return (lstm, 2) if kind == "LSTM" else (gru, 1)


def jax_last(kind, units, kernel, inner, bias, x, known=None):
    """The last state; without what is not known, of [step, row]."""
    import jax
    from jax import numpy as jnp
    step, parts = jax_step(kind, units)
    first, second = (bias[0], bias[1]) if kind == "GRU" else (bias, None)
    sums = jnp.swapaxes(x, 0, 1) @ kernel + first
    start = (jnp.zeros((x.shape[0], units)),) * parts

    def body(state, given):
        row, is_known = given
        after = step(state, row, inner, second)
        if known is not None:
            after = tuple(jnp.where(is_known[:, None], *both) for both in zip(after, state))
        return after, None

    return jax.lax.scan(body, start, (sums, known))[0][0]


def jax_scores(kind, units):
    def scores(weights, x):
        kernel, inner, bias, last, last_bias = weights
        return jax_last(kind, units, kernel, inner, bias, x) @ last + last_bias
    return scores


def jax_training(kind, units):
    def build(weights):
        import jax
        scores = jax_scores(kind, units)

        def loss(weights, x, label):
            logs = jax.nn.log_softmax(scores(weights, x))
            return -logs[jax.numpy.arange(label.shape[0]), label].mean()

        return jax_trained(weights, loss)
    return build


def jax_both_ways(units):
    def read(weights, x, length):
        from jax import numpy as jnp
        known = jnp.arange(x.shape[1])[:, None] < length
        forward = jax_last("LSTM", units, *weights[:3], x, known)
        return [jnp.concatenate([forward, jax_last("LSTM", units, *weights[3:], x[:, ::-1], known[::-1])],
                                1)]
    return stateless(read)


# ---- PyTorch ------------------------------------------------------------------------------------------

def torch_layer(kind, units, weights, both=False):
    """Its gates are in another order, and its biases are two."""
    import torch
    layer = getattr(torch.nn, kind)(units, units, batch_first=True, bidirectional=both)
    with torch.no_grad():
        for i, suffix in enumerate(["", "_reverse"][:1 + both]):
            kernel, inner, bias = weights[3 * i:3 * i + 3]
            first, second = bias if kind == "GRU" else (bias, torch.zeros_like(bias))
            if kind == "GRU":
                kernel, inner, first, second = (
                    torch.cat([part.split(units, -1)[j] for j in (1, 0, 2)], -1)
                    for part in (kernel, inner, first, second))
            for name, value in (("weight_ih", kernel.T), ("weight_hh", inner.T), ("bias_ih", first),
                                ("bias_hh", second)):
                getattr(layer, f"{name}_l0{suffix}").copy_(value)
    return layer


def torch_scores(kind, units, weights):
    layer = torch_layer(kind, units, weights)
    last, last_bias = weights[3:]

    def scores(x):
        return layer(x)[0][:, -1] @ last + last_bias

    # The second bias of an LSTM is no weight of the model.
    own = [each for name, each in layer.named_parameters() if kind == "GRU" or "bias_hh" not in name]
    return scores, [*own, last, last_bias]


def torch_inference(kind, units):
    def build(weights, fast):
        scores, _ = torch_scores(kind, units, weights)
        scores = fast(scores)
        return lambda x: [scores(x)]
    return build


def torch_training(kind, units):
    def build(weights, fast):
        import torch
        scores, own = torch_scores(kind, units, weights)
        return torch_trained(own, fast(
            lambda x, label: torch.nn.functional.cross_entropy(scores(x), label.long())))
    return build


def torch_both_ways(units):
    def build(weights, fast):
        import torch
        layer = torch_layer("LSTM", units, weights, both=True)

        def read(x, length):
            packed = torch.nn.utils.rnn.pack_padded_sequence(x, length, batch_first=True,
                                                             enforce_sorted=False)
            _, (h, _) = layer(packed)
            return [torch.cat([h[0], h[1]], 1)]

        return fast(read)
    return build


# ---- Rows ---------------------------------------------------------------------------------------------

def listed(jax_function):
    return stateless(lambda weights, *inputs: [jax_function(weights, *inputs)])


def rows():
    for kind in ("LSTM", "GRU"):
        for units in (128, 512):
            for batch in (1, 4, 32):
                size = kind, batch, units
                yield f"{kind}, training, h={units}, b={batch}", Model(
                    lambda size=size: training(*size), jax_training(kind, units),
                    torch_training(kind, units), {"ONNX Runtime": NO_TRAINING})
                yield f"{kind}, inference, h={units}, b={batch}", Model(
                    lambda size=size: inference(*size), listed(jax_scores(kind, units)),
                    torch_inference(kind, units))
    yield "bidirectional LSTM with lengths, h=128, b=8", Model(
        lambda: both_ways(8, 128), jax_both_ways(128), torch_both_ways(128))


MODELS = dict(rows())
