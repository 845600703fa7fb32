#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_data.py FOLDER: writes x.npy, y.npy, and first.safetensors with first weights."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from array_files import write_npy, write_safetensors

UNITS, BATCH, LENGTH = 64, 32, 8


def matrix(drawn, rows, columns, most):
    return [[drawn.uniform(-most, most) for _ in range(columns)] for _ in range(rows)]


def main():
    folder, drawn = pathlib.Path(sys.argv[1]), random.Random(1)
    numbers = matrix(drawn, LENGTH, BATCH, 1)
    write_npy(folder / "x.npy", [[[number] for number in row] for row in numbers])
    write_npy(folder / "y.npy", [[float(sum(column) > 0)] for column in zip(*numbers)])
    write_safetensors(folder / "first.safetensors",
                      {"w": matrix(drawn, 1 + UNITS, 4 * UNITS, 0.3), "bias": [0.0] * (4 * UNITS),
                       "out": matrix(drawn, UNITS, 1, 0.3)})


main()
