// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features of examples as tensors, and what TensorFlow says of examples that lack them.
#include "test/runtime/io/records/example_by_hand.h"
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

using namespace by_hand;
using Texts = std::vector<std::string>;
using Longs = std::vector<int64_t>;

constexpr DType kF32 = DType::kF32, kI64 = DType::kI64, kI32 = DType::kI32,
                kString = DType::kString;

Tensor texts(const Texts &values) {
  return tensor<std::string>({static_cast<int64_t>(values.size())}, values);
}
Tensor none(DType dtype) { return *Tensor::allocate(dtype, Shape({0})); }

struct Features {
  Texts sparse = {}, dense = {}, ragged = {};
  std::vector<DType> types; // of the results
  Longs shapes = {};
  std::vector<Tensor> defaults = {};
  Texts names = {};
  int64_t rank = -1;
};

KernelResult parse(const Tensor &serialized, const Features &features) {
  std::vector<Tensor> inputs = {serialized, texts(features.names), texts(features.sparse),
                                texts(features.dense), texts(features.ragged)};
  inputs.insert(inputs.end(), features.defaults.begin(), features.defaults.end());
  Attr shapes;
  shapes.kind = Attr::Kind::kInts;
  shapes.ints = features.shapes;
  int64_t sparse = 0;
  for (DType type : features.types)
    sparse += type == DType::kBool; // marks the indices of a sparse feature
  std::vector<DType> types = features.types;
  std::ranges::replace(types, DType::kBool, kI64);
  return callKernel(sluice_kernel_nd_parse_example_any, inputs, types,
                    {shapes, intAttr(features.rank), intAttr(sparse)});
}
constexpr DType kIndices = DType::kBool;

const std::string kA = example({entry("a", floatList({1, 2})), entry("i", int64List({5})),
                                entry("s", bytesList({"x", "yy"}))});
const std::string kB = example({entry("a", floatList({3, 4})), entry("s", bytesList({}))});
const std::string kNothing;

TEST(ParseExample, Dense) {
  Features a{.dense = {"a"}, .types = {kF32}, .shapes = {1, 2}, .defaults = {none(kF32)}};
  KernelResult got = parse(texts({kA, kB}), a);
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(got->shape(), (Shape{2, 2}));
  EXPECT_EQ(valuesOf<float>(*got), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(parse(Tensor::string(kA), a)->shape(), Shape({2}));
  EXPECT_EQ(parse(texts({}), a)->shape(), (Shape{0, 2}));
  a.defaults = {tensor<float>({2}, {7, 8})};
  std::string empty = example({entry("a", "")});
  EXPECT_EQ(valuesOf<float>(*parse(texts({kA, kNothing, empty}), a)),
            (std::vector<float>{1, 2, 7, 8, 7, 8}));
  Features s{.dense = {"s"}, .types = {kString}, .shapes = {2, 1, 2}, .defaults = {none(kString)}};
  EXPECT_EQ(parse(texts({kA}), s)->shape(), (Shape{1, 1, 2}));
  EXPECT_EQ(valuesOf<std::string>(*parse(texts({kA}), s)), (Texts{"x", "yy"}));
  // No denormals come in.
  Features tiny{.dense = {"t"}, .types = {kF32}, .shapes = {0}, .defaults = {none(kF32)}};
  EXPECT_EQ(valuesOf<float>(*parse(texts({example({entry("t", floatList({1e-40f}))})}), tiny)),
            std::vector<float>{0});
}

TEST(ParseExample, DenseFaults) {
  Features a{.dense = {"a"}, .types = {kF32}, .shapes = {1, 2}, .defaults = {none(kF32)}};
  EXPECT_EQ(errorOf(parse(texts({kA, kNothing}), a)),
            "Name: <unknown>, Feature: a (data type: float) is required but could not be found.");
  a.names = {"n1", "n2"};
  EXPECT_EQ(errorOf(parse(texts({kA, kNothing}), a)),
            "Name: n2, Feature: a (data type: float) is required but could not be found.");
  a.names = {};
  a.shapes = {1, 3};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "Name: <unknown>, Key: a, Index: 0.  Number of float values != expected.  Values size: "
            "2 but output shape: [3]");
  std::string noValues = example({entry("a", floatList({}))});
  EXPECT_FALSE(parse(texts({noValues}), a).ok());
  a.defaults = {tensor<float>({1}, {7})};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "def_value[0].shape() == [1] is not compatible with dense_shapes_[0] == [3]");
  Features i{.dense = {"a"}, .types = {kI64}, .shapes = {1, 2}, .defaults = {none(kI64)}};
  EXPECT_EQ(errorOf(parse(texts({kB, kA}), i)),
            "Name: <unknown>, Key: a, Index: 0.  Data types don't match. Data type: float but "
            "expected type: int64");
}

