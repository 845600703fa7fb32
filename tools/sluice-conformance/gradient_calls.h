// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded calls of TensorFlow's gradient function, and the same as requests to the compiler.
#pragma once

#include "tools/sluice-conformance/tensor.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::conformance {

// The derivative of the sum of all elements of the ys with respect to each of the xs.
struct GradientRequest {
  struct Y {
    std::string tensor;
    std::string seed; // what its elements are weighted by; empty: ones
    bool operator==(const Y &) const = default;
  };
  std::vector<Y> ys;
  std::vector<std::string> xs;    // each once
  std::vector<std::string> stops; // taken for constants
  bool operator==(const GradientRequest &) const = default;

  // The value of the compiler's flag.
  std::string text() const;
  // All tensors that it names.
  std::vector<std::string> tensors() const;
};

// What the compiler calls the derivative with respect to x of the request with this number.
std::string gradientFetch(size_t request, llvm::StringRef x);

struct GradientCall {
  GradientRequest request;
  std::vector<std::optional<Tensor>> values; // for each of the xs; absent: not compared
  std::string scope;                         // of the nodes that TensorFlow added; empty: not known
};

// Whether the node is the scope's, or below it.
bool isInScope(llvm::StringRef node, llvm::StringRef scope);
// Whether the node is in a scope as TensorFlow names them: at the top, and with this beginning.
bool isInGradientScope(llvm::StringRef node);

// From `gradient_calls` of a run.
llvm::Expected<std::vector<GradientCall>> readGradientCalls(const llvm::json::Array &recorded);

} // namespace sluice::conformance
