# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of random numbers: of streams that go on, of those of seeds, and of generators.

Streams that go on have seeds, so that what is recorded is what everybody draws.
"""

from scenario import g, of, scalar, tensor, type_attr, vector
from state_ops import initialised, start

import graphs  # isort: skip

KEY = [("key", [2**63 + 12345]), ("counter", [2**64 - 2, 7])]
SEEDS = {"seed": g.integer(3), "seed2": g.integer(4)}
SIZES = [3, 2, 4]


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def keys(s):
    return [*(s.feed(name, vector("uint64", numbers)) for name, numbers in KEY),
            s.feed("alg", scalar("int32", 1))]


def seed(s, attrs):
    return s.feed("seed", vector(attrs["Tseed"][1], [5, 9]))


def twice(s, node):
    """Two runs, of which the second has other numbers."""
    for _ in range(2):
        s.step([node])


# ---- Choices


def shuffle(s, attrs):
    x = s.feed("x", tensor(attrs["T"][1], [7, 2]))
    if s.op == "StatelessShuffle":
        s.step([s.node("", s.op, x, *keys(s), **encoded(attrs))])
    else:
        twice(s, s.node("", s.op, x, **SEEDS, **encoded(attrs)))


def multinomial(s, attrs):
    x = s.feed("logits", of(attrs["T"][1], [3, 4], [0, 1, 2, 1, 3, 0, 2, 3, 1, 1, 1, 1]))
    inputs = [x, s.feed("count", scalar("int32", 5))]
    if s.op == "Multinomial":
        twice(s, s.node("", s.op, *inputs, **SEEDS, **encoded(attrs)))
    else:
        s.step([s.node("", s.op, *inputs, seed(s, attrs), **encoded(attrs))])


def unseeded(s, attrs):
    s.is_random = True
    shape = s.feed("shape", vector(attrs["shape_dtype"][1], SIZES))
    s.step([s.node("", s.op, shape, **encoded(attrs))])


def index_shuffle(s, attrs):
    """The last of the indices is the limit, which has a bit more than the ones before."""
    index = s.feed("index", vector(attrs["dtype"][1], [0, 1, 700, 65536]))
    seed = s.feed("key", vector(attrs["Tseed"][1], [5, 9, 4000000000 % 2**31]))
    limit = s.feed("limit", scalar(attrs["dtype"][1], 70000))
    if "rounds" in attrs:
        attrs = {**attrs, "rounds": ("int", 8)}
    s.step([s.node("", s.op, index, seed, limit, **encoded(attrs))])


def candidates(s, attrs):
    given = {"num_true": g.integer(2), "num_sampled": g.integer(5), "range_max": g.integer(7),
             **encoded(attrs), **SEEDS}
    classes = s.feed("classes", of("int64", [3, 2], [1, 5, 0, 4, 5, 2]))
    node = s.node("", s.op, classes, **given)
    for _ in range(2):
        s.step([f"{node}:{i}" for i in range(3)])


# ---- Numbers that are drawn until one is good


def gamma(s, attrs):
    alpha = of(attrs["T" if s.op == "RandomGamma" else "dtype"][1], [4], [0.5, 1, 2, 10])
    drawn(s, attrs, alpha)


def poisson(s, attrs):
    name = {"RandomPoissonV2": "R", "StatelessRandomPoisson": "Rtype"}[s.op]
    drawn(s, attrs, of(attrs[name][1], [4], [1, 9, 20, 1000]))


def bounded_of_stream(s, attrs):
    dtype = attrs["dtype"][1]
    shape = s.feed("shape", vector(attrs["T"][1], [3, 6]))
    one = [s.feed(name, of(dtype, [], [x]))
           for name, x in (("mean", 1), ("deviation", 2), ("low", -1), ("high", 2.5))]
    lows = s.feed("lows", of(dtype, [3], [-2, 0, 2]))
    for name, low in (("", one[2]), ("rows", lows)):
        twice(s, s.node(name, s.op, shape, *one[:2], low, one[3], **SEEDS, **encoded(attrs)))


def bounded(s, attrs):
    """Of each way to draw them one, few enough that TensorFlow does not share the work."""
    dtype = attrs["dtype"][1]
    shape = s.feed("shape", vector(attrs["S"][1], [3, 6]))
    values = {"means": [0, 0, 0, 0, 1, 0], "deviations": [1], "lows": [-2, 0, 2, -9, -1, 3],
              "highs": [2, 0.5, 99, -2, 0, 3.125]}
    inputs = [s.feed(name, of(dtype, [len(x)], x)) for name, x in values.items()]
    s.step([s.node("", s.op, shape, seed(s, attrs), *inputs, **encoded(attrs))])


def drawn(s, attrs, parameters):
    parameters = s.feed("parameters", parameters)
    if not s.op.startswith("Stateless"):
        shape = s.feed("shape", vector(attrs["S"][1], SIZES[:2]))
        twice(s, s.node("", s.op, shape, parameters, **SEEDS, **encoded(attrs)))
        return
    dtype = attrs["shape_dtype" if s.op.endswith("V3") else "T"][1]
    shape = s.feed("shape", vector(dtype, SIZES))
    stream = keys(s) if s.op.endswith("V3") else [seed(s, attrs)]
    s.step([s.node("", s.op, shape, *stream, parameters, **encoded(attrs))])


def hits(s, attrs):
    return [s.feed("counts", of(attrs["T"][1], [4], [10, 100, 1000, 7])),
            s.feed("probs", of(attrs["T"][1], [2, 1], [1, 0] if attrs["T"][1].startswith("int")
                               else [0.25, 0.875]))]


def binomial(s, attrs):
    shape = s.feed("shape", vector(attrs["S"][1], SIZES))
    s.step([s.node("", s.op, shape, seed(s, attrs), *hits(s, attrs), **encoded(attrs))])


# ---- Generators


def generator(s, attrs):
    """Numbers, then others, then the state; the counter's lower half is nearly full."""
    start(s, v := initialised(s, "v", "int64", vector("int64", [-700, 6, 7]), False))
    alg = scalar("int32" if s.op == "RngReadAndSkip" else "int64", 1)
    inputs = [v[0], s.feed("alg", alg)]
    if s.op.startswith("Rng"):
        inputs.append(s.feed("delta", scalar("uint64" if "Read" in s.op else "int64", 5)))
    else:
        inputs.append(s.feed("shape", vector(attrs["shape_dtype"][1], SIZES)))
    if s.op == "StatefulUniformInt":
        inputs += [s.feed(f"bound{i}", scalar(attrs["dtype"][1], bound))
                   for i, bound in enumerate((3, 100))]
    node = s.node("", s.op, *inputs, **encoded(attrs))
    feeds = [name for name in s.values if name != f"{s.name}_v_first"]
    for _ in range(2):
        s.step(*([], [node]) if s.op == "RngSkip" else ([node], []), feeds)
    s.step([s.node("y", "ReadVariableOp", v[0], dtype=type_attr("int64"))], feeds=[])


BUILDERS = {
    **dict.fromkeys(["RandomShuffle", "StatelessShuffle"], shuffle),
    "NonDeterministicInts": unseeded, "RandomIndexShuffle": index_shuffle,
    **dict.fromkeys(["UniformCandidateSampler", "LogUniformCandidateSampler"], candidates),
    **dict.fromkeys(["Multinomial", "StatelessMultinomial"], multinomial),
    **dict.fromkeys(["RandomGamma", "StatelessRandomGammaV2", "StatelessRandomGammaV3"], gamma),
    **dict.fromkeys(["RandomPoissonV2", "StatelessRandomPoisson"], poisson),
    "StatelessRandomBinomial": binomial, "StatelessParameterizedTruncatedNormal": bounded,
    "ParameterizedTruncatedNormal": bounded_of_stream,
    **dict.fromkeys(["RngReadAndSkip", "RngSkip", "StatefulStandardNormalV2", "StatefulUniform",
                     "StatefulTruncatedNormal", "StatefulUniformInt", "StatefulUniformFullInt"],
                    generator),
}
