# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where nodes of a random graph lie: in the root, on a side of a branch, in a loop's test or body.

Every value of a place is alive in exactly those iterations in which the place is. So a node may use
the values of its own place, and those of places further out once `bring` has carried them in. The
exception are the *invariants* of a loop, which constant Enters bring to every iteration, also to
the last one, whose body is dead: a body's node that has nothing else waits for the body's pivot.

What has to happen in order (writes to a variable, pushes to a stack, …) hangs on the *order* of its
resource: a value that each of those nodes waits for and that is replaced by a later one.
"""

from graph import LIST, Node, Value, flag, text, type_of


class Place:
    kind = "root"
    closed = False  # a branch whose orders have been merged takes no more effects

    def __init__(self, program, parent=None):
        self.program, self.parent = program, parent
        self.depth = parent.depth + 1 if parent else 0
        self.pivot = ""  # a node that is alive when the place is; the root needs none
        self.values = []
        self.nodes = []  # those that others of this place may wait for
        self.orders = {}  # resource → value
        self.invariants = set()  # refs
        self.carried = {}  # ref outside → value in here
        self.reports = []  # nodes that do something other than compute
        program.places.append(self)

    def add(self, op, inputs, results=(), name=None, after=(), **attributes):
        """Adds a node; returns its results as values, or its name if it has none."""
        refs = [source.ref for source in inputs]
        waits = [f"^{other}" for other in after]
        if self.pivot and all(ref in self.invariants for ref in refs) and not waits:
            waits.append(f"^{self.pivot}")
        waits += [wait for wait in self.program.draw_waits(self) if wait not in waits]
        node = self.program.add(Node(name or self.program.new_name(op), op, refs + waits,
                                     attributes))
        self.nodes.append(node.name)
        refs = [f"{node.name}:{k}" if k else node.name for k in range(len(results))]
        values = [self.program.note(Value(ref, dtype, shape if dtype == LIST else tuple(shape)),
                                    self.pivot)
                  for ref, (dtype, shape) in zip(refs, results)]
        return values if values else node.name

    def bring(self, value, owner):
        """A value of a place further out, in here."""
        if owner is self:
            return value
        outside = self.parent.bring(value, owner)
        if outside.ref not in self.carried:
            self.carried[outside.ref] = self.carry(outside)
        return self.carried[outside.ref]

    def grounded(self, value):
        """The same value, but alive only when this place is."""
        if value.ref not in self.invariants:
            return value
        return self.add("Identity", [value], [(value.dtype, value.shape)], after=[self.pivot],
                        T=type_of(value.dtype))[0]

    def is_around(self, place):
        return place is self or (place.parent is not None and self.is_around(place.parent))

    def order(self, resource):
        """What the next effect on a resource waits for; None if it cannot be used here."""
        return self.orders.get(resource)


class Inside(Place):
    """Of a function: its values are its arguments and what it makes of them."""
    kind = "function"

    def __init__(self, program, depth):
        super().__init__(program)
        self.depth = depth
        self.arguments = []  # a value or a resource for each slot


class Branch(Place):
    kind = "branch"

    def __init__(self, program, parent, predicate, side, switched):
        super().__init__(program, parent)
        self.predicate, self.side = predicate, side
        self.values = self.add("Identity", [switched], [("b", ())], T=type_of("b"))
        self.pivot = self.values[0].node

    def carry(self, value):
        switch = self.parent.add("Switch", [value, self.predicate],
                                 [(value.dtype, value.shape)] * 2, T=type_of(value.dtype))
        return switch[self.side]

    def order(self, resource):
        if self.closed and not self.is_around(resource.owner):
            return None
        if resource not in self.orders:
            outside = self.parent.order(resource)
            if outside is None:
                return None
            # A Switch is alive on both sides: only what comes after it tells the side.
            self.orders[resource] = self.add("Identity", [self.carry(outside)],
                                             [(outside.dtype, outside.shape)],
                                             T=type_of(outside.dtype))[0]
        return self.orders[resource]


class Way(Branch):
    """One of several, chosen by a number, which `predicate` is."""

    def __init__(self, program, parent, index, side, count, switched):
        self.count = count
        super().__init__(program, parent, index, side, switched)

    def carry(self, value):
        steered = self.parent.add("_SwitchN", [value, self.predicate],
                                  [(value.dtype, value.shape)] * self.count,
                                  T=type_of(value.dtype), num_outs=f"i: {self.count}")
        return steered[self.side]


class Test(Place):
    """What of a loop runs in every iteration: its merges and its predicate."""
    kind = "test"

    def __init__(self, program, parent, frame, window):
        super().__init__(program, parent)
        self.frame, self.window = frame, window

    def enter(self, value, constant):
        node = self.program.add(Node(self.program.new_name("Enter"), "Enter",
                                     [value.ref, *self.program.draw_waits(self.parent)],
                                     {"T": type_of(value.dtype),
                                      "frame_name": text(self.frame),
                                      "is_constant": flag(constant),
                                      "parallel_iterations": f"i: {self.window}"}))
        return self.program.note(Value(node.name, value.dtype, value.shape), self.pivot)

    def carry(self, value):
        entered = self.enter(value, constant=True)
        self.invariants.add(entered.ref)
        return entered


class Body(Place):
    kind = "body"

    def __init__(self, test, predicate):
        super().__init__(test.program, test)
        self.depth = test.depth  # a loop is one level deep, not two
        self.predicate = predicate  # the LoopCond

    def carry(self, value):
        if value.ref in self.parent.invariants:
            self.invariants.add(value.ref)
            return value
        return self.parent.add("Switch", [value, self.predicate], [(value.dtype, value.shape)] * 2,
                               T=type_of(value.dtype))[1]
