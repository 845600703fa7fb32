# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls average in Python: caller.py LIBRARY."""

import sys

import sluice

model = sluice.load(sys.argv[1]).model()
model("reset")
call = model.call()
for samples in ([1, 2], [3], [4, 5, 6]):
    mean, = call.run(samples)
    print(f"mean = {mean:g}")
