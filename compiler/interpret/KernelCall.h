// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op with a kernel, ready to run it.
#pragma once

#include "dialects/interfaces/KernelOps.h"
#include "runtime/kernels/environment.h"

#include <memory>
#include <string>
#include <vector>

namespace sluice::interpret {

// The name of the op's node, as in messages.
std::string nodeName(mlir::Operation *op);

class KernelCall {
public:
  static rt::Result<std::unique_ptr<KernelCall>> make(mlir::Operation *op,
                                                      const ResolveSymbol &resolve);

  // Inputs and outputs are without control tokens. Fails when a result does not keep what its type
  // promises.
  rt::Result<std::vector<rt::Tensor>> run(const std::vector<const rt::Tensor *> &inputs,
                                          rt::Environment &environment) const;

private:
  KernelCall(mlir::Operation *op, const rt::Kernel *kernel, const ResolveSymbol &resolve);
  rt::Status checkPromises(const std::vector<rt::Tensor> &outputs) const;

  mlir::Operation *op_;
  const rt::Kernel *kernel_;
  KernelAttrs attributes_;
  llvm::SmallVector<rt::DType> outputTypes_;
};

} // namespace sluice::interpret
