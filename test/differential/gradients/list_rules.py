# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops on lists. A rule makes a list, does something with it, and looks at what is in it."""

from drawing import tensor_type
from move_rules import squared


class Elements:
    """Lists of one kind of element."""

    def __init__(self, d, dims=None, ragged=False):
        self.d, self.dims = d, d.dims(0, 2) if dims is None else dims
        known = d.form == "static" or d.form == "mixed" and d.chance(0.5)
        self.shape = tensor_type("f64", self.dims) if known and not ragged else "tensor<*xf64>"
        self.type = f"!list.of<{self.shape}>"
        self.dense = tensor_type("f64", self.dims)  # what is known of an element where it is read

    def x(self):
        return self.d.x(self.dims)

    def rows(self, count):
        return self.d.x([count, *self.dims])

    def op(self, name, operands, results=None, **attributes):
        return self.d.op(f"list.{name}", operands, results or [self.type], **attributes)

    def make(self, size):
        """Of empty elements."""
        size = self.d.fixed("i32", [size], [])
        return self.op("make", [size], element_shape=self.shape, identical=False)[0]

    def filled(self, count):
        """Each element is set."""
        d = self.d
        if not count or d.chance(0.4):
            return self.op("unstack", [self.rows(count)], element_shape=self.shape)[0]
        made = self.make(0)
        for _ in range(count):
            made, = self.op("push", [made, self.x()], limit=-1)
        return made

    def holed(self, count):
        """Some elements are empty, and read as zeros."""
        d, made = self.d, self.make(count)
        sure = d.rng.randrange(count)
        for index in range(count):
            if index == sure or d.chance(0.6):
                made = self.set(made, index, self.x())
        return made

    def any(self, count):
        return self.filled(count) if self.d.chance(0.5) else self.holed(count)

    def set(self, into, index, value, **attributes):
        attributes = {"grow": False, "once": False, **attributes}
        return self.op("set", [into, self.d.number(index), value], **attributes)[0]

    def peek(self, source, index):
        return self.op("peek", [source, self.d.number(index)], ["f64"], element_shape=self.dense)[0]

    def look(self, source, count):
        """At all of it, some of it twice."""
        d = self.d
        seen = [self.peek(source, index) for index in range(count)]
        if count and d.chance(0.5):
            seen.append(self.peek(source, d.rng.randrange(count)))
        if not seen:  # there must be something to differentiate
            seen = self.op("stack", [source], ["f64"], element_shape=self.dense, num_elements=-1)
        squared(d, *seen)


def some(d):
    return d.rng.randint(1, 3)


def push(d):
    e, count = Elements(d), some(d)
    made = e.filled(count)
    for _ in range(2):
        made, = e.op("push", [made, e.x()], limit=d.rng.choice([-1, 9]))
    e.look(made, count + 2)


def pop(d):
    e, count = Elements(d), some(d)
    made, seen = e.any(count), []
    for _ in range(d.rng.randint(1, count)):
        value, made = e.op("pop", [made], ["f64", e.type], element_shape=e.dense)
        seen.append(value)
        count -= 1
        if d.chance(0.3):
            made, = e.op("push", [made, e.x()], limit=-1)
            count += 1
    product = seen[0]
    for value in seen[1:]:
        product, = d.op("nd.mul", [product, value])
    squared(d, product)
    e.look(made, count)


def get(d):
    e, count = Elements(d), some(d)
    clear = d.chance(0.5)
    made, seen = e.filled(count), []
    for index in d.rng.sample(range(count), d.rng.randint(1, count)):
        value, made = e.op("get", [made, d.number(index)], ["f64", e.type],
                           beyond=d.chance(0.3), clear=clear)
        seen.append(value)
    squared(d, *seen)
    if not clear:
        e.look(made, count)


def set_(d):
    e, count = Elements(d), some(d)
    made = e.holed(count)
    for _ in range(2):
        made = e.set(made, d.rng.randrange(count), e.x())
    size = count
    if d.chance(0.5):  # the elements between are empty
        size = count + 2
        made = e.set(made, size - 1, e.x(), grow=True, once=d.chance(0.5))
    e.look(made, size)


def accumulate(d):
    e, count = Elements(d), some(d)
    made = e.holed(count)
    for _ in range(3):
        made, = e.op("accumulate", [made, d.number(d.rng.randrange(count)), e.x()])
    e.look(made, count)


def add(d):
    e, count = Elements(d), some(d)
    first = e.any(count)
    second = first if d.chance(0.2) else e.any(count)
    e.look(e.op("add", [first, second])[0], count)


def append(d):
    e, first, second = Elements(d), some(d), some(d)
    one = e.make(first) if d.chance(0.2) else e.holed(first)
    e.look(e.op("append", [one, e.holed(second)])[0], first + second)


def zeros_like(d):
    e, count = Elements(d), some(d)
    made = e.any(count)
    sums, = e.op("add", [made, e.op("zeros_like", [made])[0]])
    e.look(sums, count)


def unstack(d):
    e, count = Elements(d), d.rng.randint(0, 3)
    e.look(e.op("unstack", [e.rows(count)], element_shape=e.shape)[0], count)


