// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes, lines, tensors and patterns in strings: what TensorFlow makes of them.
#include "test/runtime/io/records/compressed.h"
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

#include <cmath>

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;
using namespace std::string_literals;

Tensor texts(const Texts &values) {
  return tensor<std::string>({static_cast<int64_t>(values.size())}, values);
}

// ---- decode_raw

KernelResult raw(const Tensor &input, DType dtype, bool isLittleEndian = true) {
  return callKernel(sluice_kernel_nd_decode_raw_any, {input}, {dtype}, {intAttr(isLittleEndian)});
}

TEST(DecodeRaw, ElementsOfBytes) {
  KernelResult bytes = raw(texts({"ab", "cd"}), DType::kU8);
  EXPECT_EQ(bytes->shape(), (Shape{2, 2}));
  EXPECT_EQ(valuesOf<uint8_t>(*bytes), (std::vector<uint8_t>{97, 98, 99, 100}));
  Tensor number = Tensor::string("\x01\x02\x03\x04\x05\x06\x07\x08");
  EXPECT_EQ(valuesOf<int32_t>(*raw(number, DType::kI32)),
            (std::vector<int32_t>{0x04030201, 0x08070605}));
  EXPECT_EQ(valuesOf<int32_t>(*raw(number, DType::kI32, false)),
            (std::vector<int32_t>{0x01020304, 0x05060708}));
  // Both halves of a complex number on their own.
  KernelResult complex = raw(number, DType::kC64, false);
  EXPECT_EQ(std::memcmp(complex->raw(), "\x04\x03\x02\x01\x08\x07\x06\x05", 8), 0);
  EXPECT_EQ(valuesOf<bool>(*raw(Tensor::string("\0\1\2"s), DType::kBool, false)),
            (std::vector<bool>{false, true, true}));
  EXPECT_EQ(valuesOf<int64_t>(*raw(number, DType::kI64, false)),
            std::vector<int64_t>{0x0102030405060708});
  EXPECT_EQ(valuesOf<uint8_t>(*raw(Tensor::string("\1\2"), DType::kU8, false)),
            (std::vector<uint8_t>{1, 2}));
  KernelResult wide =
      raw(Tensor::string("\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20"), DType::kC128, false);
  EXPECT_EQ(wide->shape(), Shape({1}));
  EXPECT_EQ(std::memcmp(wide->raw(), "\10\7\6\5\4\3\2\1\20\17\16\15\14\13\12\11", 16), 0);
  EXPECT_EQ(raw(tensor<std::string>({2, 1}, {"abcd", "efgh"}), DType::kI16)->shape(),
            (Shape{2, 1, 2}));
  EXPECT_EQ(raw(texts({}), DType::kI16)->shape(), (Shape{0, 0}));
  EXPECT_EQ(raw(texts({"", ""}), DType::kI16)->shape(), (Shape{2, 0}));
  EXPECT_EQ(valuesOf<float>(*raw(Tensor::string("\1\0\0\0\0\0\x80?"s), DType::kF32)),
            (std::vector<float>{0, 1})); // no denormals come in
}

TEST(DecodeRaw, Faults) {
  EXPECT_EQ(errorOf(raw(texts({"ab", "c"}), DType::kU8)),
            "DecodeRaw requires input strings to all be the same size, but element 1 has size 2 "
            "!= 1");
  EXPECT_EQ(errorOf(raw(texts({"abc"}), DType::kI16)),
            "Input to DecodeRaw has length 3 that is not a multiple of 2, the size of i16");
  EXPECT_EQ(errorOf(raw(texts({"abcdefgh"}), DType::kC128)),
            "Input to DecodeRaw has length 8 that is not a multiple of 16, the size of c128");
  EXPECT_EQ(errorOf(raw(texts({"a", "b", "cd"}), DType::kU8)),
            "DecodeRaw requires input strings to all be the same size, but element 2 has size 1 "
            "!= 2");
}

