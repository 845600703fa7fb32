# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that decide what they compute: which experts see a row, how often a cell runs, and how deep a
function calls itself."""

from rivals.model import NO_RECURSION, Model, stateless

ROWS, WIDTH, HIDDEN, EXPERTS, ASKED = 64, 128, 256, 8, 2
PONDERERS, INPUTS, UNITS, MOST_STEPS, ENOUGH = 16, 64, 128, 12, 0.99
WORDS, TREE_UNITS, LEAVES = 100, 64, 32


# ---- TensorFlow ---------------------------------------------------------------------------------------

def experts():
    """Each row goes to those of its two best experts."""
    import tensorflow as tf
    from features import Weights
    from program import Program, drawn, spec, traced
    module = Weights(gate=(WIDTH, EXPERTS))
    module.up, module.down = (tf.Variable(drawn(EXPERTS, *size, scale=size[0] ** -0.5))
                              for size in ((WIDTH, HIDDEN), (HIDDEN, WIDTH)))

    def ask(x):
        scores, chosen = tf.math.top_k(x @ module.gate, ASKED)
        shares = tf.nn.softmax(scores)
        y = tf.zeros_like(x)
        for expert in tf.range(EXPERTS):
            places = tf.where(chosen == expert)
            rows = tf.gather(x, places[:, 0])
            said = tf.nn.relu(rows @ module.up[expert]) @ module.down[expert]
            y = tf.tensor_scatter_nd_add(y, places[:, :1], said * tf.gather_nd(shares, places)[:, None])
        return {"y": y}

    return Program(traced(ask, spec("x", None, WIDTH)), [{"x": drawn(ROWS, WIDTH)}],
                   module), [module.gate, module.up, module.down]


def pondering():
    """A cell that runs until the chances to stop are enough for each row."""
    import tensorflow as tf
    from features import Weights
    from program import Program, drawn, spec, traced
    module = Weights(given=(INPUTS, UNITS), kept=(UNITS, UNITS), first=(UNITS,), stop=(UNITS, 1),
                     out=(UNITS, INPUTS))
    module.stop.assign(module.stop * 0.5)

    def ponder(x):
        rows = tf.shape(x)[0]
        sums, state = x @ module.given, tf.zeros([rows, UNITS])
        stopped, answer, count = tf.zeros([rows, 1]), tf.zeros([rows, INPUTS]), tf.zeros([rows, 1])
        step = tf.constant(0)
        while step < MOST_STEPS and tf.reduce_any(stopped < ENOUGH):
            state = tf.tanh(sums + state @ module.kept + tf.where(step == 0, module.first, 0.0))
            chance = tf.sigmoid(state @ module.stop - 1.5)
            is_last = (stopped + chance >= ENOUGH) | (step == MOST_STEPS - 1)
            runs = tf.cast(stopped < ENOUGH, tf.float32)
            weight = runs * tf.where(is_last, 1 - stopped, chance)
            answer += weight * (state @ module.out)
            stopped += weight
            count += runs
            step += 1
        return {"answer": answer, "count": count}

    return Program(traced(ponder, spec("x", None, INPUTS)), [{"x": drawn(PONDERERS, INPUTS)}],
                   module), [module.given, module.kept, module.first, module.stop, module.out]


def tree():
    import trees
    module = trees.Tree(WORDS, TREE_UNITS)
    return trees.of_module(module, [trees.full_tree(LEAVES, 5)]), [module.embedding, module.gates]


# ---- JAX ----------------------------------------------------------------------------------------------

def jax_experts(weights, x):
    """Shapes are fixed: all experts see all rows."""
    import jax
    from jax import numpy as jnp
    gate, up, down = weights
    scores, chosen = jax.lax.top_k(x @ gate, ASKED)
    shares = (jax.nn.one_hot(chosen, EXPERTS) * jax.nn.softmax(scores)[:, :, None]).sum(1)
    said = jnp.einsum("erh,ehw->erw", jax.nn.relu(jnp.einsum("rw,ewh->erh", x, up)), down)
    return [jnp.einsum("erw,re->rw", said, shares)]


def jax_pondering(weights, x):
    import jax
    from jax import numpy as jnp
    given, kept, first, stop, out = weights
    sums = x @ given

    def goes_on(carried):
        step, _, stopped, *_ = carried
        return (step < MOST_STEPS) & (stopped < ENOUGH).any()

    def body(carried):
        step, state, stopped, answer, count = carried
        state = jnp.tanh(sums + state @ kept + jnp.where(step == 0, first, 0))
        chance = jax.nn.sigmoid(state @ stop - 1.5)
        is_last = (stopped + chance >= ENOUGH) | (step == MOST_STEPS - 1)
        runs = (stopped < ENOUGH).astype("float32")
        weight = runs * jnp.where(is_last, 1 - stopped, chance)
        return step + 1, state, stopped + weight, answer + weight * (state @ out), count + runs

    rows = x.shape[0]
    *_, answer, count = jax.lax.while_loop(goes_on, body, (
        0, jnp.zeros((rows, UNITS)), jnp.zeros((rows, 1)), jnp.zeros((rows, INPUTS)), jnp.zeros((rows, 1))))
    return [answer, count]


# ---- PyTorch ------------------------------------------------------------------------------------------

def torch_experts(weights, fast):
    import torch
    gate, up, down = weights

    def choose(x):
        scores, chosen = (x @ gate).topk(ASKED)
        return scores.softmax(1), chosen

    def ask(x):
        shares, chosen = choose(x)
        y = torch.zeros_like(x)
        for expert in range(EXPERTS):
            row, place = (chosen == expert).nonzero(as_tuple=True)
            said = (x[row] @ up[expert]).relu() @ down[expert]
            y.index_add_(0, row, said * shares[row, place, None])
        return [y]

    choose = fast(choose)
    return ask


def torch_pondering(weights, fast):
    import torch
    given, kept, first, stop, out = weights

    def turn(is_first, is_end, sums, state, stopped, answer, count):
        state = sums + state @ kept
        state = (state + first if is_first else state).tanh()
        chance = (state @ stop - 1.5).sigmoid()
        is_last = (stopped + chance >= ENOUGH) | is_end
        runs = (stopped < ENOUGH).float()
        weight = runs * torch.where(is_last, 1 - stopped, chance)
        return state, stopped + weight, answer + weight * (state @ out), count + runs

    turn = fast(turn)

    def ponder(x):
        sums, state = x @ given, torch.zeros(x.shape[0], UNITS)
        stopped, answer, count = torch.zeros(x.shape[0], 1), torch.zeros_like(x), torch.zeros(x.shape[0], 1)
        for step in range(MOST_STEPS):
            if not (stopped < ENOUGH).any():
                break
            state, stopped, answer, count = turn(step == 0, step == MOST_STEPS - 1, sums, state, stopped,
                                                 answer, count)
        return [answer, count]

    return ponder


def torch_tree(weights, fast):
    import torch
    embedding, gates = weights

    def joined(h_left, c_left, h_right, c_right):
        update, keep_left, keep_right, out, new = (torch.cat([h_left, h_right]) @ gates).chunk(5)
        c = update.sigmoid() * new.tanh() + keep_left.sigmoid() * c_left + keep_right.sigmoid() * c_right
        return out.sigmoid() * c.tanh(), c

    joined = fast(joined)

    def state(node, word, left, right):
        if left[node] < 0:
            h = embedding[word[node]]
            return h.tanh(), h
        return joined(*state(left[node], word, left, right), *state(right[node], word, left, right))

    def run(node, word, left, right):
        h, c = state(node, word, left, right)
        return [c, h]

    return run


MODELS = {
    f"mixture of {EXPERTS} experts, b={ROWS}": Model(experts, stateless(jax_experts), torch_experts),
    "adaptive computation time, b=16": Model(pondering, stateless(jax_pondering), torch_pondering),
    f"recursion over a tree of {LEAVES} leaves": Model(tree, None, torch_tree, {
        "TensorFlow": NO_RECURSION, "TensorFlow, XLA": NO_RECURSION, "ONNX Runtime": NO_RECURSION,
        "JAX": NO_RECURSION}),
}
