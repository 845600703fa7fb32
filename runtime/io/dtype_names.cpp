// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of element types: one table, a column for each format.
#include "runtime/io/dtype_names.h"

namespace sluice::rt {

namespace {
struct Names {
  std::string_view tensorflow, safetensors, numpy;
};
constexpr Names kNames[] = {
    {"float16", "F16", "<f2"}, {"bfloat16", "BF16", ""},    {"float32", "F32", "<f4"},
    {"float64", "F64", "<f8"}, {"int8", "I8", "|i1"},       {"int16", "I16", "<i2"},
    {"int32", "I32", "<i4"},   {"int64", "I64", "<i8"},     {"uint8", "U8", "|u1"},
    {"uint16", "U16", "<u2"},  {"uint32", "U32", "<u4"},    {"uint64", "U64", "<u8"},
    {"bool", "BOOL", "|b1"},   {"complex64", "C64", "<c8"}, {"complex128", "C128", "<c16"},
    {"string", "", ""},        {"resource", "", ""},        {"invalid", "", ""},
};
static_assert(sizeof(kNames) / sizeof(kNames[0]) == kNumDTypes + 1);

std::optional<DType> find(std::string_view name, std::string_view Names::*column) {
  if (!name.empty())
    for (int i = 0; i <= static_cast<int>(DType::kString); ++i)
      if (kNames[i].*column == name)
        return static_cast<DType>(i);
  return std::nullopt;
}
} // namespace

std::string_view tensorflowName(DType dtype) { return kNames[static_cast<int>(dtype)].tensorflow; }
std::string_view safetensorsName(DType dtype) {
  return kNames[static_cast<int>(dtype)].safetensors;
}
std::string_view numpyName(DType dtype) { return kNames[static_cast<int>(dtype)].numpy; }

std::optional<DType> dtypeFromTensorflowName(std::string_view name) {
  return find(name, &Names::tensorflow);
}
std::optional<DType> dtypeFromSafetensorsName(std::string_view name) {
  return find(name, &Names::safetensors);
}
std::optional<DType> dtypeFromNumpyName(std::string_view name) {
  // Byte order means nothing for single bytes.
  if (name == "<i1" || name == ">i1")
    return DType::kI8;
  if (name == "<u1" || name == ">u1")
    return DType::kU8;
  return find(name, &Names::numpy);
}

std::optional<DType> dtypeFromAnyName(std::string_view name) {
  std::optional<DType> dtype = dtypeFromName(name);
  if (!dtype)
    dtype = dtypeFromTensorflowName(name);
  if (dtype && *dtype >= DType::kHandle)
    return std::nullopt;
  return dtype;
}

} // namespace sluice::rt
