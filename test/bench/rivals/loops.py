# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops with small bodies: over rows of a matrix, and until ranks of pages settle."""

from rivals.model import Model, stateless

ROWS, WIDTH, PAGES = 1000, 16, 500
ENOUGH, MOST, STAY = 1e-5, 100, 0.85


# ---- TensorFlow ---------------------------------------------------------------------------------------

def over_rows(name):
    import loops
    from program import Program, drawn, spec, traced
    return Program(traced(getattr(loops, name), spec("x", None, WIDTH)), [{"x": drawn(ROWS, WIDTH)}]), []


def ranked():
    import tensorflow as tf
    from program import RANDOM, Program, spec, traced

    def rank(links):
        shares = links / tf.maximum(tf.reduce_sum(links, 1, keepdims=True), 1.0)
        pages = tf.cast(tf.shape(links)[0], tf.float32)
        ranks = tf.fill([tf.shape(links)[0], 1], 1 / pages)
        change, turns = tf.constant(1.0), tf.constant(0)
        while turns < MOST and change > ENOUGH:
            after = (1 - STAY) / pages + STAY * tf.matmul(shares, ranks, transpose_a=True)
            change = tf.reduce_sum(tf.abs(after - ranks))
            ranks = after
            turns += 1
        return {"ranks": ranks[:, 0], "turns": turns}

    # Some pages are linked to much more than others, so that it takes a while.
    chances = RANDOM.uniform(size=(1, PAGES)) ** 8
    return Program(traced(rank, spec("links", None, None)),
                   [{"links": RANDOM.uniform(size=(PAGES, PAGES)) < chances}]), []


# ---- JAX ----------------------------------------------------------------------------------------------

def jax_mapped(_, x):
    import jax
    return [jax.vmap(lambda row: jax.nn.softmax(row) * row.max())(x)]


def jax_scanned(_, x):
    from jax import lax
    from jax import numpy as jnp

    def both(function):
        return lambda a, v: (function(a, v),) * 2

    y = lax.scan(both(lambda a, v: a * 0.5 + jnp.sin(v)), x[0], x[1:])[1]
    back = lax.scan(both(lambda a, v: a + v), x[-1], x[:-1], reverse=True)[1]
    return [jnp.concatenate([back, x[-1:]]), jnp.concatenate([x[:1], y])]


def jax_folded(_, x):
    from jax import lax
    from jax import numpy as jnp
    left = lax.scan(lambda a, v: (a * 0.5 + v, None), x[0], x[1:])[0]
    return [left, lax.scan(lambda a, v: (a * v + 1, None), jnp.ones_like(x[0]), x, reverse=True)[0]]


def jax_ranked(_, links):
    from jax import lax
    from jax import numpy as jnp
    shares = links / jnp.maximum(links.sum(1, keepdims=True), 1)
    pages = links.shape[0]

    def body(carried):
        turns, ranks, _ = carried
        after = (1 - STAY) / pages + STAY * (shares.T @ ranks)
        return turns + 1, after, abs(after - ranks).sum()

    turns, ranks, _ = lax.while_loop(lambda carried: (carried[0] < MOST) & (carried[2] > ENOUGH), body,
                                     (0, jnp.full((pages, 1), 1 / pages), 1.0))
    return [ranks[:, 0], turns]


# ---- PyTorch ------------------------------------------------------------------------------------------

def torch_mapped(_, fast):
    import torch
    return fast(lambda x: [torch.vmap(lambda row: row.softmax(0) * row.amax())(x)])


def torch_scanned(_, fast):
    import torch
    ahead, behind = fast(lambda a, v: a * 0.5 + v.sin()), fast(lambda a, v: a + v)

    def run(x):
        rows = x.unbind()
        y, back = [rows[0]], [rows[-1]]
        for row in rows[1:]:
            y.append(ahead(y[-1], row))
        for row in rows[-2::-1]:
            back.append(behind(back[-1], row))
        return [torch.stack(back[::-1]), torch.stack(y)]

    return run


def torch_folded(_, fast):
    import torch
    ahead, behind = fast(lambda a, v: a * 0.5 + v), fast(lambda a, v: a * v + 1)

    def run(x):
        rows = x.unbind()
        left, right = rows[0], torch.ones_like(rows[0])
        for row in rows[1:]:
            left = ahead(left, row)
        for row in rows[::-1]:
            right = behind(right, row)
        return [left, right]

    return run


def torch_ranked(_, fast):
    import torch

    def turn(shares, ranks):
        after = (1 - STAY) / shares.shape[0] + STAY * (shares.T @ ranks)
        return after, (after - ranks).abs().sum()

    turn = fast(turn)

    def run(links):
        shares = links / links.sum(1, keepdim=True).clamp(min=1)
        ranks = torch.full([links.shape[0], 1], 1 / links.shape[0])
        change, turns = 1.0, 0
        while turns < MOST and change > ENOUGH:
            ranks, change = turn(shares, ranks)
            turns += 1
        return [ranks[:, 0], torch.tensor(turns, dtype=torch.int32)]

    return run


def of_rows(name, jax_function, torch_function):
    return Model(lambda: over_rows(name), stateless(jax_function), torch_function)


MODELS = {
    f"map_fn, {ROWS:,} rows": of_rows("mapped", jax_mapped, torch_mapped),
    f"two scans, {ROWS:,} rows": of_rows("scanned", jax_scanned, torch_scanned),
    f"foldl and foldr, {ROWS:,} rows": of_rows("folded", jax_folded, torch_folded),
    f"PageRank, {PAGES} pages": Model(ranked, stateless(jax_ranked), torch_ranked),
}
