#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes all vectors that begin with 1 to 5 numbers of 1 or -1, with zeros behind; first weights.

Usage: make_data.py FOLDER. Writes x.npy, odd.npy (1 where the number of ones is odd) and
first.safetensors.
"""

import itertools
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from array_files import write_npy, write_safetensors

INPUTS, HIDDEN = 5, 32


def main():
    folder, draw = pathlib.Path(sys.argv[1]), random.Random(1)
    vectors = [[*signs, *[0.0] * (INPUTS - length)] for length in range(1, INPUTS + 1)
               for signs in itertools.product([1.0, -1.0], repeat=length)]
    write_npy(folder / "x.npy", vectors)
    write_npy(folder / "odd.npy", [[float(vector.count(1.0) % 2)] for vector in vectors])

    def drawn(rows, columns, scale):
        return [[draw.gauss(0, scale) for _ in range(columns)] for _ in range(rows)]

    zeros = [0.0] * HIDDEN
    write_safetensors(folder / "first.safetensors", {
        "from_input": drawn(1, HIDDEN, 1),
        "from_state": drawn(HIDDEN, HIDDEN, 1.2 / math.sqrt(HIDDEN)),
        "first_state": zeros, "bias": zeros, "stop": drawn(HIDDEN, 1, 0.1), "stop_bias": [-1.5],
        "out": drawn(HIDDEN, 1, 1 / math.sqrt(HIDDEN)), "out_bias": [0.0]})


main()
