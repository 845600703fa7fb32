#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of the documentation as they stand there, and compares what they print.

In every page below the root, README.md included,
  - a block of `sh` is run; it must end with code 0;
  - in a block of `console` the lines after `$ ` are run, one by one, and must print what stands below
    them. `…` stands for any text of a line, or for any lines if it is alone in one. A last line
    `(exit code N)` says how the command ends, if not with 0;
  - a block after a line that ends in "as `FILE`:" is written to that file;
  - a block after the line `<!-- not run: REASON -->` is left alone.
A page is one shell session in a folder of its own, with the tools in PATH. What a page takes for granted
(files, or hosts that are not there) is made by the script `setup/PAGE.sh` beside this file, or
`setup/FOLDER.sh` for all other pages of a folder.

Usage: run_pages.py FOLDER_OF_TOOLS [PAGE…]. Prints `N passed, N failed` last.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SETUP = pathlib.Path(__file__).resolve().parent / "setup"
DEADLINE = 300  # seconds for a page
MARK = "\x01end\x01"  # printed after each command with its exit code

FENCE = re.compile(r"^```(\w*)$")
NOT_RUN = re.compile(r"^<!-- not run: .+ -->$")
FILE = re.compile(r"\bas `([^`/]+)`:$")
EXIT_CODE = re.compile(r"^\(exit code (\d+)\)$")


@dataclass
class Command:
    line: int  # of the page
    text: str
    output: list  # lines, None: anything
    code: int = 0


@dataclass
class File:
    name: str
    content: str


def read_console(first_line, lines):
    commands = []
    for number, line in enumerate(lines, first_line):
        if line.startswith("$ "):
            commands.append(Command(number, line[2:], []))
        elif commands and not commands[-1].output and commands[-1].text.endswith("\\"):
            commands[-1].text += "\n" + line
        elif not commands:
            raise ValueError(f"line {number}: expected a line that begins with '$ '")
        elif match := EXIT_CODE.match(line):
            commands[-1].code = int(match.group(1))
        else:
            commands[-1].output.append(line)
    return commands


def read_page(text):
    """The commands and files of a page in their order."""
    steps, lines, i, last = [], text.splitlines(), 0, ""
    while i < len(lines):
        fence = FENCE.match(lines[i])
        if not fence:
            last = lines[i].strip() or last
            i += 1
            continue
        end = lines.index("```", i + 1)
        block = lines[i + 1:end]
        if NOT_RUN.match(last):
            pass
        elif fence.group(1) == "sh":
            steps.append(Command(i + 2, "\n".join(block), None))
        elif fence.group(1) == "console":
            steps += read_console(i + 2, block)
        elif match := FILE.search(last):
            steps.append(File(match.group(1), "\n".join(block) + "\n"))
        i, last = end + 1, ""
    return steps


def script_of(steps):
    """A shell script that runs the steps; MARK and the exit code follow each command's output."""
    parts = []
    for number, step in enumerate(steps):
        if isinstance(step, File):
            parts.append(f"cat > '{step.name}' <<'END OF FILE'\n{step.content}END OF FILE\n")
        else:
            strict = "set -e\n" if step.output is None else ""
            parts.append(f"{strict}{step.text}\n"
                         f"{{ code=$?; set +e; }} 2> /dev/null; printf '\\n{MARK}%d %d\\n' {number} $code\n")
    return "".join(parts)


def matches(expected, got):
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split("…"))) + r"[ \t]*\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def judge(step, output, code):
    """What is wrong with the result of a command, or None."""
    if code is None:
        return "failed or did not end"
    if code != step.code:
        return f"expected exit code {step.code} but got {code}"
    if step.output is not None and not matches(step.output, output):
        return "printed something else than the page says"
    return None


def setup_of(page):
    place = page.relative_to(ROOT).with_suffix("")
    for path in (place, place.parent):
        script = SETUP / f"{path.as_posix().replace('/', '-')}.sh"
        if script.exists():
            return script.read_text()
    return ""


def run_page(page, tools):
    """(passed, faults) of a page."""
    steps = read_page(page.read_text())
    commands = [(number, step) for number, step in enumerate(steps) if isinstance(step, Command)]
    if not commands:
        return 0, []
    script = setup_of(page) + "\n" + script_of(steps)
    with tempfile.TemporaryDirectory(prefix="sluice-page-") as folder:
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "ROOT": str(ROOT),
                       "TOOLS": str(tools), "NO_COLOR": "1"}
        try:
            text = subprocess.run(["bash", "-c", script], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=DEADLINE).stdout
        except subprocess.TimeoutExpired as expired:
            text = expired.stdout or b""
    results, position = {}, 0
    text = text.decode(errors="replace")
    for match in re.finditer(rf"\n{MARK}(\d+) (\d+)\n", text):
        results[int(match.group(1))] = (text[position:match.start()].splitlines(), int(match.group(2)))
        position = match.end()
    faults = []
    for number, step in commands:
        output, code = results.get(number, (text[position:].splitlines(), None))
        if fault := judge(step, output, code):
            faults.append(f"{page.relative_to(ROOT)}:{step.line}: {fault}\n$ {step.text}\n"
                          + "\n".join(output[-40:]))
            break  # those after it may need what it should have done
    return len(commands) - len(faults), faults


def pages():
    found = list(ROOT.glob("*.md"))
    for area in ["docs", "examples", "dialects"]:
        found += sorted((ROOT / area).rglob("*.md"))
    return found


def main():
    tools = pathlib.Path(sys.argv[1]).resolve()
    chosen = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or pages()
    passed = failed = 0
    for page in chosen:
        good, faults = run_page(page, tools)
        passed += good
        failed += len(faults)
        for fault in faults:
            print(fault)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
