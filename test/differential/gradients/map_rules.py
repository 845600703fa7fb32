# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops on maps. A rule makes a map, does something with it, and looks at what is in it."""

from move_rules import squared

MAP = "!list.of<!list.any>"


class Entries:
    """Maps whose keys are numbers below the count."""

    def __init__(self, d):
        self.d, self.dims, self.count = d, d.dims(0, 2), d.rng.randint(1, 3)

    def key(self, number):
        return self.d.fixed("i32", [number], [])

    def x(self):
        return self.d.x(self.dims)

    def op(self, name, operands, result=MAP, **attributes):
        return self.d.op(f"list.map_{name}", operands, [result], **attributes)[0]

    def insert(self, into, number, value):
        return self.op("insert", [into, self.key(number), value])

    def filled(self):
        made = self.op("make", [self.key(0)])
        for number in range(self.count):
            made = self.insert(made, number, self.x())
        return made

    def lookup(self, source, number):
        return self.op("lookup", [source, self.key(number)], "f64")

    def look(self, source, numbers=None):
        """At all of it, some of it twice."""
        numbers = list(range(self.count) if numbers is None else numbers)
        if numbers and self.d.chance(0.5):
            numbers.append(self.d.rng.choice(numbers))
        squared(self.d, *(self.lookup(source, number) for number in numbers))


def insert(d):
    """Also a key that is there, whose value is seen before, or never."""
    e = Entries(d)
    before = e.filled()
    number = d.rng.randrange(e.count + 1)
    after = e.insert(before, number, e.x())
    if d.chance(0.5):
        squared(d, e.lookup(before, d.rng.randrange(e.count)))
    e.look(after, {*range(e.count), number})


def lookup(d):
    e = Entries(d)
    e.look(e.filled())


def lookup_or(d):
    """Of a key that is there, or not, or no longer."""
    e = Entries(d)
    made = e.filled()
    if d.chance(0.3):
        made = e.op("erase", [made, e.key(0)], required=True)
    for number in (0, e.count):
        squared(d, e.op("lookup_or", [made, e.key(number), e.x()], "f64"))


def erase(d):
    """What is gone, and may come again, and what is left."""
    e = Entries(d)
    made = e.filled()
    gone = d.rng.randrange(e.count)
    squared(d, e.lookup(made, gone))
    after = e.op("erase", [made, e.key(gone)], required=d.chance(0.5))
    if d.chance(0.5):
        return e.look(e.insert(after, gone, e.x()))
    return e.look(after, set(range(e.count)) - {gone})


RULES = {f"list.map_{name}": rule for name, rule in {
    "insert": insert, "lookup": lookup, "lookup_or": lookup_or, "erase": erase}.items()}
