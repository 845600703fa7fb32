# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs in several ways, and says which of these differ from the reference interpreter."""

import pathlib
import re
import shlex
import tempfile
import time
from dataclasses import dataclass, replace

import answers
import ways
from ways import Way, oracle_of

KEEP_ALL = "--no-prune"
LOST = ("call does not fail", "error code ")  # what may become of an error that is not kept
LEAST_DEADLINE, SLOWER = 2, 10  # seconds and times the first run, for one process


@dataclass
class Failure:
    way: Way
    what: str  # how the way differs, in words that stay the same while a program is reduced
    detail: str

    def text(self):
        return f"{self.way.text()}: {self.what}\n{self.detail[:3000]}".rstrip()


class Checker:
    def __init__(self, compiler):
        self.compiler = pathlib.Path(compiler).resolve()

    def answers(self, program, chosen, deadline=ways.DEADLINE):
        """The answers of each way, lazily."""
        with tempfile.TemporaryDirectory(prefix="sluice-random-") as folder:
            graph_file = pathlib.Path(folder) / "graph.pbtxt"
            graph_file.write_text(program.text())
            for way in chosen:
                yield ways.run(self.compiler, program, graph_file, way, deadline)

    def settled(self, program, deadline=ways.DEADLINE):
        """The program with calls whose answers do not depend on the schedule, and its answers.

        How much of a call has happened when it fails is the schedule's choice. So the call after it
        is told with which variables to begin: those from before the one that failed.
        """
        while True:
            expected = next(self.answers(program, [oracle_of(program)], deadline))
            settled = begin_after_failures(program, expected.calls)
            if settled is None:
                return program, expected
            program = settled

    def failures(self, program, chosen):
        """All ways that differ. A program that the interpreter does not run is a failure too."""
        program, expected = self.settled(program)
        results = self.answers(program, chosen)
        if trouble := oracle_trouble(expected):
            return [Failure(oracle_of(program), trouble, expected.message)]
        found = []
        for way, got in zip(chosen, results):
            if what := self.difference(program, expected, way, got):
                found.append(Failure(way, what + kind_of_message(got), describe(expected, got)))
        return found

    def difference(self, program, expected, way, got, deadline=ways.DEADLINE):
        """How the way differs, or "". What nobody needs is not computed, and so does not fail. Such an
        error is there if all is kept."""
        what = answers.difference(expected, got)
        if not what.startswith(LOST) or KEEP_ALL in way.compiler_flags:
            return what
        keeping = replace(way, compiler_flags=[*way.compiler_flags, KEEP_ALL])
        kept = next(self.answers(program, [keeping], deadline))
        return what if answers.difference(expected, kept) else ""

    def still_fails(self, drawn, failure):
        """A test for the reducer. A program whose calls fail for other reasons than those of the
        one that was drawn has become nonsense, and so has one that takes much longer."""
        start = time.monotonic()
        oracle = oracle_of(drawn)
        codes = error_codes(next(self.answers(drawn, [oracle])))
        deadline = LEAST_DEADLINE + SLOWER * (time.monotonic() - start)

        def test(program):
            chosen = [] if failure.way is oracle else [failure.way, *reseeded(failure.way)]
            program, expected = self.settled(program, deadline)
            results = self.answers(program, chosen, deadline)
            if failure.way is oracle:
                return oracle_trouble(expected) == failure.what
            if oracle_trouble(expected) or not error_codes(expected) <= codes:
                return False
            return any(self.difference(program, expected, way, got, deadline) +
                       kind_of_message(got) == failure.what for way, got in zip(chosen, results))
        return test


def begin_after_failures(program, calls):
    """The program with variables for the first call after a failed one that has none yet; None if
    there is no such call."""
    if not program.stateful:
        return None
    state, has_failed = {}, False
    for number, (request, answer) in enumerate(zip(program.requests, calls)):
        if has_failed and "state" not in request:
            requests = list(program.requests)
            requests[number] = {**request, "state": state}
            return replace(program, requests=requests)
        has_failed = "error" in answer
        state = state if has_failed else answer.get("state", {})
    return None


def error_codes(got):
    return {call["error"]["code"] for call in got.calls if "error" in call}


def oracle_trouble(expected):
    """Drawn programs are well-formed: they leave no tokens behind."""
    if expected.trouble:
        return expected.trouble + kind_of_message(expected)
    if any(call.get("leftover_tokens") for call in expected.calls):
        return "tokens are left over"
    return ""


def kind_of_message(got):
    """Of a refusal: what it says, without names and numbers."""
    match = re.search(r"(?:error|fatal|Assertion)[: ]+(.*)", got.message)
    if not match:
        return ""
    said = re.sub(r"'.*?'|[0-9%].*", "", match[1])
    return f" ({said[:60].strip()})"


def describe(expected, got):
    if got.trouble:
        return got.message
    lines = []
    for number, (one, other) in enumerate(zip(expected.calls, got.calls), 1):
        if one != other:
            lines += [f"call {number}: expected {one}", f"call {number}: but got {other}"]
    return "\n".join(lines)


def reseeded(way, times=2):
    """The same with other seeds: a smaller program needs another order to fail."""
    def other(flags, by):
        return [re.sub(r"(seed=)(\d+)", lambda match: match[1] + str(int(match[2]) + by), flag)
                for flag in flags]
    if not any("seed=" in flag for flag in way.compiler_flags + way.run_flags):
        return []
    return [replace(way, compiler_flags=other(way.compiler_flags, by),
                    run_flags=other(way.run_flags, by)) for by in range(1, times + 1)]


def simpler_ways(way):
    """With one flag less."""
    for kind in ("compiler_flags", "run_flags"):
        flags = getattr(way, kind)
        for number, flag in enumerate(flags):
            if not flag.startswith(("--execute", "--interpret", "--devices")):
                yield replace(way, **{kind: flags[:number] + flags[number + 1:]})


def command(compiler, program, way, stem):
    """What repeats a run of a saved program in a shell."""
    selection = program.selection_flags(stem)
    words = [str(compiler), f"{stem}.pbtxt", *selection, *way.compiler_flags]
    calls = f"--calls={stem}.jsonl"
    if way.linked:
        return (f"{shlex.join(words)} -o {stem}.program &&\n"
                f"{shlex.join([f'{stem}.program', *way.run_flags, calls])}")
    return shlex.join([*words, *way.run_flags, calls])