TEST(DecodeRaw, Padded) {
  auto padded = [](const Tensor &input, int32_t length, DType dtype, bool isLittle = true) {
    return callKernel(sluice_kernel_nd_decode_padded_raw_any, {input, Tensor::scalar(length)},
                      {dtype}, {intAttr(isLittle)});
  };
  KernelResult numbers = padded(texts({"ab", "c", "defgh"}), 4, DType::kI16);
  EXPECT_EQ(numbers->shape(), (Shape{3, 2}));
  EXPECT_EQ(valuesOf<int16_t>(*numbers), (std::vector<int16_t>{25185, 0, 99, 0, 25956, 26470}));
  EXPECT_EQ(valuesOf<int16_t>(*padded(texts({"abc"}), 4, DType::kI16, false)),
            (std::vector<int16_t>{24930, 25344}));
  EXPECT_EQ(padded(texts({}), 4, DType::kI16)->shape(), (Shape{0, 2}));
  EXPECT_EQ(errorOf(padded(texts({"ab"}), 3, DType::kI16)),
            "fixed_length (3) must be a multiple of the size of out_type (2)");
  EXPECT_EQ(valuesOf<bool>(*padded(texts({"\2", "\0\3xy"s}), 3, DType::kBool)),
            (std::vector<bool>{true, false, false, false, true, true}));
  EXPECT_EQ(valuesOf<uint8_t>(*padded(texts({"", "abc"}), 3, DType::kU8)),
            (std::vector<uint8_t>{0, 0, 0, 97, 98, 99}));
  // Zeros behind a text that is short, also in memory that held others.
  padded(texts({std::string(64, 'x')}), 64, DType::kU8);
  EXPECT_EQ(valuesOf<uint8_t>(*padded(texts({""}), 64, DType::kU8)), std::vector<uint8_t>(64, 0));
  EXPECT_EQ(errorOf(padded(texts({"ab"}), -2, DType::kI16)),
            "fixed_length (-2) must be greater than zero.");
  EXPECT_EQ(errorOf(padded(texts({"ab"}), 0, DType::kU8)),
            "fixed_length (0) must be greater than zero.");
}

