// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the formats call the element types, and which bytes are UTF-8: their standards say it.
#include "runtime/io/dtype_names.h"
#include "runtime/io/utf8.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(DTypeNames, areThoseOfTheFormats) {
  const struct {
    DType dtype;
    const char *tensorflow, *safetensors, *numpy;
  } table[] = {
      {DType::kF16, "float16", "F16", "<f2"},
      {DType::kBF16, "bfloat16", "BF16", ""},
      {DType::kF32, "float32", "F32", "<f4"},
      {DType::kF64, "float64", "F64", "<f8"},
      {DType::kI8, "int8", "I8", "|i1"},
      {DType::kI16, "int16", "I16", "<i2"},
      {DType::kI32, "int32", "I32", "<i4"},
      {DType::kI64, "int64", "I64", "<i8"},
      {DType::kU8, "uint8", "U8", "|u1"},
      {DType::kU16, "uint16", "U16", "<u2"},
      {DType::kU32, "uint32", "U32", "<u4"},
      {DType::kU64, "uint64", "U64", "<u8"},
      {DType::kBool, "bool", "BOOL", "|b1"},
      {DType::kC64, "complex64", "C64", "<c8"},
      {DType::kC128, "complex128", "C128", "<c16"},
      {DType::kString, "string", "", ""},
  };
  for (const auto &row : table) {
    EXPECT_EQ(tensorflowName(row.dtype), row.tensorflow);
    EXPECT_EQ(dtypeFromTensorflowName(row.tensorflow), row.dtype);
    EXPECT_EQ(dtypeFromAnyName(row.tensorflow), row.dtype);
    EXPECT_EQ(dtypeFromAnyName(dtypeName(row.dtype)), row.dtype);
    EXPECT_EQ(safetensorsName(row.dtype), row.safetensors);
    EXPECT_EQ(numpyName(row.dtype), row.numpy);
    if (*row.safetensors)
      EXPECT_EQ(dtypeFromSafetensorsName(row.safetensors), row.dtype);
    if (*row.numpy)
      EXPECT_EQ(dtypeFromNumpyName(row.numpy), row.dtype);
  }
  EXPECT_EQ(tensorflowName(DType::kHandle), "resource");
  for (const char *name : {"", "resource", "handle", "invalid"}) {
    EXPECT_EQ(dtypeFromAnyName(name), std::nullopt) << name;
    EXPECT_EQ(dtypeFromSafetensorsName(name), std::nullopt) << name;
    EXPECT_EQ(dtypeFromNumpyName(name), std::nullopt) << name;
  }
}

TEST(DTypeNames, singleBytesHaveNoOrder) {
  for (char order : {'<', '>', '|'}) {
    EXPECT_EQ(dtypeFromNumpyName(order + std::string("i1")), DType::kI8);
    EXPECT_EQ(dtypeFromNumpyName(order + std::string("u1")), DType::kU8);
  }
}

TEST(Utf8, isWhatTheStandardSays) {
  for (std::string_view valid :
       {"a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(utf8Length(valid), valid.size()) << valid;
    EXPECT_EQ(utf8Length(std::string(valid) + "\xff"), valid.size()) << valid;
    if (valid.size() > 1)
      EXPECT_EQ(utf8Length(valid.substr(0, valid.size() - 1)), 0u) << valid;
    for (size_t i = 1; i < valid.size(); ++i)
      for (char other : {'A', '\xc0'}) {
        std::string broken(valid);
        broken[i] = other;
        EXPECT_EQ(utf8Length(broken), 0u) << valid;
      }
  }
  for (const char *invalid :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff\xbf\xbf\xbf"})
    EXPECT_EQ(utf8Length(invalid), 0u) << invalid;
}

} // namespace
} // namespace sluice::rt