TEST(ParseExample, DenseOfDifferentLengths) {
  Features a{
      .dense = {"a"}, .types = {kF32}, .shapes = {1, -1}, .defaults = {Tensor::scalar(-1.f)}};
  std::string one = example({entry("a", floatList({9}))});
  KernelResult got = parse(texts({kA, one, kNothing}), a);
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(got->shape(), (Shape{3, 2}));
  EXPECT_EQ(valuesOf<float>(*got), (std::vector<float>{1, 2, 9, -1, -1, -1}));
  a.shapes = {2, -1, 2};
  EXPECT_EQ(parse(texts({kA, kNothing}), a)->shape(), (Shape{2, 1, 2}));
  EXPECT_EQ(parse(texts({}), a)->shape(), (Shape{0, 0, 2}));
  EXPECT_EQ(parse(Tensor::string(kNothing), a)->shape(), (Shape{0, 2}));
  EXPECT_EQ(errorOf(parse(texts({kA, one}), a)),
            "Name: <unknown>, Key: a, Index: 1.  Number of float values is not a multiple of "
            "stride length. Saw 1 values but output shape is: [?,2]");
  a.shapes = {2, -1, 0};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)), "dense_shapes[0] has no elements: [?,0]");
  a.shapes = {1, -1};
  a.defaults = {tensor<float>({2}, {1, 2})};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "dense_shape[0] is a variable length shape: [?], therefore def_value[0] must contain "
            "a single element (the padding element).  But its shape is: [2]");
  a.defaults = {none(kF32)};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "dense_shape[0] is a variable length shape: [?], therefore def_value[0] must contain "
            "a single element (the padding element).  But its shape is: [0]");
}

