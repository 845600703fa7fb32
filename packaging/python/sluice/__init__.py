# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls models that sluicec --emit=lib has compiled: NumPy arrays in, NumPy arrays out.

    import sluice
    model = sluice.load("libmodel.so").model()
    print(model(x=[1, 2, 3])["y"])

A model has a state of its own. A call that is made again and again is prepared once:

    call = model.call()
    y, = call.run(x)          # by position

Calls of a model may run on several threads, each with a call of its own.
"""

from .library import Context, Error, Library, Port, Signature, load
from .model import Call, Model

__all__ = ["Call", "Context", "Error", "Library", "Model", "Port", "Signature", "load"]
