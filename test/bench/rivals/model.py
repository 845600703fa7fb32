# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a row of the table is: one model, as users of each framework would write it.

Modules of models import a framework only in functions, as each process has one of them.
"""

import pathlib
import sys
from typing import Callable, NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "conformance/models"))

NO_TRAINING = "it does not train what TensorFlow exports"
NO_RECURSION = "no function can call itself"
RATE = 0.05  # of gradient descent


class Model(NamedTuple):
    """`tensorflow` gives a Program of test/conformance/models and the variables that others need.
    `jax`, of their values: a state, a function of it and of inputs that gives outputs and what the state
    has become, and whether that is another one. `torch`, of values and of what compiles a function: a
    function of inputs. Outputs are in the order of their names. `without`: why a rival has no such model."""
    tensorflow: Callable
    jax: Callable
    torch: Callable
    without: dict = {}


def trained(module, variables, loss, specs, calls):
    """A step of gradient descent with Keras: its loss is all that it gives."""
    import tensorflow as tf
    import training
    from program import Program, traced

    module.optimizer = tf.keras.optimizers.SGD(RATE)
    step = training.applied(module.optimizer, loss, variables)
    names = [each.name for each in specs]
    return Program(traced(step, *specs), [dict(zip(names, call)) for call in calls], module,
                   is_constant=False), variables


def jax_trained(weights, loss):
    """`loss(weights, *inputs)`."""
    import jax

    def step(state, *inputs):
        value, slopes = jax.value_and_grad(loss)(state, *inputs)
        return [value], jax.tree.map(lambda weight, slope: weight - RATE * slope, state, slopes)

    return weights, step, True


def torch_trained(weights, loss):
    """`loss(*inputs)`, of weights that it has."""
    import torch

    for weight in weights:
        weight.requires_grad_()

    def step(*inputs):
        with torch.enable_grad():
            value = loss(*inputs)
            slopes = torch.autograd.grad(value, weights)
        torch._foreach_add_(weights, slopes, alpha=-RATE)
        return [value.detach()]

    return step


def stateless(function):
    """Of a function of weights and inputs that changes nothing: what `jax` gives."""
    def build(weights):
        def call(state, *inputs):
            return function(state, *inputs), state
        return weights, call, False
    return build
