# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch, op by op or with what torch.compile makes of functions."""

import os
import pathlib

from rivals.families import MODELS


class Rival:
    def __init__(self, threads, kind, place):
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(pathlib.Path(place).resolve() / f"torch-{threads}"))
        import torch
        self.torch = torch
        torch.set_num_threads(threads)
        torch.set_num_interop_threads(1)
        torch.manual_seed(1)
        self.is_compiled = kind.endswith("compiled")
        torch.set_grad_enabled(False)

    def load(self, folder, name):
        self.torch.compiler.reset()
        fast = self.torch.compile if self.is_compiled else lambda function: function
        return MODELS[name].torch(list(map(self.given, folder.weights())), fast)

    def given(self, value):
        return self.torch.tensor(value)

    @staticmethod
    def array(value):
        return value.numpy()
