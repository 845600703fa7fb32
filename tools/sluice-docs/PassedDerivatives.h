// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether derivatives pass through a TensorFlow op, as the ops say that it is made of.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"
#include "tools/sluice-docs/SampleGraph.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

namespace sluice::docs {

enum class Passing {
  kYes,
  kNo,
  kRefused,     // to ask for one is an error
  kAsFunctions, // the functions that it calls say
  kAsLoop,      // the loop says that it is of
  kUnknown,     // no sample of it could be made
};

class PassedDerivatives {
public:
  PassedDerivatives();
  Passing through(const import::OpExpansion &op);

private:
  // Of one sample: nothing if it is no good graph.
  std::optional<bool> passes(const import::OpSignature &op, const SampleChoice &choice);

  mlir::MLIRContext context_;
  import::OpTable table_;
  std::map<Opaque, std::vector<std::string>> makers_, takers_; // of handles and lists
};

} // namespace sluice::docs
