# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces as tests see them, and what must hold for every trace."""

import collections
import json


class Trace:
    """The events of a file, with times in nanoseconds."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        self.head = document["otherData"]
        self.events = document["traceEvents"]
        for event in self.events:
            for key in ("ts", "dur"):
                if key in event:
                    event[key] = round(event[key] * 1000)

    def of(self, phase, category=None, rank=None):
        return [event for event in self.events if event["ph"] == phase
                and category in (None, event.get("cat")) and rank in (None, event["pid"])]

    def named(self, name):
        return [event for event in self.events if event.get("name") == name]

    def iterations(self, rank=None):
        """(frame, number, begin, end) of each, in order of their begins."""
        ends = {within_rank(event): event["ts"] for event in self.of("e", "iteration", rank)}
        return sorted(((event["name"], event["args"]["iteration"], event["ts"],
                        ends[within_rank(event)])
                       for event in self.of("b", "iteration", rank)), key=lambda i: i[2])


def within_rank(event):
    """What begin and end of an iteration have in common."""
    return event["pid"], event["id2"]["local"]


def check(case, trace):
    """What holds for every whole trace."""
    tracks = collections.defaultdict(list)
    for event in trace.of("X"):
        case.assertGreaterEqual(event["ts"], 0)
        case.assertGreaterEqual(event["dur"], 0)
        tracks[event["pid"], event["tid"]].append(event)
    for track, events in tracks.items():
        check_nesting(case, track, events)
    check_iterations(case, trace)
    for category in ("message", "delivery"):
        check_arrows(case, trace, category)
    check_names_of_arrows(case, trace)


def check_nesting(case, track, events):
    """Of two spans of a track, one is within the other, or they have nothing in common."""
    open_ends = []
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        while open_ends and open_ends[-1] <= event["ts"]:
            open_ends.pop()
        end = event["ts"] + event["dur"]
        case.assertTrue(not open_ends or end <= open_ends[-1], f"{event} crosses on {track}")
        open_ends.append(end)


def check_iterations(case, trace):
    begins = [within_rank(event) for event in trace.of("b")]
    ends = [within_rank(event) for event in trace.of("e")]
    case.assertEqual(len(begins), len(set(begins)))
    case.assertEqual(sorted(begins), sorted(ends))
    for frame, number, begin, end in trace.iterations():
        case.assertLessEqual(begin, end, f"{frame}[{number}]")


def check_arrows(case, trace, category):
    """Every arrow has both ends, in order, and both within a span of their track."""
    starts = {event["id"]: event for event in trace.of("s", category)}
    ends = {event["id"]: event for event in trace.of("f", category)}
    case.assertEqual(len(starts), len(trace.of("s", category)))
    case.assertEqual(starts.keys(), ends.keys())
    spans = {(event["pid"], event["tid"], event["ts"]) for event in trace.of("X")}
    for key, start in starts.items():
        case.assertLessEqual(start["ts"], ends[key]["ts"], start["name"])
        for event in (start, ends[key]):
            case.assertIn((event["pid"], event["tid"], event["ts"]), spans)


def check_names_of_arrows(case, trace):
    """Viewers take 64-bit hexadecimal numbers only, whatever the category."""
    ids = [event["id"] for event in trace.of("s")]
    case.assertEqual(len(ids), len(set(ids)))
    for name in ids:
        case.assertRegex(name, "^0x[0-9a-f]{1,16}$")
