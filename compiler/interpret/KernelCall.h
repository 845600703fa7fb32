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

  // Inputs and outputs are without control tokens. Outputs come later if the kernel parks the
  // firing.
  rt::Result<std::vector<rt::Tensor>> run(const std::vector<const rt::Tensor *> &inputs,
                                          rt::Environment &environment) const;
  // Fails when an output does not keep what its type promises.
  rt::Status check(const std::vector<rt::Tensor> &outputs) const;

private:
  KernelCall(mlir::Operation *op, const rt::Kernel *kernel, const ResolveSymbol &resolve);

  mlir::Operation *op_;
  const rt::Kernel *kernel_;
  KernelAttrs attributes_;
  llvm::SmallVector<rt::DType> outputTypes_;
};

} // namespace sluice::interpret
