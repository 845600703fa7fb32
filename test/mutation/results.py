# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became of mutants: a file with a line of JSON for each, written as they come."""

import collections
import json
import os

from mutant import Mutant

KILLED, SURVIVED, SAME_CODE = "killed", "survived", "same code"
FIELDS = ["path", "line", "old", "new", "kind"]


class Results:
    def __init__(self, file):
        self.file = file
        self.rows = {}  # key of a mutant → row
        if os.path.exists(file):
            for mutant, row in read_mutants(file):
                self.rows[mutant.key] = row

    def __contains__(self, mutant):
        return mutant.key in self.rows

    def add(self, mutant, outcome, by="", seconds=0):
        row = {name: getattr(mutant, name) for name in FIELDS}
        row.update({"outcome": outcome, "by": by, "seconds": round(seconds)})
        reason = self.rows.get(mutant.key, {}).get("reason")
        if reason and outcome == SURVIVED:
            row["reason"] = reason
        known = mutant.key in self.rows
        self.rows[mutant.key] = row
        if known:
            self.rewrite()
        else:
            with open(self.file, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def rewrite(self):
        with open(self.file + ".new", "w", encoding="utf-8") as file:
            for row in self.rows.values():
                file.write(json.dumps(row) + "\n")
        os.replace(self.file + ".new", self.file)

    def with_outcome(self, outcome):
        return [Mutant(*(row[name] for name in FIELDS)) for row in self.rows.values()
                if row["outcome"] == outcome]

    def noticed_near(self, path):
        """How many mutants of a file's folder each suite was the first to notice."""
        return collections.Counter(
            row["by"].split()[0] for row in self.rows.values()
            if row["outcome"] == KILLED and folder_of(row["path"]) == folder_of(path))

    def summary(self):
        """Lines: what became of the mutants of each folder, then all survivors."""
        folders = collections.defaultdict(collections.Counter)
        for row in self.rows.values():
            folders[folder_of(row["path"])][row["outcome"]] += 1
            folders["all"][row["outcome"]] += 1
        yield f"{'folder':24} {'killed':>8} {'survived':>9} {'same code':>10}"
        for folder, counts in sorted(folders.items(), key=lambda item: (item[0] == "all", item[0])):
            yield f"{folder:24} {counts[KILLED]:8} {counts[SURVIVED]:9} {counts[SAME_CODE]:10}"
        for row in self.rows.values():
            if row["outcome"] == SURVIVED:
                yield f"survived: {Mutant(*(row[name] for name in FIELDS))}"
                yield f"    {row.get('reason', 'no reason is given')}"


def folder_of(path):
    return "/".join(path.split("/")[:2])


def read_mutants(file):
    """(mutant, row) of each line of a file: a list of mutants, or results."""
    with open(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                yield Mutant(row["path"], row["line"], row["old"], row["new"],
                             row.get("kind", "given")), row
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"error: {file}:{number}: expected an object with path, line, old "
                                 f"and new, but got {line.strip()[:80]!r} ({error!r})") from None
