# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that begin with texts, categories and sparse features."""

import numpy as np
import tensorflow as tf

from program import Program, counts, drawn, of_model, spec, traced

VOCABULARY = ["the", "film", "was", "good", "bad", "not", "very", "a"]
REVIEWS = [["The film was GOOD, very good!", "Not a good film..."],
           ["", "a  bad\tfilm was the film", "awful?"]]
CITIES = ["Oslo", "Lima", "Pune"]
BUCKETS, WIDTH = 30, 6
layers = tf.keras.layers


def texts(values):
    return np.array([value.encode() for value in values], object)


def vectorized(weights=None):
    """A layer that makes numbers of words, or of how often they are there, and what learns from them."""
    given = tf.keras.Input((), dtype="string", name="text")
    if weights:
        x = layers.TextVectorization(output_mode="tf_idf", vocabulary=VOCABULARY, idf_weights=weights)(given)
    else:
        words = layers.TextVectorization(vocabulary=VOCABULARY, output_sequence_length=7)(given)
        x = layers.Embedding(len(VOCABULARY) + 2, WIDTH)(words)
        x = layers.GlobalAveragePooling1D()(layers.Conv1D(4, 3, activation="relu")(x))
    return of_model(tf.keras.Model(given, layers.Dense(1, activation="sigmoid")(x)),
                    *((texts(review),) for review in REVIEWS), is_constant=False)


class Weights(tf.Module):
    """Variables by name, drawn."""

    def __init__(self, **shapes):
        super().__init__()
        for name, shape in shapes.items():
            setattr(self, name, tf.Variable(drawn(*shape, scale=shape[0] ** -0.5), name=name))


def hashed():
    """No table: words become numbers by their bytes, and a sentence is a row of a sparse tensor."""
    module = Weights(table=(BUCKETS, WIDTH), out=(WIDTH, 3))

    def classify(text):
        clean = tf.strings.regex_replace(tf.strings.lower(tf.strings.strip(text)), "[^a-z0-9' ]+", " ")
        words = tf.strings.split(clean).to_sparse()
        numbers = tf.SparseTensor(words.indices, tf.strings.to_hash_bucket_fast(words.values, BUCKETS),
                                  words.dense_shape)
        x = tf.nn.safe_embedding_lookup_sparse(module.table, numbers, combiner="sqrtn")
        return {"scores": tf.nn.softmax(x @ module.out), "count": tf.strings.length(text)}

    return Program(traced(classify, spec("text", None, dtype=tf.string)),
                   [{"text": texts(review)} for review in REVIEWS], module)


def tagger():
    """Words that a table knows, and a score for each word."""
    module = Weights(table=(len(VOCABULARY) + 1, WIDTH), tags=(WIDTH, 3), after=(3, 3))
    module.words = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(
        VOCABULARY, tf.range(len(VOCABULARY), dtype=tf.int64)), 1)

    def tag(text):
        words = tf.strings.split(tf.strings.lower(text), " ")
        numbers = words.with_values(module.words.lookup(words.flat_values)).to_tensor(-1)
        x = tf.gather(tf.convert_to_tensor(module.table), tf.maximum(numbers, 0))
        scores = tf.tanh(x @ module.tags)
        best = scores[:, 0]
        for i in tf.range(1, tf.shape(scores)[1]):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(best, tf.TensorShape([None, 3]))])
            here = tf.reduce_max(best[:, :, None] + module.after, 1) + scores[:, i]
            best = tf.where(numbers[:, i, None] >= 0, here, best)
        return {"best": tf.reduce_max(best, 1), "words": words.row_lengths()}

    return Program(traced(tag, spec("text", None, dtype=tf.string)),
                   [{"text": texts(["the bad film", "good", "was it very good"])}], module,
                   is_constant=False)


class Crossed(layers.Layer):
    """A category for each pair of categories."""

    def compute_output_spec(self, both):
        return tf.keras.KerasTensor(both[0].shape, "string")

    def call(self, both):
        return tf.strings.join(both, "_X_")


def wide_and_deep():
    """Columns of a table: numbers, buckets of them, categories, and crosses of these."""
    age, income = (tf.keras.Input((1,), name=name) for name in ("age", "income"))
    city, job = (tf.keras.Input((1,), dtype="string", name=name) for name in ("city", "job"))
    ages = layers.Discretization(bin_boundaries=[18.0, 30.0, 65.0])(age)
    cities = layers.StringLookup(vocabulary=CITIES)(city)
    jobs = layers.Hashing(12)(job)
    crossed = layers.Hashing(20)(Crossed()([city, job]))
    wide = layers.Concatenate()([
        layers.CategoryEncoding(size, "one_hot")(column)
        for column, size in ((ages, 4), (cities, 4), (crossed, 20))])
    deep = layers.Concatenate()([
        layers.Normalization(mean=30.0, variance=90.0)(age), layers.Normalization(mean=3.0, variance=2.0)(income),
        layers.Flatten()(layers.Embedding(12, 3)(jobs)), layers.Flatten()(layers.Embedding(4, 2)(cities))])
    deep = layers.Dense(6, activation="relu")(layers.Dense(8, activation="relu")(deep))
    out = layers.Activation("sigmoid")(layers.Add()([layers.Dense(1)(wide), layers.Dense(1)(deep)]))
    model = tf.keras.Model([age, income, city, job], out)
    call = ([[17.5], [30], [70]], drawn(3, 1) + 3, texts(["Lima", "Rome", "Oslo"])[:, None],
            texts(["cook", "clerk", ""])[:, None])
    return of_model(model, call, tuple(column[:1] for column in call), is_constant=False)


