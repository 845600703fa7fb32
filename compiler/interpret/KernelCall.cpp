// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running the kernel of one op.
#include "compiler/interpret/KernelCall.h"

#include "dialects/interfaces/NodeName.h"

using namespace mlir;

namespace sluice::interpret {

std::string nodeName(Operation *op) {
  StringRef name = nodeNameOf(op->getLoc());
  return (name.empty() ? op->getName().getStringRef() : name).str();
}

KernelCall::KernelCall(Operation *op, const rt::Kernel *kernel, const ResolveSymbol &resolve)
    : op_(op), kernel_(kernel), attributes_(op, resolve), outputTypes_(kernelOutputTypes(op)) {}

rt::Result<std::unique_ptr<KernelCall>> KernelCall::make(Operation *op,
                                                         const ResolveSymbol &resolve) {
  const rt::KernelEntry *entry = kernelOf(op);
  if (!entry)
    return rt::unimplemented(op->getName().getStringRef().str() +
                             " has no kernel for these element types")
        .atNode(nodeName(op));
  return std::unique_ptr<KernelCall>(new KernelCall(op, entry->kernel, resolve));
}

rt::Result<std::vector<rt::Tensor>> KernelCall::run(const std::vector<const rt::Tensor *> &inputs,
                                                    rt::Environment &environment) const {
  std::vector<rt::Tensor> outputs(outputTypes_.size());
  bool isStateful = kernel_->flags & rt::Kernel::kStateful;
  rt::Status status = rt::runKernel(*kernel_, inputs, outputs, attributes_.view(),
                                    {outputTypes_.data(), outputTypes_.size()},
                                    isStateful ? &environment : nullptr);
  if (!status.ok())
    return std::move(status).atNode(nodeName(op_));
  return outputs;
}

// Result types are promises of shape inference, which later phases rely on.
rt::Status KernelCall::check(const std::vector<rt::Tensor> &outputs) const {
  for (auto [value, output] : llvm::zip_equal(kernelOutputs(op_), outputs)) {
    rt::Shape promised = shapeOf(value.getType());
    if (output.dtype() == dtypeOf(value.getType()) && promised.compatibleWith(output.shape()))
      continue;
    return rt::internalError(
               "expected a result of shape " + promised.toString() + " and type " +
               std::string(rt::dtypeName(dtypeOf(value.getType()).value_or(rt::DType::kInvalid))) +
               ", as the compiler inferred, but got " + output.shape().toString() + " and " +
               std::string(rt::dtypeName(output.dtype())))
        .atNode(nodeName(op_));
  }
  return rt::okStatus();
}

} // namespace sluice::interpret
