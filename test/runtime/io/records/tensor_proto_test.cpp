// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as messages: the bytes that TensorFlow writes, and what it makes of others.
#include "runtime/io/records/tensor_proto.h"
#include "test/runtime/io/records/example_by_hand.h"
#include "test/runtime/kernels/kernel_caller.h"

namespace sluice::rt {
namespace {

using by_hand::field;
using namespace std::string_literals;

std::string number(uint32_t field, uint64_t value) {
  MessageWriter writer;
  writer.numberAlways(field, value);
  return writer.take();
}
std::string shape(std::initializer_list<int64_t> dims) {
  std::string all;
  for (int64_t dim : dims)
    all += field(2, number(1, static_cast<uint64_t>(dim)));
  return field(2, all);
}
std::string type(int value) { return number(1, static_cast<uint64_t>(value)); }

template <typename T> std::vector<T> parsed(const std::string &message) {
  Result<Tensor> tensor = parseTensorProto(message, DTypeOf<T>::value);
  EXPECT_TRUE(tensor.ok()) << tensor.status().toString();
  return tensor.ok() ? valuesOf<T>(*tensor) : std::vector<T>();
}
std::string faultOf(const std::string &message, DType dtype = DType::kF32) {
  Result<Tensor> tensor = parseTensorProto(message, dtype);
  EXPECT_FALSE(tensor.ok());
  EXPECT_EQ(tensor.status().code(), Code::kInvalidArgument);
  return tensor.status().message();
}

TEST(TensorProto, Written) {
  EXPECT_EQ(tensorProtoOf(tensor<float>({2}, {1.5f, 2})),
            "\x08\x01\x12\x04\x12\x02\x08\x02\"\x08\0\0\xc0?\0\0\0@"s);
  EXPECT_EQ(tensorProtoOf(Tensor::scalar(3)), "\x08\x03\x12\0\"\x04\x03\0\0\0"s);
  EXPECT_EQ(tensorProtoOf(tensor<std::string>({3}, {"a", "bc", ""})),
            "\x08\x07\x12\x04\x12\x02\x08\x03\x42\x01\x61\x42\x02\x62\x63\x42\0"s);
  EXPECT_EQ(tensorProtoOf(tensor<std::string>({2}, {"a", "bc"}), StringsAre::kPacked),
            "\x08\x07\x12\x04\x12\x02\x08\x02\"\x05\x01\x02"
            "abc"s);
  Tensor texts = tensor<std::string>({2}, {std::string(300, 'x'), ""});
  EXPECT_EQ(valuesOf<std::string>(
                *parseTensorProto(tensorProtoOf(texts, StringsAre::kPacked), DType::kString)),
            valuesOf<std::string>(texts));
  EXPECT_EQ(tensorProtoOf(tensor<bool>({2}, {true, false})),
            "\x08\x0a\x12\x04\x12\x02\x08\x02\"\x02\x01\0"s);
  EXPECT_EQ(tensorProtoOf(*Tensor::allocate(DType::kF32, Shape({0, 2}))),
            "\x08\x01\x12\x06\x12\0\x12\x02\x08\x02"s);
  EXPECT_EQ(tensorProtoOf(Tensor::string("x")), "\x08\x07\x12\0\x42\x01x"s);
}

TEST(TensorProto, ReadAgain) {
  for (const Tensor &value :
       {ramp<float>({2, 3}), ramp<uint8_t>({3}), ramp<int64_t>({}), ramp<double>({0, 4})}) {
    Result<Tensor> again = parseTensorProto(tensorProtoOf(value), value.dtype());
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->shape(), value.shape());
    EXPECT_EQ(std::memcmp(again->raw(), value.raw(), value.bytes()), 0);
  }
  EXPECT_EQ(parsed<std::string>(tensorProtoOf(tensor<std::string>({2}, {"", "x"}))),
            (std::vector<std::string>{"", "x"}));
}

TEST(TensorProto, FewerElements) {
  std::string floats = field(5, "\0\0\x80?\0\0\0@"s);
  EXPECT_EQ(parsed<float>(type(1) + shape({3}) + floats), (std::vector<float>{1, 2, 2}));
  EXPECT_EQ(parsed<float>(type(1) + shape({1}) + floats), std::vector<float>{1});
  // Zeros, also in memory that held others.
  EXPECT_EQ(parsed<float>(type(1) + shape({64}) + floats).back(), 2);
  EXPECT_EQ(parsed<float>(type(1) + shape({64})), std::vector<float>(64, 0));
  EXPECT_EQ(parsed<float>(type(1) + "\x2d\0\0\x80?"s), std::vector<float>{1});
  EXPECT_EQ(parsed<float>(type(1) + shape({0}) + floats), std::vector<float>{});
  EXPECT_EQ(parsed<float>(type(1) + field(2, number(3, 1)) + floats), std::vector<float>{1});
  EXPECT_EQ(parsed<std::string>(type(7) + shape({1}) + field(8, "a") + field(8, "b")),
            std::vector<std::string>{"a"});
  EXPECT_EQ(parsed<std::string>(type(7) + shape({2})), (std::vector<std::string>{"", ""}));
  // Dims may have names, and the last one of two sizes counts.
  std::string dim = field(2, field(2, "name") + number(1, 9) + number(1, 2));
  EXPECT_EQ(parseTensorProto(type(1) + field(2, dim + field(2, "")), DType::kF32)->shape(),
            (Shape{2, 0}));
  EXPECT_EQ(parsed<std::string>(type(7) + shape({3}) + field(8, "a") + field(8, "b")),
            (std::vector<std::string>{"a", "b", "b"}));
}

TEST(TensorProto, Numbers) {
  EXPECT_EQ(
      parsed<int8_t>(type(6) + shape({2}) + number(7, static_cast<uint64_t>(-3)) + number(7, 300)),
      (std::vector<int8_t>{-3, 44}));
  EXPECT_EQ(parsed<int32_t>(type(3) + shape({2}) + field(7, "\x05\x06")),
            (std::vector<int32_t>{5, 6}));
  EXPECT_EQ(parsed<int64_t>(type(9) + number(10, 7)), std::vector<int64_t>{7});
  EXPECT_EQ(parsed<uint32_t>(type(22) + number(16, 7)), std::vector<uint32_t>{7});
  EXPECT_EQ(parsed<uint64_t>(type(23) + number(17, 7)), std::vector<uint64_t>{7});
  EXPECT_EQ(parsed<bool>(type(10) + shape({2}) + number(11, 256)), (std::vector<bool>{true, true}));
  Result<Tensor> half = parseTensorProto(type(19) + number(13, 0x3c00), DType::kF16);
  EXPECT_EQ(half->data<Half>()->bits, 0x3c00);
  half = parseTensorProto(type(14) + number(13, 0x3f80), DType::kBF16);
  EXPECT_EQ(half->data<BFloat16>()->bits, 0x3f80);
  EXPECT_EQ(
      parsed<std::complex<float>>(type(8) + shape({2}) + field(9, "\0\0\x80?\0\0\0@\0\0\x40@"s)),
      (std::vector<std::complex<float>>{{1, 2}, {1, 2}}));
  EXPECT_EQ(parsed<double>(type(2) + "\x31\0\0\0\0\0\0\xf0?"s), std::vector<double>{1});
  const std::string one = "\0\0\0\0\0\0\xf0?"s, two = "\0\0\0\0\0\0\0@"s;
  EXPECT_EQ(parsed<double>(type(2) + shape({3}) + field(6, one + two)),
            (std::vector<double>{1, 2, 2}));
  EXPECT_EQ(parsed<std::complex<double>>(type(18) + shape({2}) + field(12, one + two)),
            (std::vector<std::complex<double>>{{1, 2}, {1, 2}}));
  EXPECT_EQ(parsed<uint8_t>(type(4) + shape({2}) + number(7, 255) + number(7, 257)),
            (std::vector<uint8_t>{255, 1}));
  EXPECT_EQ(parsed<int16_t>(type(5) + number(7, static_cast<uint64_t>(-300))),
            std::vector<int16_t>{-300});
  EXPECT_EQ(parsed<uint16_t>(type(17) + number(7, 65535)), std::vector<uint16_t>{65535});
  // Packed and one by one, also of more than a byte each, and -1 of ten.
  EXPECT_EQ(parsed<int64_t>(type(9) + shape({4}) + number(10, 300) + field(10, "\xac\x02\x05"s) +
                            number(10, UINT64_MAX)),
            (std::vector<int64_t>{300, 300, 5, -1}));
  EXPECT_EQ(parsed<bool>(type(10) + shape({3}) + field(11, "\x01\0\x80\x02"s)),
            (std::vector<bool>{true, false, true}));
}

TEST(TensorProto, Content) {
  EXPECT_EQ(parsed<float>(type(1) + shape({1}) + field(4, "\0\0\x80?"s) + field(5, "\0\0\0@"s)),
            std::vector<float>{1});
  EXPECT_EQ(parsed<bool>(type(10) + shape({2}) + field(4, "\x02\0"s)),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(parsed<std::string>(type(7) + shape({2}) + field(4, "\x01\x02\x61\x62\x62")),
            (std::vector<std::string>{"a", "bb"}));
  constexpr const char *kStrings = "Cannot parse tensor from proto: its strings are damaged";
  for (const char *content :
       {"\x01\x05\x61\x62\x62", "\x01\x03\x61\x62\x62", "\x01", "\x01\x01\x61\x62\x63", "\x01\x80"})
    EXPECT_EQ(faultOf(type(7) + shape({2}) + field(4, content), DType::kString), kStrings);
  EXPECT_EQ(faultOf(type(1) + shape({2}) + field(4, "abc")),
            "Cannot parse tensor from proto: expected 8 bytes of elements but got 3");
  EXPECT_EQ(faultOf(type(1) + shape({2}) + field(4, "abcdefghijkl")),
            "Cannot parse tensor from proto: expected 8 bytes of elements but got 12");
}

TEST(TensorProto, WhatIsNone) {
  constexpr const char *kNoMessage = "Could not parse `serialized` as TensorProto";
  EXPECT_EQ(faultOf(""), "Cannot parse tensor from proto: it has no element type");
  EXPECT_EQ(faultOf("\x07\x07"), kNoMessage);
  EXPECT_EQ(faultOf(type(1) + field(2, "\xff")), kNoMessage);
  EXPECT_EQ(faultOf(type(1) + field(2, field(2, "\xff"))), kNoMessage);
  EXPECT_EQ(faultOf(type(1) + field(5, "abc")), kNoMessage);
  EXPECT_EQ(faultOf(type(2) + field(6, "123456789012"), DType::kF64), kNoMessage);
  EXPECT_EQ(faultOf(type(18) + field(12, "123456789012"), DType::kC128), kNoMessage);
  EXPECT_EQ(faultOf(type(1) + "\x28\1"s), kNoMessage); // a varint where a float belongs
  EXPECT_EQ(faultOf(type(3) + field(7, "\x80"), DType::kI32), kNoMessage);
  EXPECT_EQ(faultOf(type(3) + "\x3d\0\0\0\0"s, DType::kI32), kNoMessage);
  EXPECT_EQ(faultOf(type(1), DType::kI32),
            "Type mismatch between parsed tensor (type number 1) and dtype (i32)");
  EXPECT_TRUE(faultOf(type(11), DType::kI8).starts_with("Type mismatch"));
  EXPECT_TRUE(faultOf(type(1) + shape({-1})).starts_with("Cannot parse tensor from proto"));
  EXPECT_TRUE(faultOf(type(1) + shape({int64_t{1} << 40, int64_t{1} << 40}))
                  .starts_with("Cannot parse tensor from proto"));
  std::string many;
  for (int i = 0; i < Shape::kMaxRank; ++i)
    many += field(2, number(1, 1));
  EXPECT_EQ(parseTensorProto(type(1) + field(2, many), DType::kF32)->shape().rank(),
            Shape::kMaxRank);
  many += field(2, number(1, 1));
  EXPECT_EQ(faultOf(type(1) + field(2, many)),
            "Cannot parse tensor from proto: expected at most 254 dims");
}

} // namespace
} // namespace sluice::rt
