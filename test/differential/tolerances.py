# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether tensors, as programs print them, are equal within the tolerances of recorded runs."""

import struct

import numpy as np

import programs

TOLERANCES = {"float32": (1e-5, 1e-6), "complex64": (1e-5, 1e-6), "float64": (1e-12, 1e-13),
              "complex128": (1e-12, 1e-13), "float16": (2e-3, 1e-3), "bfloat16": (1e-2, 1e-2)}


def numbers_of(tensor):
    dtype, form, parts = programs.parts_of(tensor)
    if dtype == "bfloat16":
        return [struct.unpack("<f", b"\0\0" + part)[0] for part in parts]
    return [struct.unpack("<" + form, part)[0] for part in parts]


def differ(got, want, as_one=False):
    """What differs of two tensors, or None. `as_one`: the largest number says how exact all are."""
    for key in ("dtype", "shape"):
        if got[key] != want[key]:
            return f"{key} {got[key]} instead of {want[key]}"
    if want["dtype"] == "string":
        return None if got["data"] == want["data"] else "other texts"
    relative, absolute = TOLERANCES.get(want["dtype"], (0, 0))
    a, b = (np.array(numbers_of(tensor), dtype=None if relative == 0 else float)
            for tensor in (got, want))
    if relative == 0:
        wrong = a != b
    else:
        scale = np.abs(b)
        if want["dtype"].startswith("complex"):
            scale = np.repeat(np.hypot(b[::2], b[1::2]), 2)
        with np.errstate(all="ignore"):
            if as_one:
                scale = np.max(scale, initial=0)
            wrong = ~((np.abs(a - b) <= absolute + relative * scale) | (a == b)
                      | (np.isnan(a) & np.isnan(b)))
            if want["dtype"].startswith("complex"):  # one part may hide that the other is NaN
                both = [np.repeat(np.isnan(x[::2]) | np.isnan(x[1::2]), 2) for x in (a, b)]
                wrong &= ~(both[0] & both[1])
    if not wrong.any():
        return None
    at = int(np.argmax(wrong))
    return f"{int(wrong.sum())} of {len(a)} numbers, the first [{at}]: {a[at]!r} instead of {b[at]!r}"
