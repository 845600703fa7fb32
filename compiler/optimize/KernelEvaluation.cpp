// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels called from passes.
#include "compiler/optimize/KernelEvaluation.h"

#include "dialects/nd/Nd.h"
#include "runtime/base/denormal_mode.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sluice::optimize {

// No op that passes evaluate reads a resource.
static int64_t noResource(StringRef) { return 0; }

rt::Result<std::vector<rt::Tensor>> evaluate(Operation *op, const TensorPointers &inputs) {
  const rt::KernelEntry *entry = kernelOf(op);
  if (!entry || entry->kernel->flags & rt::Kernel::kStateful)
    return rt::unimplemented("no kernel that only computes");
  SmallVector<rt::DType> types = kernelOutputTypes(op);
  if (llvm::is_contained(types, rt::DType::kHandle))
    return rt::unimplemented("a list is no constant");
  std::vector<rt::Tensor> outputs(types.size());
  KernelAttrs attrs(op, noResource);
  rt::FlushDenormals flush; // as when a program runs, else bits would differ
  SLUICE_RETURN_IF_ERROR(rt::runKernel(*entry->kernel, inputs, outputs, attrs.view(),
                                       {types.data(), types.size()}, nullptr));
  return outputs;
}

static std::optional<rt::Tensor> integers(rt::DType dtype, const rt::Shape &shape,
                                          std::span<const int64_t> values) {
  auto tensor = rt::Tensor::allocate(dtype, shape);
  if (!tensor.ok() || (dtype != rt::DType::kI32 && dtype != rt::DType::kI64))
    return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    if (dtype == rt::DType::kI64)
      tensor->data<int64_t>()[i] = values[i];
    else if (llvm::isInt<32>(values[i]))
      tensor->data<int32_t>()[i] = static_cast<int32_t>(values[i]);
    else
      return std::nullopt; // fails at run time
  }
  return std::move(*tensor);
}

std::optional<rt::Tensor> answerFromShape(Operation *op, const rt::Shape &shape) {
  rt::DType dtype = kernelOutputTypes(op)[0];
  if (isa<nd::RankOp>(op)) {
    int64_t rank = shape.rank();
    return shape.hasRank() ? integers(dtype, {}, {&rank, 1}) : std::nullopt;
  }
  if (!shape.isComplete())
    return std::nullopt;
  if (isa<nd::ShapeOp>(op))
    return integers(dtype, {shape.rank()}, shape.dims());
  if (!isa<nd::SizeOp>(op))
    return std::nullopt;
  auto size = shape.checkedElements();
  return size.ok() ? integers(dtype, {}, {&*size, 1}) : std::nullopt;
}

} // namespace sluice::optimize