TEST(ParseExample, Sparse) {
  Features all{.sparse = {"a", "s"}, .types = {kIndices, kIndices, kF32, kString, kI64, kI64}};
  KernelResult got = parse(texts({kA, kNothing, kB}), all);
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(got.outputs[0].shape(), (Shape{4, 2}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[0]), (Longs{0, 0, 0, 1, 2, 0, 2, 1}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[1]), (Longs{0, 0, 0, 1}));
  EXPECT_EQ(valuesOf<float>(got.outputs[2]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<std::string>(got.outputs[3]), (Texts{"x", "yy"}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[4]), (Longs{3, 2}));
  got = parse(Tensor::string(kA), all);
  EXPECT_EQ(got.outputs[0].shape(), (Shape{2, 1}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[0]), (Longs{0, 1}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[5]), Longs{2});
  got = parse(texts({}), all);
  EXPECT_EQ(got.outputs[0].shape(), (Shape{0, 2}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[4]), (Longs{0, 0}));
  all.types[2] = kI64;
  EXPECT_FALSE(parse(texts({kA}), all).ok());
}

TEST(ParseExample, Ragged) {
  Features all{.ragged = {"a", "s"}, .types = {kF32, kString, kI32, kI64}};
  KernelResult got = parse(texts({kA, kNothing, kB}), all);
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(valuesOf<float>(got.outputs[0]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<std::string>(got.outputs[1]), (Texts{"x", "yy"}));
  EXPECT_EQ(valuesOf<int32_t>(got.outputs[2]), (std::vector<int32_t>{0, 2, 2, 4}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[3]), (Longs{0, 2, 2, 2}));
  EXPECT_EQ(parse(Tensor::string(kA), all).outputs[3].shape(), Shape({0}));
  EXPECT_EQ(valuesOf<int64_t>(parse(texts({}), all).outputs[3]), Longs{0});
}

// Of each kind two, one key in all of them, and of each type.
TEST(ParseExample, AllKindsAtOnce) {
  std::string one = example({entry("a", floatList({1, 2})), entry("i", int64List({5, 6, 7})),
                             entry("s", bytesList({"x"})), entry("other", int64List({1}))});
  std::string two = example({entry("s", bytesList({"y", "z"})), entry("a", floatList({3, 4}))});
  Features all{
      .sparse = {"i", "a"},
      .dense = {"a", "s"},
      .ragged = {"i", "a"},
      .types = {kIndices, kIndices, kI64, kF32, kI64, kI64, kF32, kString, kI64, kF32, kI32, kI64},
      .shapes = {2, 2, 1, 1, -1},
      .defaults = {none(kF32), Tensor::string("pad")}};
  KernelResult got = parse(texts({one, two}), all);
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[0]), (Longs{0, 0, 0, 1, 0, 2}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[1]), (Longs{0, 0, 0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[2]), (Longs{5, 6, 7}));
  EXPECT_EQ(valuesOf<float>(got.outputs[3]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[4]), (Longs{2, 3}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[5]), (Longs{2, 2}));
  EXPECT_EQ(got.outputs[6].shape(), (Shape{2, 2, 1}));
  EXPECT_EQ(valuesOf<float>(got.outputs[6]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(got.outputs[7].shape(), (Shape{2, 2}));
  EXPECT_EQ(valuesOf<std::string>(got.outputs[7]), (Texts{"x", "pad", "y", "z"}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[8]), (Longs{5, 6, 7}));
  EXPECT_EQ(valuesOf<float>(got.outputs[9]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<int32_t>(got.outputs[10]), (std::vector<int32_t>{0, 3, 3}));
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[11]), (Longs{0, 2, 4}));
}

TEST(ParseExample, DefaultsOfOtherTypes) {
  Features fixed{.dense = {"i", "s"},
                 .types = {kI64, kString},
                 .shapes = {1, 2, 1, 1},
                 .defaults = {tensor<int64_t>({2}, {7, 8}), texts({"d"})}};
  std::string one = example({entry("i", int64List({1, 2})), entry("s", bytesList({"x"}))});
  KernelResult got = parse(texts({kNothing, one, kNothing}), fixed);
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(valuesOf<int64_t>(got.outputs[0]), (Longs{7, 8, 1, 2, 7, 8}));
  EXPECT_EQ(valuesOf<std::string>(got.outputs[1]), (Texts{"d", "x", "d"}));
  Features padded{.dense = {"i"},
                  .types = {kI64},
                  .shapes = {2, -1, 2},
                  .defaults = {Tensor::scalar(int64_t{-1})}};
  std::string four = example({entry("i", int64List({3, 4, 5, 6}))});
  got = parse(texts({one, four, kNothing}), padded);
  EXPECT_EQ(got->shape(), (Shape{3, 2, 2}));
  EXPECT_EQ(valuesOf<int64_t>(*got), (Longs{1, 2, -1, -1, 3, 4, 5, 6, -1, -1, -1, -1}));
  fixed.defaults = {none(kI64), none(kString)};
  EXPECT_EQ(errorOf(parse(texts({kNothing}), fixed)),
            "Name: <unknown>, Feature: i (data type: int64) is required but could not be found.");
  EXPECT_EQ(errorOf(parse(texts({example({entry("i", int64List({1, 2}))})}), fixed)),
            "Name: <unknown>, Feature: s (data type: string) is required but could not be found.");
  EXPECT_EQ(errorOf(parse(texts({four}), fixed)),
            "Name: <unknown>, Key: i, Index: 0.  Number of int64 values != expected.  Values size: "
            "4 but output shape: [2]");
  EXPECT_EQ(errorOf(parse(texts({example({entry("s", int64List({1}))})}), fixed)),
            "Name: <unknown>, Key: s, Index: 0.  Data types don't match. Data type: int64 but "
            "expected type: string");
}

TEST(ParseExample, LastOfTwoCounts) {
  std::string twice = example({entry("a", floatList({1, 2})), entry("a", floatList({3, 4}))}) +
                      example({entry("b", int64List({1}))});
  Features a{.dense = {"a"}, .types = {kF32}, .shapes = {1, 2}, .defaults = {none(kF32)}};
  EXPECT_EQ(valuesOf<float>(*parse(texts({twice, kA}), a)), (std::vector<float>{3, 4, 1, 2}));
  // One without list is as if it were not there.
  std::string second = example({entry("a", floatList({1, 2})), entry("a", "")});
  EXPECT_EQ(valuesOf<float>(*parse(texts({second}), a)), (std::vector<float>{1, 2}));
  Features sparse{.sparse = {"a"}, .types = {kIndices, kF32, kI64}};
  EXPECT_EQ(valuesOf<float>(parse(texts({twice}), sparse).outputs[1]), (std::vector<float>{3, 4}));
}

TEST(ParseExample, OtherFaults) {
  Features a{.ragged = {"a"}, .types = {kF32, kI64}};
  EXPECT_EQ(errorOf(parse(texts({kA.substr(0, kA.size() - 2)}), a)),
            "Could not parse example input");
  EXPECT_EQ(errorOf(parse(tensor<std::string>({1, 1}, {kA}), a)),
            "Expected serialized to be a scalar or vector, got shape: [1,1]");
  a.rank = 0;
  EXPECT_EQ(errorOf(parse(texts({kA}), a)), "Expected serialized to be a scalar, got shape: [1]");
  a.rank = 1;
  EXPECT_EQ(errorOf(parse(Tensor::string(kA), a)),
            "Expected serialized to be a vector, got shape: []");
  a.names = {"x", "y"};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "Expected names have the same shape as serialized: name.shape=[2], "
            "serialized.shape=[1]");
  a.names = {};
  a.ragged = {"a", "b"};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "Expected len(ragged_keys) == len(ragged_types) but got: [2] vs. 1");
  a.ragged = {"a"};
  a.dense = {"d"};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "Expected len(dense_keys) == len(dense_types) but got: [1] vs. 0");
  a.dense = {};
  a.sparse = {"d", "e"};
  EXPECT_EQ(errorOf(parse(texts({kA}), a)),
            "Expected len(sparse_keys) == len(sparse_types) but got: [2] vs. 0");
  a.sparse = {};
  Attr noShapes;
  noShapes.kind = Attr::Kind::kInts;
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_parse_example_any,
                               {texts({kA}), texts({}), texts({}), texts({}), Tensor::string("a")},
                               {kF32, kI64}, {noShapes, intAttr(-1), intAttr(0)})),
            "Expected len(ragged_keys) == len(ragged_types) but got: [] vs. 1");
  std::string damaged = example({entry("a", field(2, field(1, "abc")))});
  a.ragged = {"a"};
  EXPECT_EQ(errorOf(parse(texts({damaged}), a)),
            "Name: <unknown>, Key: a, Index: 0.  Can't parse serialized Example.");
  std::string unknown = example({entry("a", field(4, "x"))});
  EXPECT_EQ(errorOf(parse(texts({unknown}), a)),
            "Name: <unknown>, Key: a, Index: 0.  Unsupported datatype.");
}

