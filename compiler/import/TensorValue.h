// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of constants: what TensorProto says, element by element.
#pragma once

#include "compiler/import/DataTypes.h"
#include "compiler/import/Limits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::import {

// A decoded tensor. Numbers are raw little-endian elements in row-major order; one element stands
// for all when `isSplat`.
struct TensorValue {
  DataType type = graphdef::DT_INVALID;
  std::vector<int64_t> shape;
  int64_t elements = 0;
  bool isSplat = false;
  std::string bytes;
  std::vector<std::string> strings; // instead of `bytes` for DT_STRING
};

// What is wrong with the tensor; empty when nothing is. Does not allocate by its element count.
std::string problemOfTensor(const graphdef::TensorProto &tensor, const Limits &limits = {});

// Decodes a tensor that has no problem and whose type can be computed with.
TensorValue decodeTensor(const graphdef::TensorProto &tensor);

} // namespace sluice::import
