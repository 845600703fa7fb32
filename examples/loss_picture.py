#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls a program's training step many times, and draws the loss of each as an SVG picture."""

import base64
import json
import math
import struct
import subprocess

from array_files import read_npy

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 72, 620, 40, 250  # of the plot

STYLE = """
    text { font: 13px sans-serif; fill: #1f2328; }
    .b { font-weight: bold; font-size: 15px; }
    .small { font-size: 12px; fill: #59636e; }
    .grid { stroke: #d1d9e0; }
    .axis { stroke: #59636e; stroke-width: 1.5; }
    .curve { fill: none; stroke: #0969da; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .small { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .axis { stroke: #9198a1; }
      .curve { stroke: #4493f8; }
    }
"""


def tensor(path):
    """A .npy file as a tensor of a request."""
    shape, data = read_npy(path)
    return {"dtype": "float32", "shape": shape, "b64": base64.b64encode(data).decode()}


def losses(command, feeds, steps):
    """The loss before each step. `feeds` are .npy files by name."""
    request = json.dumps({"signature": "train",
                          "inputs": {f"{name}:0": tensor(path) for name, path in feeds.items()}})
    answers = subprocess.run([*command, "--calls", "-"], input=f"{request}\n" * steps, text=True,
                             stdout=subprocess.PIPE, check=True).stdout
    found = []
    for line in answers.splitlines():
        loss = base64.b64decode(json.loads(line)["outputs"][0]["b64"])
        found.append(struct.unpack("<f", loss)[0])
    return found


def picture(title, values):
    """A curve over the steps; the loss goes by powers of ten."""
    most = math.ceil(math.log10(max(values)))
    least = math.floor(math.log10(min(values)))

    def across(step):
        return LEFT + (RIGHT - LEFT) * step / len(values)

    def down(value):
        return TOP + (BOTTOM - TOP) * (most - math.log10(value)) / (most - least)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
             'aria-labelledby="title">', f'  <title id="title">{title}</title>',
             f"  <style>{STYLE}  </style>", f'  <text class="b" x="{LEFT}" y="24">{title}</text>']
    for power in range(least, most + 1):
        y = f"{down(10 ** power):.1f}"
        lines += [f'  <path class="grid" d="M{LEFT} {y}H{RIGHT}"/>',
                  f'  <text class="small" x="{LEFT - 10}" y="{y}" dy="4" text-anchor="end">'
                  f'{10.0 ** power:g}</text>']
    for quarter in range(5):
        step = len(values) * quarter // 4
        lines.append(f'  <text class="small" x="{across(step):.1f}" y="{BOTTOM + 20}" '
                     f'text-anchor="middle">{step}</text>')
    points = " ".join(f"{across(step):.1f},{down(value):.1f}" for step, value in enumerate(values))
    lines += [f'  <path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none"/>',
              f'  <text x="{(LEFT + RIGHT) // 2}" y="{BOTTOM + 40}" '
              'text-anchor="middle">step</text>',
              f'  <polyline class="curve" points="{points}"/>', "</svg>", ""]
    return "\n".join(lines)
