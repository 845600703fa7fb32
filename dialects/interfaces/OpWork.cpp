// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are asked with tensors that have a shape and no elements.
#include "dialects/interfaces/OpWork.h"

#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice {

static rt::Shape withSizes(const rt::Shape &shape, std::optional<int64_t> size) {
  if (!size || shape.rank() < 0)
    return shape;
  rt::Shape known{};
  for (int64_t dim : shape.dims())
    known.append(dim < 0 ? *size : dim);
  return known;
}

static std::optional<std::vector<rt::Tensor>> shapesOf(TypeRange types,
                                                       std::optional<int64_t> size) {
  alignas(16) static constexpr char kElements[rt::Tensor::kInlineBytes] = {};
  std::vector<rt::Tensor> tensors;
  for (Type type : types) {
    rt::Shape shape = withSizes(shapeOf(type), size);
    std::optional<rt::DType> dtype = dtypeOf(type);
    if (!dtype || !rt::isPlain(*dtype) || !shape.isComplete() || !shape.checkedElements().ok())
      return std::nullopt;
    rt::Result<rt::Tensor> view = rt::Tensor::view(*dtype, shape, kElements);
    if (!view.ok())
      return std::nullopt;
    tensors.push_back(std::move(*view));
  }
  return tensors;
}

static std::optional<uint64_t> workOf(Operation *op, std::optional<int64_t> size) {
  auto inputs = shapesOf(op->getOperandTypes(), size),
       outputs = shapesOf(op->getResultTypes(), size);
  const rt::KernelEntry *kernel = kernelOf(op);
  if (!inputs || !outputs || !kernel)
    return std::nullopt;
  uint64_t elements = 0;
  for (const rt::Tensor &output : *outputs)
    elements += static_cast<uint64_t>(output.elements());
  if (!kernel->kernel->work)
    return elements;
  SmallVector<const rt::Tensor *> pointers;
  for (const rt::Tensor &input : *inputs)
    pointers.push_back(&input);
  KernelAttrs attrs(op, [](StringRef) { return 0; }); // no resources without effects
  SmallVector<rt::DType> types = kernelOutputTypes(op);
  return kernel->kernel->work(rt::KernelCall(pointers, *outputs, attrs.view(), types, nullptr));
}

std::optional<uint64_t> workOf(Operation *op) { return workOf(op, std::nullopt); }
std::optional<uint64_t> workOfUnknown(Operation *op, int64_t size) { return workOf(op, size); }

} // namespace sluice
