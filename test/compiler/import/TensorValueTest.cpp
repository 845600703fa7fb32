// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of constants: filling up, element types, and what is refused.
#include "compiler/import/TensorValue.h"
#include "compiler/import/GrownBytes.h"

#include "test/compiler/import/ImportTest.h"

#include <cstring>

namespace sluice::import {
namespace {

using namespace graphdef;

TensorProto tensor(DataType type, std::vector<int64_t> dims) {
  TensorProto proto;
  proto.set_dtype(type);
  for (int64_t dim : dims)
    proto.mutable_tensor_shape()->add_dim()->set_size(dim);
  return proto;
}

template <typename T> std::vector<T> elements(const TensorValue &value) {
  std::vector<T> result(value.bytes.size() / sizeof(T));
  std::memcpy(result.data(), value.bytes.data(), value.bytes.size());
  return result;
}

TEST(TensorValue, TheLastValueFillsTheRest) {
  TensorProto proto = tensor(DT_FLOAT, {2, 2});
  proto.add_float_val(1);
  proto.add_float_val(2);
  TensorValue value = decodeTensor(proto);
  EXPECT_FALSE(value.isSplat);
  EXPECT_EQ(elements<float>(value), (std::vector<float>{1, 2, 2, 2}));
}

TEST(TensorValue, OneValueIsASplat) {
  TensorProto proto = tensor(DT_INT64, {1000, 1000});
  proto.add_int64_val(7);
  TensorValue value = decodeTensor(proto);
  EXPECT_TRUE(value.isSplat);
  EXPECT_EQ(elements<int64_t>(value), std::vector<int64_t>{7});
}

TEST(TensorValue, NoValueIsZero) {
  EXPECT_EQ(elements<int32_t>(decodeTensor(tensor(DT_INT32, {}))), std::vector<int32_t>{0});
  EXPECT_EQ(decodeTensor(tensor(DT_STRING, {2})).strings, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(decodeTensor(tensor(DT_FLOAT, {0, 3})).bytes, "");
}

TEST(TensorValue, MoreValuesThanElementsAreRefused) {
  TensorProto proto = tensor(DT_FLOAT, {});
  proto.add_float_val(1);
  EXPECT_EQ(problemOfTensor(proto), "");
  proto.add_float_val(2);
  EXPECT_EQ(problemOfTensor(proto), "expected at most 1 values in 'float_val' but got 2");
}

// As TensorFlow writes an empty tensor of strings.
TEST(TensorValue, AnEmptyTensorMayHaveOneValue) {
  TensorProto strings = tensor(DT_STRING, {0});
  strings.add_string_val("");
  EXPECT_EQ(problemOfTensor(strings), "");
  EXPECT_TRUE(decodeTensor(strings).strings.empty());
  strings.add_string_val("");
  EXPECT_EQ(problemOfTensor(strings), "expected at most 1 values in 'string_val' but got 2");
  TensorProto pairs = tensor(DT_COMPLEX64, {0});
  pairs.add_scomplex_val(1);
  pairs.add_scomplex_val(2);
  EXPECT_EQ(problemOfTensor(pairs), "");
  EXPECT_EQ(decodeTensor(pairs).bytes, "");
}

TEST(TensorValue, SmallIntegersTakeTheLowBits) {
  TensorProto proto = tensor(DT_INT8, {2});
  proto.add_int_val(-1);
  proto.add_int_val(258);
  EXPECT_EQ(elements<int8_t>(decodeTensor(proto)), (std::vector<int8_t>{-1, 2}));
  TensorProto half = tensor(DT_BFLOAT16, {});
  half.add_half_val(0x3f80);
  EXPECT_EQ(elements<uint16_t>(decodeTensor(half)), std::vector<uint16_t>{0x3f80});
}

TEST(TensorValue, ComplexNumbersRepeatPairs) {
  TensorProto proto = tensor(DT_COMPLEX64, {3});
  for (float x : {1, 2, 3, 4})
    proto.add_scomplex_val(x);
  EXPECT_EQ(elements<float>(decodeTensor(proto)), (std::vector<float>{1, 2, 3, 4, 3, 4}));
  TensorProto wide = tensor(DT_COMPLEX128, {2});
  for (double x : {1, 2, 3, 4})
    wide.add_dcomplex_val(x);
  EXPECT_EQ(problemOfTensor(wide), "");
  EXPECT_EQ(elements<double>(decodeTensor(wide)), (std::vector<double>{1, 2, 3, 4}));
  wide.add_dcomplex_val(5);
  EXPECT_EQ(problemOfTensor(wide), "expected pairs in 'dcomplex_val' but got 5 numbers");
  proto.add_scomplex_val(5);
  EXPECT_NE(problemOfTensor(proto).find("expected pairs"), std::string::npos);
}

TEST(TensorValue, ContentHoldsRawElements) {
  TensorProto proto = tensor(DT_INT32, {2});
  int32_t raw[] = {5, -6};
  proto.set_tensor_content(raw, sizeof raw);
  EXPECT_EQ(elements<int32_t>(decodeTensor(proto)), (std::vector<int32_t>{5, -6}));
}

TEST(TensorValue, ContentOfStringsHasLengthsFirst) {
  TensorProto proto = tensor(DT_STRING, {3});
  proto.set_tensor_content(std::string("\x02\x00\x01"
                                       "abc",
                                       6));
  ASSERT_EQ(problemOfTensor(proto), "");
  EXPECT_EQ(decodeTensor(proto).strings, (std::vector<std::string>{"ab", "", "c"}));
  TensorProto longer = tensor(DT_STRING, {2});
  std::string first(300, 'a');
  longer.set_tensor_content("\xac\x02\x01" + first + "b");
  ASSERT_EQ(problemOfTensor(longer), "");
  EXPECT_EQ(decodeTensor(longer).strings, (std::vector<std::string>{first, "b"}));
  for (const char *bad : {"\x02",
                          "\x02\x01\x01"
                          "abc",
                          "\x80\x80",
                          "\xff\xff\xff\xff\x0f"
                          "aa"}) {
    proto.set_tensor_content(bad);
    EXPECT_NE(problemOfTensor(proto), "") << bad;
  }
}

TEST(TensorValue, RepeatedValuesGrow) {
  TensorProto floats = tensor(DT_FLOAT, {5});
  EXPECT_EQ(grownBytes(floats), 0u);
  floats.add_float_val(1);
  EXPECT_EQ(grownBytes(floats), 0u); // a splat
  floats.add_float_val(2);
  EXPECT_EQ(grownBytes(floats), 3u * 4);
  TensorProto pairs = tensor(DT_COMPLEX64, {5});
  for (float x : {1, 2, 3, 4})
    pairs.add_scomplex_val(x);
  EXPECT_EQ(grownBytes(pairs), 3u * 8);
  TensorProto wide = tensor(DT_COMPLEX128, {5});
  for (double x : {1, 2, 3, 4})
    wide.add_dcomplex_val(x);
  EXPECT_EQ(grownBytes(wide), 3u * 16);
  TensorProto strings = tensor(DT_STRING, {3});
  EXPECT_EQ(grownBytes(strings), 3u * 32);
  strings.add_string_val("a");
  EXPECT_EQ(grownBytes(strings), 2u * 32);
  strings = tensor(DT_STRING, {3});
  strings.set_tensor_content(std::string(3, '\0'));
  EXPECT_EQ(grownBytes(strings), 0u);
}

TEST(TensorValue, BadTensorsAreRefused) {
  auto problem = [](TensorProto proto, auto change) {
    change(proto);
    return problemOfTensor(proto);
  };
  auto expect = [](const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(problem(tensor(DT_INVALID, {}), [](auto &) {}), "type 0");
  expect(problem(tensor(static_cast<DataType>(999), {}), [](auto &) {}), "type 999");
  expect(problem(tensor(DT_FLOAT_REF, {}), [](auto &) {}), "reference to float");
  expect(problem(tensor(DT_FLOAT, {-2}), [](auto &) {}), "at least -1 but got -2");
  expect(problem(tensor(DT_FLOAT, {INT64_MIN}), [](auto &) {}), "but got -9223372036854775808");
  expect(problem(tensor(DT_FLOAT, {-1}), [](auto &) {}), "some are unknown");
  expect(problem(tensor(DT_FLOAT, {-1, 2}), [](auto &) {}), "some are unknown");
  expect(problem(tensor(DT_FLOAT, {int64_t(1) << 32, int64_t(1) << 32}), [](auto &) {}),
         "overflows");
  expect(problem(tensor(DT_FLOAT, {1'000'000'000'000}), [](auto &p) { p.add_float_val(1); }),
         "at most 2147483648 bytes in a constant but got 1000000000000 elements");
  expect(problem(tensor(DT_FLOAT, std::vector<int64_t>(255, 1)), [](auto &) {}),
         "at most 254 dims");
  expect(problem(tensor(DT_FLOAT, {1}),
                 [](auto &p) { p.mutable_tensor_shape()->set_unknown_rank(true); }),
         "unknown rank has 1 dims");
  expect(problem(tensor(DT_FLOAT, {2}), [](auto &p) { p.set_tensor_content("1234567"); }),
         "expected 8 bytes");
  expect(problem(tensor(DT_HALF, {1}), [](auto &p) { p.set_tensor_content("123"); }),
         "expected 2 bytes");
  expect(problem(tensor(DT_BOOL, {1}), [](auto &p) { p.set_tensor_content("\x02"); }),
         "0 or 1 as bool but got 2");
  expect(problem(tensor(DT_FLOAT, {1}), [](auto &p) { p.add_int_val(1); }),
         "in 'float_val' but got 'int_val'");
  expect(problem(tensor(DT_FLOAT, {1}),
                 [](auto &p) {
                   p.add_float_val(1);
                   p.set_tensor_content("1234");
                 }),
         "has both 'tensor_content' and 'float_val'");
}

} // namespace
} // namespace sluice::import
