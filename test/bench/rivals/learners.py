# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Q-learning of a small world: what happens is kept, and drawn again for each step of training. Once with
all steps in one call, once with a call for each step.

Random numbers are inputs, so that all frameworks have the same."""

from rivals.model import NO_TRAINING, RATE, Model

STEPS, PARTS, HIDDEN, ACTIONS, KEPT, BATCH = 100, 4, 32, 2, 1000, 32
LATER, CURIOUS = 0.9, 0.1
ROW = 2 * PARTS + 2  # what was, what was done, what it was worth, what came


# ---- TensorFlow ---------------------------------------------------------------------------------------

def learner():
    import tensorflow as tf
    from features import Weights
    module = Weights(first=(PARTS, HIDDEN), second=(HIDDEN, ACTIONS))
    module.memory = tf.Variable(tf.zeros([KEPT, ROW]))
    module.count = tf.Variable(0)
    trained = [module.first, module.second]
    optimizer = module.optimizer = tf.keras.optimizers.SGD(RATE)
    optimizer.build(trained)

    def worth(x):
        return tf.tanh(x @ module.first) @ module.second

    def step(state, drawn):
        best = tf.argmax(worth(state[None])[0], output_type=tf.int32)
        action = tf.where(drawn[0] < CURIOUS, tf.cast(drawn[1] * ACTIONS, tf.int32), best)
        push = tf.cast(2 * action - 1, tf.float32)
        after = 0.9 * state + 0.1 * tf.stack([tf.sin(state[1]), push, tf.sin(state[3]),
                                              0.5 * push - state[2]])
        reward = 1 - tf.abs(after[2])
        happened = tf.concat([state, [tf.cast(action, tf.float32), reward], after], 0)
        module.memory.scatter_nd_update([[module.count % KEPT]], happened[None])
        module.count.assign_add(1)
        filled = tf.cast(tf.minimum(module.count, KEPT), tf.float32)
        seen, acted, gained, came = tf.split(
            tf.gather(module.memory, tf.cast(drawn[2:] * filled, tf.int32)), [PARTS, 1, 1, PARTS], 1)
        wanted = gained[:, 0] + LATER * tf.reduce_max(worth(came), 1)
        with tf.GradientTape() as tape:
            found = tf.gather(worth(seen), tf.cast(acted[:, 0], tf.int32), batch_dims=1)
            loss = tf.reduce_mean((found - wanted) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, trained), trained))
        return after, loss

    return module, trained, step


def numbers(*shape):
    from program import RANDOM
    return RANDOM.uniform(size=(*shape, 2 + BATCH)).astype("float32")


def in_one_call():
    import tensorflow as tf
    from program import Program, drawn, spec, traced
    module, trained, step = learner()

    def play(state, drawn):
        losses = tf.TensorArray(tf.float32, tf.shape(drawn)[0], element_shape=[])
        for i in tf.range(tf.shape(drawn)[0]):
            state, loss = step(state, drawn[i])
            losses = losses.write(i, loss)
        return {"after": state, "losses": losses.stack()}

    return Program(traced(play, spec("state", PARTS), spec("drawn", None, 2 + BATCH)),
                   [{"state": drawn(PARTS, scale=0.1), "drawn": numbers(STEPS)} for _ in range(3)], module,
                   is_constant=False), trained


def from_outside():
    from program import Program, drawn, spec, traced
    module, trained, step = learner()

    def play(state, drawn):
        return dict(zip(("after", "loss"), step(state, drawn)))

    return Program(traced(play, spec("state", PARTS), spec("drawn", 2 + BATCH)),
                   [{"state": drawn(PARTS, scale=0.1), "drawn": numbers()} for _ in range(5)], module,
                   is_constant=False), trained


# ---- JAX ----------------------------------------------------------------------------------------------

def jax_step(carried, drawn):
    import jax
    from jax import numpy as jnp
    state, weights, memory, count = carried

    def worth(weights, x):
        return jnp.tanh(x @ weights[0]) @ weights[1]

    action = jnp.where(drawn[0] < CURIOUS, (drawn[1] * ACTIONS).astype(int), worth(weights, state).argmax())
    push = (2 * action - 1).astype(jnp.float32)
    after = 0.9 * state + 0.1 * jnp.stack([jnp.sin(state[1]), push, jnp.sin(state[3]), 0.5 * push - state[2]])
    reward = 1 - abs(after[2])
    happened = jnp.concatenate([state, jnp.stack([action.astype(jnp.float32), reward]), after])
    memory, count = memory.at[count % KEPT].set(happened), count + 1
    rows = memory[(drawn[2:] * jnp.minimum(count, KEPT)).astype(int)]
    seen, acted, gained, came = jnp.split(rows, [PARTS, PARTS + 1, PARTS + 2], 1)
    wanted = gained[:, 0] + LATER * worth(weights, came).max(1)

    def loss(weights):
        found = jnp.take_along_axis(worth(weights, seen), acted.astype(int), 1)[:, 0]
        return ((found - wanted) ** 2).mean()

    value, slopes = jax.value_and_grad(loss)(weights)
    weights = [weight - RATE * slope for weight, slope in zip(weights, slopes)]
    return (after, weights, memory, count), value


def jax_learner(call):
    def build(weights):
        from jax import numpy as jnp
        return (weights, jnp.zeros((KEPT, ROW)), jnp.zeros((), int)), call, True
    return build


def jax_in_one_call(kept, state, drawn):
    import jax
    (after, *kept), losses = jax.lax.scan(jax_step, (state, *kept), drawn)
    return [after, losses], tuple(kept)


def jax_from_outside(kept, state, drawn):
    (after, *kept), loss = jax_step((state, *kept), drawn)
    return [after, loss], tuple(kept)


# ---- PyTorch ------------------------------------------------------------------------------------------

def torch_step(weights, fast):
    import torch
    memory = torch.zeros(KEPT, ROW)
    count = 0
    for weight in weights:
        weight.requires_grad_()

    def worth(x):
        return (x @ weights[0]).tanh() @ weights[1]

    def acted(state, drawn):
        action = torch.where(drawn[0] < CURIOUS, (drawn[1] * ACTIONS).long(), worth(state).argmax())
        push = (2 * action - 1).float()
        after = 0.9 * state + 0.1 * torch.stack([state[1].sin(), push, state[3].sin(), 0.5 * push - state[2]])
        happened = torch.cat([state, torch.stack([action.float(), 1 - after[2].abs()]), after])
        return after, happened

    def wrong(rows):
        seen, acted, gained, came = rows.split([PARTS, 1, 1, PARTS], 1)
        wanted = gained[:, 0] + LATER * worth(came).amax(1).detach()
        return ((worth(seen).gather(1, acted.long())[:, 0] - wanted) ** 2).mean()

    acted, wrong = fast(acted), fast(wrong)

    def step(state, drawn):
        nonlocal count
        with torch.no_grad():
            state, happened = acted(state, drawn)
            memory[count % KEPT] = happened
            count += 1
            rows = memory[(drawn[2:] * min(count, KEPT)).long()]
        with torch.enable_grad():
            loss = wrong(rows)
            slopes = torch.autograd.grad(loss, weights)
        torch._foreach_add_(weights, slopes, alpha=-RATE)
        return state, loss.detach()

    return step


def torch_in_one_call(weights, fast):
    import torch
    step = torch_step(weights, fast)

    def play(state, drawn):
        losses = []
        for each in drawn:
            state, loss = step(state, each)
            losses.append(loss)
        return [state, torch.stack(losses)]

    return play


def torch_from_outside(weights, fast):
    step = torch_step(weights, fast)
    return lambda state, drawn: list(step(state, drawn))


WITHOUT = {"ONNX Runtime": NO_TRAINING}
MODELS = {
    f"Q-learning, {STEPS} steps in the graph": Model(in_one_call, jax_learner(jax_in_one_call),
                                                     torch_in_one_call, WITHOUT),
    "Q-learning, a step called from outside": Model(from_outside, jax_learner(jax_from_outside),
                                                    torch_from_outside, WITHOUT),
}
