// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of loops and the values that they count to, for indices of arrays.
#include "compiler/raise/Counters.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::raise {

bool isFullRange(Value indices, array::CreateOp create) {
  Value origin = flow::originOf(indices);
  if (auto range = origin.getDefiningOp<nd::RangeOp>()) {
    if (flow::constantInt(range.getStart()) != 0 || flow::constantInt(range.getDelta()) != 1)
      return false;
    auto size = flow::originOf(range.getLimit()).getDefiningOp<array::SizeOp>();
    return size ? flow::originOf(size.getHandle()) == create.getHandle()
                : flow::isSame(range.getLimit(), create.getSize());
  }
  auto constant = origin.getDefiningOp<nd::ConstantOp>();
  if (!constant || !flow::constantInt(create.getSize()))
    return false;
  rt::Result<rt::Tensor> values = tensorOf(constant.getValue());
  bool fits = values.ok() && values->rank() == 1 &&
              values->elements() == *flow::constantInt(create.getSize());
  for (int64_t i = 0; fits && i < values->elements(); ++i)
    fits = values->asInt(i) == i;
  return fits;
}

bool runsOncePerElement(flow::WhileOp loop, Value size) {
  SmallVector<Value> limits = flow::iterationLimits(loop);
  return !limits.empty() &&
         llvm::all_of(limits, [&](Value limit) { return flow::isSame(limit, size); });
}

} // namespace sluice::raise
