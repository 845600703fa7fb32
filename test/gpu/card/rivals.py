#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rivals.py FILE: times PyTorch and JAX, those that are there, on what graphs.py writes, and writes
the figures as JSON."""

import json
import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
BATCHES, UNITS, STEPS = (32, 128, 512), 512, 100
WIDE, SIDE = 1 << 26, 4096
figures = {}


def figure(name, value):
    figures[name] = value
    print(f"figure: {name} {value:.5g}", flush=True)


def seconds(call, wait, times=10, rounds=4):
    """Of one call, the least of the rounds; the first call compiles."""
    call()
    wait()
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(times):
            call()
        wait()
        best = min(best, (time.perf_counter() - begin) / times)
    return best


def measure_torch():
    import torch
    wait = torch.cuda.synchronize
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    w = torch.randn(SIDE, SIDE, device="cuda")
    x = torch.randn(SIDE, SIDE, device="cuda")
    work = 2 * SIDE ** 3 / 1e12
    figure("torch_matmul_f32_tflops", work / seconds(lambda: x @ w, wait))
    torch.backends.cuda.matmul.allow_tf32 = True
    figure("torch_matmul_tf32_tflops", work / seconds(lambda: x @ w, wait))
    torch.backends.cuda.matmul.allow_tf32 = False
    half_x, half_w = x.bfloat16(), w.bfloat16()
    figure("torch_matmul_bf16_tflops", work / seconds(lambda: half_x @ half_w, wait))
    y, b = torch.rand(WIDE, device="cuda"), torch.rand(WIDE, device="cuda")
    out = torch.empty_like(y)
    figure("torch_add_gb_per_s",
           12 * WIDE / 1e9 / seconds(lambda: torch.add(y, b, out=out), wait))
    figure("torch_copy_gb_per_s", 8 * WIDE / 1e9 / seconds(lambda: out.copy_(y), wait))
    z = torch.rand(1 << 13, 1 << 13, device="cuda")
    figure("torch_softmax_us", 1e6 * seconds(lambda: torch.softmax(z, 1), wait))
    small = torch.ones(16, device="cuda")
    figure("torch_small_op_us", 1e6 * seconds(lambda: small.mul_(1.0), wait, 2000))
    for tf32 in (False, True):
        torch.backends.cudnn.allow_tf32 = tf32
        torch.backends.cuda.matmul.allow_tf32 = tf32
        name = "tf32" if tf32 else "f32"
        for batch in BATCHES:
            layer = torch.nn.LSTM(UNITS, UNITS).cuda()
            rows = torch.rand(STEPS, batch, UNITS, device="cuda")

            def forward():
                with torch.no_grad():
                    return layer(rows)

            def step():
                layer.zero_grad(set_to_none=True)
                layer(rows)[0].sum().backward()

            figure(f"torch_lstm_{batch}_{name}_ms", 1e3 * seconds(forward, wait, 5))
            figure(f"torch_lstm_{batch}_{name}_gradient_ms", 1e3 * seconds(step, wait, 5))


def measure_jax():
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_default_matmul_precision", "highest")

    def timed(call, *operands, times=5):
        held = []

        def once():
            held[:] = [call(*operands)]
        return seconds(once, lambda: jax.block_until_ready(held), times)

    def tiny(n, x, b):
        return jax.lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] * b), (0, x))
    for name, shape in (("tiny", (16,)), ("scalar", ()), ("small", (1 << 16,))):
        x = jnp.ones(shape)
        loop = jax.jit(tiny)
        few, many = (timed(loop, n, x, x, times=2) for n in (100, 5100))
        figure(f"jax_{name}_loop_us_per_iteration", (many - few) * 1e6 / 5000)
    for batch in BATCHES:
        key = jax.random.PRNGKey(0)
        rows = jax.random.uniform(key, (STEPS, batch, UNITS))
        c = jnp.zeros((batch, UNITS))
        w = jax.random.uniform(key, (2 * UNITS, 4 * UNITS)) * UNITS ** -0.5
        bias = jnp.zeros(4 * UNITS)

        def layer(w, bias, rows, c):
            def step(state, row):
                c, h = state
                i, j, f, o = jnp.split(jnp.concatenate([row, h], 1) @ w + bias, 4, 1)
                c = c * jax.nn.sigmoid(f) + jax.nn.sigmoid(i) * jnp.tanh(j)
                h = jnp.tanh(c) * jax.nn.sigmoid(o)
                return (c, h), h
            return jax.lax.scan(step, (c, c), rows)[1].sum()
        figure(f"jax_lstm_{batch}_ms", 1e3 * timed(jax.jit(layer), w, bias, rows, c))
        figure(f"jax_lstm_{batch}_gradient_ms",
               1e3 * timed(jax.jit(jax.value_and_grad(layer, (0, 1))), w, bias, rows, c))


for measure in (measure_torch, measure_jax):
    try:
        measure()
    except Exception as problem:  # whatever is missing, the other one is measured
        print(f"{measure.__name__} ended: {problem!r}"[:400], flush=True)
    with open(sys.argv[1], "w") as out:
        json.dump(figures, out, indent=2)
