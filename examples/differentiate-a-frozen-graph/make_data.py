#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the record of an experiment with a rod that has a crack, and a first guess that has none.

Usage: make_data.py FOLDER. Writes hours.npy, power.npy, measured.npy and guess.safetensors.
"""

import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from array_files import write_npy, write_safetensors

CELLS, STRETCHES, STEP = 16, 30, 0.01
TRUE = [1.0] * 7 + [0.1] + [0.5] * 7  # conductivity from each cell to the next
COOLING = 0.02


def flow(cells, duration, power):
    """Heat flows in far smaller steps than those of the graph."""
    steps = math.ceil(duration / STEP)
    for _ in range(steps):
        heat = [k * (b - a) for k, a, b in zip(TRUE, cells, cells[1:])]
        gained = [a - b for a, b in zip(heat + [0], [0] + heat)]
        gained[0] += power
        cells = [cell + duration / steps * (gain - COOLING * cell)
                 for cell, gain in zip(cells, gained)]
    return cells


def main():
    folder, draw = pathlib.Path(sys.argv[1]), random.Random(1)
    hours = [round(draw.uniform(0.3, 4), 2) for _ in range(STRETCHES)]
    power = [float(draw.randrange(3)) for _ in range(STRETCHES)]
    cells, measured = [0.0] * CELLS, []
    for duration, watts in zip(hours, power):
        cells = flow(cells, duration, watts)
        measured.append([cell + draw.gauss(0, 0.01) for cell in cells])
    write_npy(folder / "hours.npy", hours)
    write_npy(folder / "power.npy", power)
    write_npy(folder / "measured.npy", measured)
    guess = {"log_conductivity": [math.log(0.5)] * (CELLS - 1), "log_cooling": math.log(0.05)}
    write_safetensors(folder / "guess.safetensors", guess)


main()