TEST(DecodeRaw, Shapes) {
  constexpr int64_t kUnknown = Shape::kUnknown;
  EXPECT_EQ(inferShape(sluice_kernel_nd_decode_raw_any, {{2, kUnknown}}, {intAttr(1)}), "[2,?,?]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_decode_raw_any, {kAnyShape}, {intAttr(1)}), "<unknown>");
  EXPECT_EQ(inferShape(sluice_kernel_nd_decode_padded_raw_any, {{2}, {}}, {intAttr(1)}), "[2,?]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_decode_padded_raw_any, {{2}, {1}}, {intAttr(1)}),
            "fixed_length must be scalar, got shape [1]");
}

TEST(Decompress, BothFormats) {
  auto inflated = [](const Texts &values, const char *format) {
    return callKernel(sluice_kernel_nd_decompress_any, {texts(values)}, {textAttr(format)});
  };
  EXPECT_EQ(valuesOf<std::string>(*inflated({compressed("a", false), ""}, "zlib")),
            (Texts{"a", ""}));
  EXPECT_EQ(valuesOf<std::string>(*inflated({compressed("a", true)}, "gzip")), Texts{"a"});
  EXPECT_EQ(inflated({"abc"}, "gzip").status.code(), Code::kDataLoss);
  EXPECT_EQ(inflated({compressed("a", true)}, "zlib").status.code(), Code::kDataLoss);
  EXPECT_EQ(inferShape(sluice_kernel_nd_decompress_any, {{2, 3}}), "[2,3]");
}

// ---- decode_csv

Attr longsAttr(std::span<const int64_t> values) {
  Attr attr;
  attr.kind = Attr::Kind::kInts;
  attr.ints = values;
  return attr;
}

KernelResult csv(const Tensor &records, const std::vector<Tensor> &defaults,
                 std::span<const int64_t> columns = {}, const char *missing = "",
                 const char *delimiter = ",", bool quotes = true) {
  std::vector<Tensor> inputs = {records};
  std::vector<DType> types;
  for (const Tensor &fallback : defaults) {
    inputs.push_back(fallback);
    types.push_back(fallback.dtype());
  }
  return callKernel(sluice_kernel_nd_decode_csv_any, inputs, types,
                    {longsAttr(columns), textAttr(delimiter), textAttr(missing), intAttr(quotes)});
}
const Tensor kNoInt = *Tensor::allocate(DType::kI32, Shape({0}));
const Tensor kNoLong = *Tensor::allocate(DType::kI64, Shape({0}));

TEST(DecodeCsv, ColumnsOfFields) {
  KernelResult fields =
      csv(texts({"1,a,2.5", "-2,b,"}), {kNoInt, texts({}), tensor<float>({1}, {7.5f})});
  ASSERT_TRUE(fields.ok()) << fields.status.toString();
  EXPECT_EQ(valuesOf<int32_t>(fields.outputs[0]), (std::vector<int32_t>{1, -2}));
  EXPECT_EQ(valuesOf<std::string>(fields.outputs[1]), (Texts{"a", "b"}));
  EXPECT_EQ(valuesOf<float>(fields.outputs[2]), (std::vector<float>{2.5f, 7.5f}));
  fields = csv(tensor<std::string>({1, 1}, {"x,4,5"}), {Tensor::scalar(int64_t{3})},
               std::array<int64_t, 1>{1});
  EXPECT_EQ(fields->shape(), (Shape{1, 1}));
  EXPECT_EQ(valuesOf<int64_t>(*fields), std::vector<int64_t>{4});
  fields = csv(texts({"NA,NA", ","}), {Tensor::scalar(5), Tensor::string("d")}, {}, "NA");
  EXPECT_EQ(valuesOf<int32_t>(fields.outputs[0]), (std::vector<int32_t>{5, 5}));
  EXPECT_EQ(valuesOf<std::string>(fields.outputs[1]), (Texts{"d", "d"}));
  // "NA" is one text of those that are there, and so is a quoted one.
  fields = csv(texts({"NAN", "\"NA\"", "\"\""}), {texts({"d"})}, {}, "NA");
  EXPECT_EQ(valuesOf<std::string>(*fields), (Texts{"NAN", "d", "d"}));
  fields = csv(texts({"1;\"2", ";,"}), {Tensor::scalar(5.5), texts({"d"})}, {}, "", ";", false);
  EXPECT_EQ(valuesOf<double>(fields.outputs[0]), (std::vector<double>{1, 5.5}));
  EXPECT_EQ(valuesOf<std::string>(fields.outputs[1]), (Texts{"\"2", ","}));
  fields = csv(texts({}), {kNoInt, texts({})});
  EXPECT_EQ(fields.outputs[1].shape(), Shape({0}));
  EXPECT_EQ(valuesOf<float>(*csv(texts({"1e-40"}), {tensor<float>({1}, {1})})),
            std::vector<float>{0});
}

TEST(DecodeCsv, Faults) {
  EXPECT_EQ(errorOf(csv(texts({"1", "1,2"}), {kNoInt})), "Expect 1 fields but have 2 in record 1");
  EXPECT_EQ(errorOf(csv(texts({""}), {kNoInt})), "Expect 1 fields but have 0 in record 0");
  EXPECT_EQ(errorOf(csv(texts({"1,"}), {kNoInt, kNoInt})),
            "Field 1 is required but missing in record 0!");
  EXPECT_EQ(errorOf(csv(texts({"x"}), {kNoInt})),
            "Field 0 in record 0 is not a valid int32: \"x\"");
  EXPECT_EQ(errorOf(csv(texts({"y"}), {Tensor::scalar(1.0)})),
            "Field 0 in record 0 is not a valid double: \"y\"");
  EXPECT_EQ(errorOf(csv(texts({"1,2", "3,1.5"}), {kNoInt, kNoLong})),
            "Field 1 in record 1 is not a valid int64: \"1.5\"");
  EXPECT_EQ(errorOf(csv(texts({"z"}), {Tensor::scalar(1.f)})),
            "Field 0 in record 0 is not a valid float: \"z\"");
  EXPECT_EQ(errorOf(csv(texts({"1,2", "NA,2"}), {kNoInt, kNoInt}, {}, "NA")),
            "Field 0 is required but missing in record 1!");
  EXPECT_EQ(errorOf(csv(texts({"1,2"}), {kNoInt, tensor<int32_t>({3}, {1, 2, 3})})),
            "There should only be 1 default per field but field 1 has 3");
  EXPECT_EQ(errorOf(csv(texts({"a\"b"}), {texts({})})),
            "Unquoted fields cannot have quotes/CRLFs inside");
  EXPECT_EQ(errorOf(csv(texts({"1"}), {tensor<int32_t>({2}, {1, 2})})),
            "There should only be 1 default per field but field 0 has 2");
  EXPECT_EQ(errorOf(csv(texts({"1"}), {tensor<int32_t>({1, 1}, {1})})),
            "Each record default should be at most rank 1");
}

// ---- Tensors and patterns

TEST(SerializedTensors, ThereAndBack) {
  Tensor value = ramp<float>({2, 3});
  KernelResult text = callKernel(sluice_kernel_nd_serialize_tensor_any, {value}, {DType::kString});
  EXPECT_EQ(text->shape(), Shape());
  KernelResult again = callKernel(sluice_kernel_nd_parse_tensor_any, {*text}, {DType::kF32});
  EXPECT_EQ(again->shape(), value.shape());
  EXPECT_EQ(valuesOf<float>(*again), valuesOf<float>(value));
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_parse_tensor_any, {texts({""})}, {DType::kF32})),
            "Expected `serialized` to be a scalar, got shape: [1]");
  Tensor tiny = Tensor::string("\x08\x01\"\x04\x01\0\0\0"s);
  EXPECT_EQ(valuesOf<float>(*callKernel(sluice_kernel_nd_parse_tensor_any, {tiny}, {DType::kF32})),
            std::vector<float>{0});
  EXPECT_EQ(inferShape(sluice_kernel_nd_parse_tensor_any, {{}}), "<unknown>");
  EXPECT_EQ(inferShape(sluice_kernel_nd_serialize_tensor_any, {{2, 3}}), "[]");
}

