# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX. It has as many threads as there are processors for its process."""

import os
import pathlib

from rivals.families import MODELS


class Rival:
    def __init__(self, threads, _kind, place):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        self.jax = jax
        jax.config.update("jax_compilation_cache_dir", str(pathlib.Path(place) / f"jax-{threads}"))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)

    def load(self, folder, name):
        state, function, changes = MODELS[name].jax(list(map(self.given, folder.weights())))
        function = self.jax.jit(function, donate_argnums=(0,) if changes else ())

        def run(*given):
            nonlocal state
            outputs, state = function(state, *given)
            self.jax.block_until_ready(outputs)
            return outputs

        return run

    def given(self, value):
        return self.jax.numpy.array(value)

    @staticmethod
    def array(value):
        return value
