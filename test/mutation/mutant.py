# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One change of the source, as whole lines, so that it can be read, kept and found again."""

from dataclasses import dataclass


class Gone(Exception):
    """The lines that a mutant changes are no longer in the file."""


@dataclass(frozen=True)
class Mutant:
    path: str  # seen from the root of the project
    line: int  # where `old` began when the mutant was made
    old: str  # whole lines
    new: str
    kind: str = "given"

    @property
    def key(self):
        """What tells mutants apart wherever their lines have moved."""
        return self.path, self.old, self.new

    def apply(self, text):
        """The text with `new` for the occurrence of `old` that is nearest to the line it was at."""
        lines, old = text.split("\n"), self.old.split("\n")
        places = [index for index in range(len(lines) - len(old) + 1)
                  if lines[index:index + len(old)] == old]
        if not places:
            raise Gone(f"{self.path} no longer has the line {self.old.strip()!r}")
        place = min(places, key=lambda index: abs(index + 1 - self.line))
        return "\n".join(lines[:place] + self.new.split("\n") + lines[place + len(old):])

    def __str__(self):
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line}: {old}  ->  {new}"