TEST(SerializedRows, ThereAndBack) {
  Tensor value = ramp<float>({4, 2});
  auto serialized = [&](std::vector<int64_t> starts, std::vector<int64_t> ends, bool single) {
    return callKernel(sluice_kernel_nd_serialize_rows_any,
                      {value, tensor<int64_t>({static_cast<int64_t>(starts.size())}, starts),
                       tensor<int64_t>({static_cast<int64_t>(ends.size())}, ends)},
                      {DType::kString}, {intAttr(single)});
  };
  auto parsed = [](const Tensor &strings) {
    return callKernel(sluice_kernel_nd_parse_rows_any, {strings}, {DType::kF32, DType::kI64});
  };
  KernelResult some = serialized({2, 1, 0}, {4, 1, 1}, false);
  EXPECT_EQ(some->shape(), Shape({3}));
  auto again = parsed(*some);
  EXPECT_EQ(again.outputs[0].shape(), Shape({3, 2}));
  EXPECT_EQ(valuesOf<float>(again.outputs[0]), (std::vector<float>{4, 5, 6, 7, 0, 1}));
  EXPECT_EQ(valuesOf<int64_t>(again.outputs[1]), (std::vector<int64_t>{2, 0, 1}));
  // A row alone has no first dim.
  again = parsed(*serialized({3, 0}, {4, 1}, true));
  EXPECT_EQ(valuesOf<float>(again.outputs[0]), (std::vector<float>{6, 7, 0, 1}));
  EXPECT_EQ(valuesOf<int64_t>(again.outputs[1]), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(parsed(*serialized({}, {}, false))->shape(), Shape({0}));
  EXPECT_EQ(errorOf(serialized({0}, {5}, false)), "rows 0 to 5 are not among 4");
  EXPECT_EQ(errorOf(serialized({0}, {2}, true)), "rows 0 to 2 are not among 4");
  EXPECT_EQ(errorOf(serialized({0}, {}, false)),
            "expected as many ends as starts but got shapes [0] and [1]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_serialize_rows_any, {{4, 2}, {3}, {-1}}), "[3]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_serialize_rows_any, {{}, {3}, {3}}),
            "expected rows but got a scalar");
  EXPECT_EQ(inferShape(sluice_kernel_nd_parse_rows_any, {{2, 2}}),
            "expected a vector as strings but got shape [2,2]");
}

TEST(SerializedTensors, Faults) {
  auto parsed = [](const char *text) {
    return callKernel(sluice_kernel_nd_parse_tensor_any, {Tensor::string(text)}, {DType::kF32});
  };
  EXPECT_EQ(errorOf(parsed("\x07")), "Could not parse `serialized` as TensorProto");
  EXPECT_EQ(errorOf(parsed("")), "Cannot parse tensor from proto: it has no element type");
  EXPECT_EQ(inferShape(sluice_kernel_nd_parse_tensor_any, {{2}}),
            "Expected `serialized` to be a scalar, got shape: [2]");
}

TEST(Patterns, OfStrings) {
  KernelResult matches =
      callKernel(sluice_kernel_nd_match_pattern_any,
                 {texts({"s3://a", "x"}), Tensor::string("^s3://.*")}, {DType::kBool});
  EXPECT_EQ(valuesOf<bool>(*matches), (std::vector<bool>{true, false}));
  auto replaced = [](const Tensor &pattern, const Tensor &rewrite, bool every) {
    return callKernel(sluice_kernel_nd_replace_pattern_any,
                      {texts({"abab", "x"}), pattern, rewrite}, {intAttr(every)});
  };
  Tensor b = Tensor::string("b"), y = Tensor::string("y");
  EXPECT_EQ(valuesOf<std::string>(*replaced(b, y, true)), (Texts{"ayay", "x"}));
  EXPECT_EQ(valuesOf<std::string>(*replaced(b, y, false)), (Texts{"ayab", "x"}));
  EXPECT_EQ(errorOf(replaced(texts({"b"}), y, true)), "Pattern must be scalar, but received [1]");
  EXPECT_EQ(errorOf(replaced(b, texts({"y"}), true)), "Rewrite must be scalar, but received [1]");
  EXPECT_EQ(errorOf(replaced(Tensor::string("("), y, true)),
            "Invalid pattern: (, error: missing ): (");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_match_pattern_any, {b, Tensor::string("[")},
                               {DType::kBool})),
            "Invalid pattern: [, error: missing ]: [");
  EXPECT_EQ(inferShape(sluice_kernel_nd_match_pattern_any, {{2, 3}, {}}), "[2,3]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_replace_pattern_any, {{2, 3}, {}, kAnyShape}, {intAttr(1)}),
            "[2,3]");
}

} // namespace
} // namespace sluice::rt
