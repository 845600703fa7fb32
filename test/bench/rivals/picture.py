# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws how many times as long as Sluice each rival takes, with one thread, as SVG."""

import math

from rivals.families import FAMILIES
from rivals.rounds import median
from rivals.worker import RIVALS

COLOURS = {"TensorFlow": "#e8710a", "TensorFlow, XLA": "#b8a200", "ONNX Runtime": "#7b4fc9", "JAX": "#1a73e8",
           "PyTorch": "#d93025", "PyTorch, compiled": "#188038"}
LEFT, WIDTH, ROW, TOP, RIGHT = 300, 560, 17, 62, 24


class Scale:
    """Powers of ten, as far as there are ratios, and to a tenth and ten times at least."""

    def __init__(self, ratios):
        logs = [math.log10(ratio) for ratio in ratios] + [-0.5, 0.5]
        self.least, self.most = math.floor(min(logs)), math.ceil(max(logs))

    def across(self, ratio):
        return LEFT + WIDTH * (math.log10(ratio) - self.least) / (self.most - self.least)


def ratios(found):
    ours = median(found.get("Sluice", {}))
    times = {rival: median(found.get(rival, {})) for rival in RIVALS if rival != "Sluice"}
    return {rival: time / ours for rival, time in times.items() if time and ours}


def legend():
    yield f'<text x="{LEFT}" y="14" fill="#555">times as long as Sluice takes, one thread; Sluice is at 1</text>'
    x = LEFT - 200
    for rival, colour in COLOURS.items():
        yield f'<circle cx="{x}" cy="31" r="4" fill="{colour}"/><text x="{x + 8}" y="35">{rival}</text>'
        x += 30 + 7 * len(rival)


def axis(scale, bottom):
    for exponent in range(scale.least, scale.most + 1):
        value, x = 10.0 ** exponent, scale.across(10.0 ** exponent)
        colour, width = ("#333", 1.5) if exponent == 0 else ("#ccc", 1)
        yield (f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{colour}" '
               f'stroke-width="{width}"/><text x="{x:.1f}" y="{TOP - 12}" text-anchor="middle" '
               f'fill="#555">{value:g}</text>')


def rows(results):
    """Names, and ratios by rival; None between families."""
    for family in FAMILIES:
        there = [(name, ratios(results[name]["1"])) for name in family.MODELS if "1" in results.get(name, {})]
        yield from there
        if there:
            yield None


def of(results):
    drawn = list(rows(results))
    scale = Scale([ratio for row in drawn if row for ratio in row[1].values()])
    body, y = [], TOP + 6
    for row in drawn:
        if row is None:
            y += 8
            continue
        name, found = row
        body.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{name}</text>'
                    f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + WIDTH}" y2="{y}" stroke="#eee"/>')
        body += [f'<circle cx="{scale.across(ratio):.1f}" cy="{y}" r="4" fill="{COLOURS[rival]}" '
                 f'fill-opacity="0.85"><title>{rival}: {ratio:.2f}</title></circle>'
                 for rival, ratio in found.items()]
        y += ROW
    size = LEFT + WIDTH + RIGHT, y + 4
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{size[0]}" height="{size[1]}" fill="white"/>', *legend(), *axis(scale, y), *body, "</svg>", ""])