def resize(d):
    e, count, size = Elements(d), some(d), d.rng.randint(0, 4)
    e.look(e.op("resize", [e.any(count), d.fixed("i32", [size], [])])[0], size)


def declare_shape(d):
    e, count = Elements(d), some(d)
    sizes = d.fixed("i32", [dim if d.chance(0.7) else -1 for dim in e.dims])
    e.look(e.op("declare_shape", [e.any(count), sizes])[0], count)


def declare_limit(d):
    e, count = Elements(d), some(d)
    made, = e.op("declare_limit", [e.any(count), d.fixed("i32", [7], [])])
    made, = e.op("push", [made, e.x()], limit=-1)
    e.look(made, count + 1)


def only(d):
    e = Elements(d)
    value, = e.op("only", [e.filled(1)], ["f64"], element_shape=e.dense)
    squared(d, value)


def stack(d):
    e, count = Elements(d), d.rng.randint(0, 3)
    value = e.op("stack", [e.any(count) if count else e.filled(0)], ["f64"], element_shape=e.dense,
                 num_elements=d.rng.choice([-1, count]))
    squared(d, *value)


def chosen(d, count, once=False):
    """Indices of some elements."""
    if once:
        return d.rng.sample(range(count), d.rng.randint(0, count))
    return [d.rng.randrange(count) for _ in range(d.rng.randint(0, 4))]


def rows(d):
    e, count = Elements(d), some(d)
    indices = d.ints(chosen(d, count))
    squared(d, *e.op("rows", [e.any(count), indices], ["f64"], element_shape=e.dense))


def gather(d):
    e, count = Elements(d), some(d)
    clear = d.chance(0.5)
    indices = d.fixed("i32", chosen(d, count, once=True))
    value, left = e.op("gather", [e.filled(count), indices], ["f64", e.type],
                       beyond=d.chance(0.3), clear=clear, element_shape=e.dense)
    squared(d, value)
    if not clear:
        e.look(left, count)


def scatter(d):
    e, count = Elements(d), some(d)
    accumulates = d.chance(0.4)
    once = not accumulates and d.chance(0.4)
    indices = chosen(d, count, once)
    made = e.make(count) if once else e.holed(count)
    size = count
    grow = not accumulates and d.chance(0.3)
    if grow:
        indices, size = indices + [count + 1], count + 2
    made, = e.op("scatter", [made, d.fixed("i32", indices), e.rows(len(indices))],
                 accumulate=accumulates, grow=grow, once=once)
    e.look(made, size)


def pieces(d, count):
    """A list of elements that differ in their first size: (elements, list, those sizes)"""
    e = Elements(d, d.dims(0, 1), ragged=True)
    sizes = [d.rng.randint(0, 2) for _ in range(count)]
    lengths = d.fixed("i64", sizes)
    grow = d.chance(0.3)
    made, = e.op("split", [e.make(0 if grow else count), e.rows(sum(sizes)), lengths],
                 accumulate=False, grow=grow, once=d.chance(0.5))
    return e, made, sizes


def split(d):
    count = some(d)
    e, made, sizes = pieces(d, count)
    if d.chance(0.5):
        lengths = d.fixed("i64", sizes)
        made, = e.op("split", [made, e.rows(sum(sizes)), lengths], accumulate=d.chance(0.6),
                     grow=False, once=False)
    e.dense = "tensor<*xf64>"
    e.look(made, count)


def concat(d):
    e, made, _ = pieces(d, some(d))
    value, _, left = e.op("concat", [made], ["f64", "i64", e.type], clear=d.chance(0.5),
                          element_shape_except0=e.dense if d.form == "static" else "tensor<*xf64>")
    squared(d, value)


def join(d):
    e, made, sizes = pieces(d, some(d))
    shape = tensor_type("f64", ["?", *e.dims])
    value, _ = e.op("join", [made, d.fixed("i64", sizes)], ["f64", "i64"], element_shape=shape)
    squared(d, value)


def peek(d):
    """Also into a list of lists."""
    e, count = Elements(d), some(d)
    made = e.any(count)
    if d.chance(0.5):
        return e.look(made, count)
    outer_type = f"!list.of<{e.type}>"
    outer, = d.op("list.make", [d.fixed("i32", [0], [])], [outer_type], element_shape=e.type,
                  identical=False)
    for inner in (made, e.any(count)):
        outer, = d.op("list.push", [outer, inner], [outer_type], limit=-1)
    for _ in range(2):
        inner, = d.op("list.peek", [outer, d.number(d.rng.randint(0, 1))], [e.type],
                      element_shape=e.type)
        e.look(inner, count)
    return None


RULES = {f"list.{name}": rule for name, rule in {
    "push": push, "pop": pop, "get": get, "set": set_, "accumulate": accumulate, "add": add,
    "append": append, "zeros_like": zeros_like, "unstack": unstack, "resize": resize,
    "declare_shape": declare_shape, "declare_limit": declare_limit, "only": only, "stack": stack,
    "rows": rows, "gather": gather, "scatter": scatter, "split": split, "concat": concat,
    "join": join, "peek": peek}.items()}