def clicks():
    """Sparse features as lists of places and values: lookups, a product, and pairs of factors."""
    module = Weights(linear=(BUCKETS, 1), factors=(BUCKETS, WIDTH), out=(2 * WIDTH, 1))

    def score(row, feature, value, rows):
        places = tf.stack([row, tf.cast(tf.range(tf.shape(row)[0]), tf.int64)], 1)
        size = tf.stack([rows, tf.cast(tf.shape(row)[0], tf.int64)])
        numbers, weights = tf.SparseTensor(places, feature, size), tf.SparseTensor(places, value, size)
        total, squares = (tf.nn.embedding_lookup_sparse(table, numbers, of, combiner="sum") for table, of in (
            (module.factors, weights),
            (module.factors ** 2, tf.SparseTensor(places, value ** 2, size))))
        average = tf.nn.safe_embedding_lookup_sparse(module.factors, numbers, weights, combiner="mean")
        crossed = tf.sparse.reorder(tf.SparseTensor(tf.stack([row, feature], 1), value,
                                                    tf.stack([rows, tf.constant(BUCKETS, tf.int64)])))
        linear = tf.sparse.sparse_dense_matmul(crossed, module.linear)
        deep = tf.concat([total, average], 1) @ module.out
        pairs = 0.5 * tf.reduce_sum(total ** 2 - squares, 1, keepdims=True)
        return {"clicked": tf.sigmoid(linear + pairs + deep), "sum": tf.sparse.reduce_sum(weights, 1)}

    call = {"row": [0, 0, 1, 2, 2, 2], "feature": [3, 9, 0, 29, 4, 5], "value": abs(drawn(6)), "rows": 3}
    return Program(traced(score, *(spec(n, None, dtype=t) for n, t in (
        ("row", tf.int64), ("feature", tf.int64), ("value", tf.float32))), spec("rows", dtype=tf.int64)),
        [call], module)


def towers():
    """Which things of many are nearest to what somebody looked at."""
    module = Weights(users=(20, WIDTH), things=(50, WIDTH), mixed=(2 * WIDTH, WIDTH))

    def nearest(user, seen):
        known = tf.cast(seen >= 0, tf.float32)[:, :, None]
        things = tf.convert_to_tensor(module.things)
        history = tf.reduce_sum(tf.gather(things, tf.maximum(seen, 0)) * known, 1)
        history = tf.math.divide_no_nan(history, tf.reduce_sum(known, 1))
        x = tf.concat([tf.gather(tf.convert_to_tensor(module.users), user), history], 1)
        x = tf.math.l2_normalize(x @ module.mixed, 1)
        scores = tf.matmul(x, tf.math.l2_normalize(things, 1), transpose_b=True)
        best, chosen = tf.math.top_k(scores, 5)
        return {"best": best, "chosen": chosen}

    return Program(traced(nearest, spec("user", None, dtype=tf.int32), spec("seen", None, None, dtype=tf.int32)),
                   [{"user": [3, 0], "seen": [[4, 7, -1], [-1, -1, -1]]}], module)


def examples():
    """Records as they lie in files, taken apart in the graph."""
    module = Weights(table=(BUCKETS, WIDTH), out=(WIDTH + 2, 1))

    def score(records):
        parts = tf.io.parse_example(records, {
            "sizes": tf.io.FixedLenFeature([2], tf.float32, [0.5, 0.25]),
            "tags": tf.io.VarLenFeature(tf.int64)})
        tags = tf.nn.safe_embedding_lookup_sparse(module.table, parts["tags"], combiner="sum")
        return {"score": tf.concat([tags, parts["sizes"]], 1) @ module.out}

    def record(sizes, tags):
        feature = {"tags": tf.train.Feature(int64_list=tf.train.Int64List(value=tags))}
        if sizes:
            feature["sizes"] = tf.train.Feature(float_list=tf.train.FloatList(value=sizes))
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    return Program(traced(score, spec("records", None, dtype=tf.string)), [{"records": np.array(
        [record([1, 2], [3, 4]), record([], []), record([-1, 0.5], [29])], object)}], module)


def forest():
    """Decision trees as tables of nodes, all rows at once."""
    module = Weights(limits=(3, 15), leaves=(3, 16))
    module.features = tf.Variable(counts(5, 3, 15), name="features")

    def vote(x):
        rows = tf.shape(x)[0]
        node = tf.zeros([rows, 3], tf.int32)
        for _ in tf.range(4):
            feature = tf.gather(tf.transpose(module.features), node, axis=0, batch_dims=0)
            feature = tf.linalg.diag_part(feature)
            limit = tf.linalg.diag_part(tf.gather(tf.transpose(module.limits), node))
            node = 2 * node + 1 + tf.cast(tf.gather(x, feature, batch_dims=1) > limit, tf.int32)
        leaf = tf.one_hot(node - 15, 16)
        return {"vote": tf.einsum("rtl,tl->r", leaf, tf.convert_to_tensor(module.leaves))}

    return Program(traced(vote, spec("x", None, 5)), [{"x": drawn(1, 5)}, {"x": drawn(4, 5)}], module)


MODELS = {
    "text classifier with TextVectorization": vectorized,
    "text classifier, hashed words": hashed,
    "wide and deep, with crosses": wide_and_deep,
    "clicks, from sparse features": clicks,
}

VARIANTS = {
    "TextVectorization, weights of words": lambda: vectorized([0.1 * (i + 1) for i in range(8)]),
    "words of texts, and the best row of tags": tagger,
    "nearest things of many": towers,
    "records taken apart": examples,
    "decision trees": forest,
}