TEST(ParseExample, Shapes) {
  Features f;
  Longs dims = {1, 2, 2, -1, 3};
  Attr shapes;
  shapes.kind = Attr::Kind::kInts;
  shapes.ints = dims;
  auto all = [&](const Shape &serialized, int64_t rank) {
    std::vector<Shape> outputs(7);
    const Shape key{1};
    const Shape *inputs[] = {&serialized, &key, &key, &key, &key, &key, &key};
    const Tensor *values[7] = {};
    const DType types[] = {kI64, kF32, kI64, kF32, kF32, kI64, kI64};
    std::vector<Attr> attrs = {shapes, intAttr(rank), intAttr(1)};
    ShapeCall call(inputs, values, attrs, outputs, types);
    Status status = sluice_kernel_nd_parse_example_any.shape(call);
    std::string text = status.message();
    for (const Shape &shape : outputs)
      text += (text.empty() ? "" : " ") + shape.toString();
    return text;
  };
  EXPECT_EQ(all({3}, -1), "[?,2] [?] [2] [3,2] [3,?,3] [?] [4]");
  EXPECT_EQ(all({}, -1), "[?,1] [?] [1] [2] [?,3] [?] [0]");
  EXPECT_EQ(all(kAnyShape, -1), "[?,?] [?] [?] <unknown> <unknown> [?] [?]");
  EXPECT_EQ(all(kAnyShape, 1), "[?,2] [?] [2] [?,2] [?,?,3] [?] [?]");
  EXPECT_EQ(all(kAnyShape, 0), "[?,1] [?] [1] [2] [?,3] [?] [0]");
}

} // namespace
} // namespace sluice::rt
