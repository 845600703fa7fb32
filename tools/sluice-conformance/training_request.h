// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A training step, as the compiler is asked for one.
#pragma once

#include <string>
#include <vector>

namespace sluice::conformance {

struct TrainingRequest {
  std::string loss;
  std::string optimizer; // "sgd(lr=0.1)"
  std::string clipNorm;  // a number; empty: derivatives are taken as they are
  std::vector<std::string> variables;
  bool operator==(const TrainingRequest &) const = default;

  std::vector<std::string> flags() const;
};

} // namespace sluice::conformance
