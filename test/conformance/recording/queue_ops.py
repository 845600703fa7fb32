# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of objects that firings wait for: queues, barriers, accumulators, mutexes, staging areas.
Each op is tried with an object of its own, and nothing waits for ever."""

from scenario import scalar, tensor, type_attr, vector

import graphs  # isort: skip
from goals import OTHER  # isort: skip

# Attributes with a number: what it is for goals, and for all others.
NUMBERS = {"capacity": (9, 8), "memory_limit": (999, 888), "min_after_dequeue": (1, 0),
           "component_index": (1, 0)}


def given(attrs, *names):
    """Attributes of a node as they are asked for."""
    found = {}
    for name in names:
        if name in attrs:
            kind, value = attrs[name]
            if name in NUMBERS:
                value = NUMBERS[name][0 if value == OTHER else 1]
            found[name] = graphs.attr_value(kind, value)
    return found


def types(*dtypes):
    return graphs.attr_value("types", dtypes)


def shapes(*all_dims):
    dims = b"".join(graphs.g.field(7, graphs.g.dims(each)) for each in all_dims)
    return graphs.g.field(1, dims)


def is_second(s):
    return s.op.endswith("V2")


def second(s):
    return "V2" if is_second(s) else ""


# ---- Queues

def queue_life(s, attrs):
    """Elements go in and come out; what is known of their shape lets many come out at once."""
    dtype = attrs["component_types"][1][0]
    is_priority = "Priority" in s.op
    made = {"component_types": types(dtype), "shapes": shapes([2]),
            **given(attrs, "capacity", "min_after_dequeue")}
    queue = s.node("", s.op, **made)
    rows = s.feed("rows", tensor(dtype, [4, 2]))
    first = [s.feed("order", vector("int64", [3, 1, 2, 0]))] if is_priority else []
    all_types = types(*(["int64"] if is_priority else []), dtype)
    put = s.node("put", "QueueEnqueueMany" + second(s), queue, *first, rows, Tcomponents=all_types)
    three = s.integer("three", 3)
    taken = s.node("taken", "QueueDequeueMany" + second(s), queue, three,
                   component_types=all_types)
    size = s.node("size", "QueueSize" + second(s), queue)
    s.step(targets=[put])
    s.step([f"{taken}:{int(is_priority)}"], feeds=[])
    s.step([size], feeds=[])
    s.is_random = "Random" in s.op


def queue_use(s, attrs):
    """Of the op, on a FIFO queue of such elements."""
    dtype = next((attrs[name][1][0] for name in ("Tcomponents", "component_types")
                  if name in attrs), "float")
    queue = s.node("queue", "FIFOQueue" + second(s), component_types=types(dtype), shapes=shapes([2]))
    many = "Many" in s.op
    row, rows = s.feed("row", tensor(dtype, [2])), s.feed("rows", tensor(dtype, [3, 2]))
    enqueue = s.node("" if "Enqueue" in s.op and not many else "put", "QueueEnqueue" + second(s),
                     queue, row, Tcomponents=types(dtype))
    enqueue_many = s.node("" if "EnqueueMany" in s.op else "put_many",
                          "QueueEnqueueMany" + second(s), queue, rows, Tcomponents=types(dtype))
    s.step(targets=[enqueue], feeds=[row])
    s.step(targets=[enqueue_many], feeds=[rows])
    two, nine = s.integer("two", 2), s.integer("nine", 9)
    close = s.node("" if s.op.startswith("QueueClose") else "close", "QueueClose" + second(s), queue,
                   **given(attrs, "cancel_pending_enqueues"))
    if "IsClosed" in s.op:
        s.node("", s.op, queue)
        s.step([s.name], feeds=[])
        s.step(targets=[close], feeds=[])
        s.step([s.name], feeds=[])
        return
    taken = s.node("" if "DequeueMany" in s.op else "taken", "QueueDequeueMany" + second(s), queue,
                   two, component_types=types(dtype))
    one = s.node("" if "Dequeue" in s.op and not many and "UpTo" not in s.op else "one",
                 "QueueDequeue" + second(s), queue, component_types=types(dtype))
    rest = s.node("" if "UpTo" in s.op else "rest", "QueueDequeueUpTo" + second(s), queue, nine,
                  component_types=types(dtype))
    size = s.node("" if "Size" in s.op else "size", "QueueSize" + second(s), queue)
    s.step([taken], feeds=[])
    s.step([size], feeds=[])
    s.step([one], feeds=[])
    s.step(targets=[close], feeds=[])
    s.step([rest], feeds=[])
    s.step([one], feeds=[])  # nothing is left


def fake_queue(s, attrs):
    queue = s.node("queue", "FIFOQueueV2", component_types=types("float"))
    s.node("", s.op, queue)
    x = s.feed("x", tensor("float", [2]))
    put = s.node("put", "QueueEnqueueV2", queue, x, Tcomponents=types("float"))
    s.step(targets=[put])
    s.step([s.node("size", "QueueSize", s.name)], feeds=[])


def ref_select(s, attrs):
    queues = [s.node(f"queue{i}", "FIFOQueue", component_types=types("float")) for i in range(3)]
    index = s.feed("index", scalar("int32", 1))
    s.node("", s.op, index, *queues, N=graphs.attr_value("int", 3), T=type_attr("string"))
    x = s.feed("x", tensor("float", [2]))
    s.step(targets=[s.node("put", "QueueEnqueue", s.name, x, Tcomponents=types("float"))])
    for i, queue in enumerate(queues):
        s.step([s.node(f"size{i}", "QueueSize", queue)], feeds=[])


# ---- Barriers

def barrier(s, attrs):
    dtype = next((attrs[name][1][0] if attrs[name][0] == "types" else attrs[name][1]
                  for name in ("component_types", "T") if name in attrs), "float")
    name = "" if s.op == "Barrier" else "barrier"
    made = s.node(name, "Barrier", component_types=types(dtype, dtype), shapes=shapes([2], [2]))
    keys = s.const("keys", vector("string", [b"x", b"y", b"z"]))
    some = s.const("some", vector("string", [b"y", b"z"]))
    rows, others = s.feed("rows", tensor(dtype, [3, 2])), s.feed("others", tensor(dtype, [2, 2], 2))
    is_insert = s.op == "BarrierInsertMany"
    index = NUMBERS["component_index"][attrs.get("component_index", ("int", 0))[1] != OTHER]
    first = s.node("" if is_insert else "first", "BarrierInsertMany", made, keys, rows,
                   T=type_attr(dtype), component_index=graphs.attr_value("int", index))
    rest = s.node("more", "BarrierInsertMany", made, some, others, T=type_attr(dtype),
                  component_index=graphs.attr_value("int", 1 - index))
    sizes = [s.node("" if s.op == op else part, op, made) for part, op in (
        ("ready", "BarrierReadySize"), ("incomplete", "BarrierIncompleteSize"))]
    count = s.integer("count", 9 if attrs.get("allow_small_batch", (0, False))[1] else 2)
    taken = s.node("" if s.op == "BarrierTakeMany" else "taken", "BarrierTakeMany", made, count,
                   component_types=types(dtype, dtype),
                   **given(attrs, "allow_small_batch", "wait_for_incomplete"))
    close = s.node("" if s.op == "BarrierClose" else "close", "BarrierClose", made,
                   **given(attrs, "cancel_pending_enqueues"))
    s.step(targets=[first], feeds=[rows])
    s.step(targets=[rest], feeds=[others])
    s.step(sizes, feeds=[])
    s.step(targets=[close], feeds=[])
    s.step(sizes, feeds=[])
    s.step([f"{taken}:2", f"{taken}:3"], feeds=[])  # keys of one insertion have no order
    s.step([taken], feeds=[])  # nothing is left


# ---- Accumulators

def accumulator(s, attrs):
    dtype = attrs.get("dtype", ("type", "float"))[1]
    is_sparse, resource = "Sparse" in s.op, "Resource" if s.op.startswith("Resource") else ""
    maker = "SparseConditionalAccumulator" if is_sparse else resource + "ConditionalAccumulator"
    made = s.node("" if s.op == maker else "made", maker, dtype=type_attr(dtype),
                  shape=graphs.attr_value("shape", [5, 2] if is_sparse else [2]),
                  **given(attrs, "reduction_type"))
    prefix = "Sparse" if is_sparse else resource
    zero, one = s.const("zero", scalar("int64", 0)), s.const("one", scalar("int64", 1))
    two = s.integer("two", 2)

    def apply(part, step, rows, start):
        more = {}
        if not is_sparse:
            operands = [step, s.feed(f"{part}_x", tensor(dtype, [2], start))]
        else:
            operands = [step, s.const(f"{part}_i", vector("int64", rows)),
                        s.feed(f"{part}_x", tensor(dtype, [len(rows), 2], start)),
                        s.const(f"{part}_d", vector("int64", [5, 2]))]
            more = given({"has_known_shape": attrs.get("has_known_shape", ("bool", True))},
                         "has_known_shape")
        op = prefix + "AccumulatorApplyGradient"
        done = s.node("" if s.op == op and part == "a" else part, op, made, *operands,
                      dtype=type_attr(dtype), **more)
        s.step(targets=[done], feeds=[f"{s.name}_{part}_x"])

    count = s.node("" if "NumAccumulated" in s.op else "count",
                   resource + "AccumulatorNumAccumulated", made)
    set_step = s.node("" if "SetGlobalStep" in s.op else "set_step",
                      resource + "AccumulatorSetGlobalStep", made, one)
    apply("a", zero, [0, 3], 1)
    if "SetGlobalStep" in s.op:
        s.step(targets=[set_step], feeds=[])
    apply("b", one, [3], 2)
    apply("c", zero, [4], 3)
    s.step([count], feeds=[])
    op = prefix + "AccumulatorTakeGradient"
    taken = s.node("" if s.op == op else "taken", op, made, two, dtype=type_attr(dtype))
    s.step([f"{taken}:{i}" for i in range(3 if is_sparse else 1)], feeds=[])
    s.step([count], feeds=[])


# ---- Mutexes

def mutex(s, attrs):
    name = "" if s.op == "MutexV2" else "mutex"
    made = s.node(name, "MutexV2", shared_name=graphs.attr_value("string", f"{s.name}_m"))
    lock = s.node("" if s.op == "MutexLock" else "lock", "MutexLock", made)
    x = s.feed("x", tensor("float", [2]))
    inside = s.node("inside", "Neg", x, "^" + lock, T=type_attr("float"))
    done = s.node("" if s.op == "ConsumeMutexLock" else "done", "ConsumeMutexLock", lock,
                  "^" + inside)
    for _ in range(2):
        s.step([inside], [done])


# ---- Staging areas

def stage(s, attrs):
    dtype = next((attrs[name][1][0] for name in ("dtypes", "fake_dtypes") if name in attrs), "float")
    prefix = next((each for each in ("OrderedMap", "Map") if s.op.startswith(each)), "")
    area = {"shared_name": graphs.attr_value("string", f"{s.name}_area"),
            **given({name: attrs.get(name, ("int", 0)) for name in ("capacity", "memory_limit")},
                    "capacity", "memory_limit")}
    x, y = s.feed("x", tensor(dtype, [2])), s.feed("y", tensor(dtype, [3], 2))
    both = {"dtypes": types(dtype, dtype)}

    def node(part, op, *inputs, **more):
        return s.node("" if s.op == op else part, op, *inputs, **{**both, **area, **more})

    if not prefix:
        put = node("put", "Stage", x, y)
        sizes = [node("size", "StageSize")]
        looked = node("looked", "StagePeek", s.integer("index", 0))
        taken = node("taken", "Unstage")
        s.step(targets=[put])
    else:
        key, least = s.const("key", scalar("int64", 7)), s.const("least", scalar("int64", 3))
        zero, one = (s.const(part, vector("int32", [i])) for i, part in enumerate(("zero", "one")))
        all_of = s.const("all", vector("int32", [0, 1]))
        put = node("put", prefix + "Stage", key, zero, x, fake_dtypes=types(dtype))
        more = s.node("more", prefix + "Stage", key, one, y, **both, **area, fake_dtypes=types(dtype))
        other = s.node("other", prefix + "Stage", least, all_of, y, x, **both, **area,
                       fake_dtypes=types(dtype, dtype))
        sizes = [node("size", prefix + "Size"), node("incomplete", prefix + "IncompleteSize")]
        looked = node("looked", prefix + "Peek", key, all_of)
        taken = node("taken", prefix + "Unstage", key, one, dtypes=types(dtype))
        s.step(targets=[put], feeds=[x])
        s.step(sizes, feeds=[])
        s.step(targets=[more], feeds=[y])
        s.step(targets=[other])
    s.step(sizes, feeds=[])
    s.step([f"{looked}:0", f"{looked}:1"], feeds=[])
    s.step([taken], feeds=[])
    if prefix:
        rest = node("rest", prefix + "UnstageNoKey", all_of)
        if prefix == "OrderedMap":  # the other takes any
            s.step([f"{rest}:{i}" for i in range(3)], feeds=[])
    s.step(sizes, feeds=[])
    if s.op.endswith("Clear"):
        s.step(targets=[put, *([more, other] if prefix else [])])
        s.step(targets=[node("clear", prefix + "Clear" if prefix else "StageClear")], feeds=[])
        s.step(sizes, feeds=[])


BUILDERS = {
    **{f"{name}{version}": queue_life for version in ("", "V2")
       for name in ("FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "RandomShuffleQueue")},
    **{f"Queue{name}{version}": queue_use for version in ("", "V2")
       for name in ("Enqueue", "EnqueueMany", "Dequeue", "DequeueMany", "DequeueUpTo", "Close",
                    "Size", "IsClosed")},
    "FakeQueue": fake_queue,
    "RefSelect": ref_select,
    **{f"Barrier{name}": barrier for name in ("", "InsertMany", "TakeMany", "Close", "ReadySize",
                                              "IncompleteSize")},
    **{name: accumulator for prefix in ("", "Resource") for name in (
        f"{prefix}ConditionalAccumulator", f"{prefix}AccumulatorApplyGradient",
        f"{prefix}AccumulatorTakeGradient", f"{prefix}AccumulatorNumAccumulated",
        f"{prefix}AccumulatorSetGlobalStep")},
    **{name: accumulator for name in ("SparseConditionalAccumulator",
                                      "SparseAccumulatorApplyGradient",
                                      "SparseAccumulatorTakeGradient")},
    **dict.fromkeys(["MutexV2", "MutexLock", "ConsumeMutexLock"], mutex),
    **dict.fromkeys(["Stage", "Unstage", "StagePeek", "StageSize", "StageClear"], stage),
    **{f"{prefix}{name}": stage for prefix in ("Map", "OrderedMap")
       for name in ("Stage", "Unstage", "UnstageNoKey", "Peek", "Size", "IncompleteSize", "Clear")},
}
