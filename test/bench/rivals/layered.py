# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A perceptron, blocks of a transformer, and a small network of convolutions, at inference."""

from rivals.model import Model, stateless

PIXELS, HIDDEN, CLASSES = 784, 512, 10
WIDTH, HEADS, WORDS = 256, 4, 64
EPSILON, NORM_EPSILON = 1e-6, 1e-3  # of layer norms, and of batch norms


# ---- TensorFlow ---------------------------------------------------------------------------------------

def of_keras(model, batch):
    from program import drawn, of_model
    shape = [size or WORDS for size in model.inputs[0].shape[1:]]
    return of_model(model, (drawn(batch, *shape),)), model.weights


def perceptron(batch):
    import tensorflow as tf
    layers = tf.keras.layers
    return of_keras(tf.keras.Sequential([
        layers.Input((PIXELS,), name="x"), layers.Dense(HIDDEN, activation="relu"),
        layers.Dense(HIDDEN, activation="relu"), layers.Dense(CLASSES, activation="softmax")]), batch)


def transformer(blocks, batch):
    import tensorflow as tf
    import transformers
    given = x = tf.keras.Input((None, WIDTH), name="x")

    def approximate(y):
        return tf.keras.activations.gelu(y, approximate=True)

    for _ in range(blocks):
        x = transformers.forward(transformers.attended(x, x, HEADS), approximate)
    return of_keras(tf.keras.Model(given, x), batch)


def digits(batch):
    import images
    return of_keras(images.settled(images.digits()), batch)


# ---- JAX ----------------------------------------------------------------------------------------------

def jax_perceptron(weights, x):
    import jax
    for i in (0, 2):
        x = jax.nn.relu(x @ weights[i] + weights[i + 1])
    return [jax.nn.softmax(x @ weights[4] + weights[5])]


def jax_norm(x, scale, shift):
    from jax import lax
    mean = x.mean(-1, keepdims=True)
    spread = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(spread + EPSILON) * scale + shift


def jax_block(x, query, key, value, out, *rest):
    import jax
    from jax import numpy as jnp
    queries, keys, values = (jnp.einsum("bsw,whd->bhsd", x, each) for each in (query, key, value))
    sums = jnp.einsum("bhsd,bhtd->bhst", queries, keys) * (WIDTH // HEADS) ** -0.5
    seen = jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(sums), values)
    x = jax_norm(x + jnp.einsum("bhsd,hdw->bsw", seen, out), *rest[:2])
    up, up_bias, down, down_bias = rest[2:6]
    y = jax.nn.gelu(x @ up + up_bias, approximate=True) @ down + down_bias
    return jax_norm(x + y, *rest[6:])


def jax_transformer(weights, x):
    for i in range(0, len(weights), 12):
        x = jax_block(x, *weights[i:i + 12])
    return [x]


def jax_digits(weights, x):
    import jax
    from jax import lax
    first, first_bias, second, second_bias, gamma, beta, mean, spread, hidden, hidden_bias, out, out_bias = weights

    def convolved(x, kernel, bias):
        y = lax.conv_general_dilated(x, kernel, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.nn.relu(y + bias)

    def pooled(x, start, function):
        return lax.reduce_window(x, start, function, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    x = pooled(convolved(x, first, first_bias), -jax.numpy.inf, lax.max)
    x = convolved(x, second, second_bias)
    x = (x - mean) * lax.rsqrt(spread + NORM_EPSILON) * gamma + beta
    x = (pooled(x, 0.0, lax.add) / 4).reshape(x.shape[0], -1)
    return [jax.nn.softmax(jax.nn.relu(x @ hidden + hidden_bias) @ out + out_bias)]


# ---- PyTorch ------------------------------------------------------------------------------------------

def torch_linear(kernel, bias):
    import torch
    layer = torch.nn.Linear(*kernel.shape)
    layer.weight.data, layer.bias.data = kernel.T.contiguous(), bias
    return layer


def torch_perceptron(weights, fast):
    import torch
    first, second, last = (torch_linear(*weights[i:i + 2]) for i in (0, 2, 4))
    return fast(lambda x: [last(second(first(x).relu()).relu()).softmax(-1)])


def torch_block(query, key, value, out, *rest):
    import torch
    functions = torch.nn.functional
    mixed = torch.cat([each.reshape(WIDTH, WIDTH) for each in (query, key, value)], 1).T.contiguous()
    out = out.reshape(WIDTH, WIDTH).T.contiguous()
    up, down = torch_linear(*rest[2:4]), torch_linear(*rest[4:6])

    def block(x):
        parts = functions.linear(x, mixed).view(*x.shape[:2], 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = functions.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(x.shape)
        x = functions.layer_norm(x + functions.linear(seen, out), (WIDTH,), *rest[:2], EPSILON)
        return functions.layer_norm(x + down(functions.gelu(up(x), approximate="tanh")), (WIDTH,), *rest[6:], EPSILON)

    return block


def torch_transformer(weights, fast):
    blocks = [torch_block(*weights[i:i + 12]) for i in range(0, len(weights), 12)]

    def run(x):
        for block in blocks:
            x = block(x)
        return [x]

    return fast(run)


def torch_digits(weights, fast):
    import torch
    functions = torch.nn.functional
    first, first_bias, second, second_bias, gamma, beta, mean, spread, hidden, hidden_bias, out, out_bias = weights
    first, second = (each.permute(3, 2, 0, 1).contiguous() for each in (first, second))
    # The image's places are in another order there.
    hidden = hidden.view(5, 5, -1, hidden.shape[1]).permute(2, 0, 1, 3).reshape(hidden.shape)
    hidden, out = torch_linear(hidden, hidden_bias), torch_linear(out, out_bias)

    def run(x):
        x = functions.max_pool2d(functions.conv2d(x.permute(0, 3, 1, 2), first, first_bias).relu(), 2)
        x = functions.conv2d(x, second, second_bias).relu()
        x = functions.batch_norm(x, mean, spread, gamma, beta, eps=NORM_EPSILON)
        x = functions.avg_pool2d(x, 2).flatten(1)
        return [out(hidden(x).relu()).softmax(-1)]

    return fast(run)


# ---- Rows ---------------------------------------------------------------------------------------------

def rows():
    for batch in (1, 128):
        yield f"perceptron, b={batch}", Model(lambda batch=batch: perceptron(batch), stateless(jax_perceptron),
                                              torch_perceptron)
    for blocks in (1, 4):
        for batch in (1, 8):
            yield f"transformer, {blocks} {'block' if blocks == 1 else 'blocks'}, b={batch}", Model(
                lambda size=(blocks, batch): transformer(*size), stateless(jax_transformer), torch_transformer)
    for batch in (1, 32):
        yield f"CNN of digits, b={batch}", Model(lambda batch=batch: digits(batch), stateless(jax_digits),
                                                 torch_digits)


MODELS = dict(rows())
