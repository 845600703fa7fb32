// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor as fixtures and responses write it: {dtype, shape, b64} or {dtype: "string", shape,
// data}.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::conformance {

struct Tensor {
  std::string dtype; // TensorFlow's name: "float32"
  std::vector<int64_t> shape;
  std::string bytes;                // little-endian elements; empty for strings
  std::vector<std::string> strings; // elements of dtype "string"

  int64_t elementCount() const;
};

// Bytes an element takes in the `b64` form; 0 for strings and unknown names.
unsigned elementSize(llvm::StringRef dtype);

// Checks that the data is as long as the shape says.
llvm::Expected<Tensor> parseTensor(const llvm::json::Value &value);

// The number, if it is a scalar of float32 or float64.
std::optional<double> scalarOf(const Tensor &tensor);

// Adds up the rows of a sparse gradient: row i of `values` goes to row indices[i] of the result.
llvm::Expected<Tensor> densify(const Tensor &values, const Tensor &indices,
                               const Tensor &denseShape);

// Dtype, shape and all data in one string, the same for equal bits only.
std::string canonicalBits(const Tensor &tensor);

} // namespace sluice::conformance
