// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The obvious way to run a kernel once.
#include "runtime/kernels/kernel.h"

#include <vector>

namespace sluice::rt {

Status runKernel(const Kernel &kernel, std::span<const Tensor *const> inputs,
                 std::span<Tensor> outputs, Attrs attrs, std::span<const DType> outputTypes,
                 Environment *environment) {
  if (!(kernel.flags & Kernel::kAllocates)) {
    std::vector<const Shape *> shapes;
    for (const Tensor *input : inputs)
      shapes.push_back(&input->shape());
    std::vector<Shape> results(outputs.size(), Shape::unknownRank());
    ShapeCall shapeCall(shapes, inputs, attrs, results, outputTypes);
    SLUICE_RETURN_IF_ERROR(kernel.shape(shapeCall));
    for (size_t i = 0; i < outputs.size(); ++i) {
      SLUICE_ASSIGN_OR_RETURN(outputs[i], Tensor::allocate(outputTypes[i], results[i]));
    }
  }
  KernelCall call(inputs, outputs, attrs, outputTypes, environment);
  return kernel.run(call);
}

} // namespace sluice::rt
