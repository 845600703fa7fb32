#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a walk of points that follow one of four rules in each step, and first weights.

Usage: make_data.py FOLDER. Writes points.npy, signals.npy and path.npy for the graph,
first.safetensors, and rules.npy, which nobody tells the graph.
"""

import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from array_files import write_npy, write_safetensors

POINTS, STEPS, SIGNALS = 16, 24, 6
# Each rule turns the points, draws them together, and shifts them.
RULES = [(0.6, 0.9, (0.8, 0.0)), (-1.2, 0.8, (0.0, 0.8)), (2.2, 0.7, (-0.8, 0.0)),
         (-2.6, 0.9, (0.0, -0.8))]


def moved(point, rule):
    angle, length, (right, up) = rule
    x, y = point
    return [length * (math.cos(angle) * x - math.sin(angle) * y) + right,
            length * (math.sin(angle) * x + math.cos(angle) * y) + up]


def write_walk(folder, draw):
    """The signal of a step hints at its rule, with noise."""
    hints = [[draw.choice([-1.0, 1.0]) for _ in range(SIGNALS)] for _ in RULES]
    points = [[draw.uniform(-1, 1), draw.uniform(-1, 1)] for _ in range(POINTS)]
    write_npy(folder / "points.npy", points)
    rules, signals, path = [], [], []
    for _ in range(STEPS):
        rules.append(draw.randrange(4))
        signals.append([[hint + draw.gauss(0, 0.2) for hint in hints[rules[-1]]]])
        points = [moved(point, RULES[rules[-1]]) for point in points]
        path.append(points)
    write_npy(folder / "rules.npy", [float(rule) for rule in rules])
    write_npy(folder / "signals.npy", signals)
    write_npy(folder / "path.npy", path)


def main():
    folder, draw = pathlib.Path(sys.argv[1]), random.Random(2)
    write_walk(folder, draw)
    variables = {"gate": [[draw.gauss(0, 0.3) for _ in RULES] for _ in range(SIGNALS)]}
    for expert in range(4):
        variables[f"turn_{expert}"] = [[draw.gauss(0, 0.3) for _ in range(2)] for _ in range(2)]
        variables[f"shift_{expert}"] = [draw.gauss(0, 0.3) for _ in range(2)]
    write_safetensors(folder / "first.safetensors", variables)


main()
