// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of element types in the formats that the runtime reads and writes.
#pragma once

#include "runtime/base/dtype.h"

#include <optional>
#include <string_view>

namespace sluice::rt {

// TensorFlow's: "float32", "int32", "bool", "complex64", "string", "bfloat16".
std::string_view tensorflowName(DType dtype);
std::optional<DType> dtypeFromTensorflowName(std::string_view name);
// safetensors': "F32", "I32", "BOOL"; "C64" and "C128" for complex. Empty: none.
std::string_view safetensorsName(DType dtype);
std::optional<DType> dtypeFromSafetensorsName(std::string_view name);
// numpy's: "<f4", "<i4", "|b1". Empty: none.
std::string_view numpyName(DType dtype);
std::optional<DType> dtypeFromNumpyName(std::string_view name);
// "f32" or "float32".
std::optional<DType> dtypeFromAnyName(std::string_view name);

} // namespace sluice::rt
