# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops that make strings of strings and numbers."""

from scenario import g, of, scalar, vector


def join(s, attrs):
    """A scalar goes with both strings of a vector."""
    operands = [s.feed("x0", of("string", [], [b"a"])),
                s.feed("x1", vector("string", [b"b", b""])),
                s.feed("x2", of("string", [], [b"c"]))]
    s.step([s.node("", s.op, *operands, N=g.integer(3), separator=g.text("/"))])


def sharded(s, attrs):
    """Fewer digits than five, and more."""
    counts = ["shard", "shards"] if s.op == "ShardedFilename" else ["shards"]
    base = s.feed("base", of("string", [], [b"folder/name"]))
    numbers = {"shard": 3, "shards": 123456}
    operands = [s.feed(name, scalar("int32", numbers[name])) for name in counts]
    s.step([s.node("", s.op, base, *operands)])


BUILDERS = {"StringJoin": join, "ShardedFilename": sharded, "ShardedFilespec": sharded}
