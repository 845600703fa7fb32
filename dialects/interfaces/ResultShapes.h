// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the runtime, asked about ops of the IR.
#pragma once

#include "dialects/interfaces/KernelOps.h"

#include <vector>

namespace sluice {

using TensorPointers = std::vector<const rt::Tensor *>;

// Shapes of the op's outputs as far as they follow from what is known of its inputs. `values` holds
// null for what is not known. Unknown rank where the kernel has no rule, or the op no kernel. Fails
// if the op would, with the message that it then has.
rt::Result<std::vector<rt::Shape>> evaluateShapes(mlir::Operation *op,
                                                  const std::vector<const rt::Shape *> &shapes,
                                                  const TensorPointers &values,
                                                  rt::Sizes sizes = {});

// The values of those operands that are small constants, which sizes may depend on; null for
// others.
class SmallConstants {
public:
  explicit SmallConstants(mlir::Operation *op);
  const TensorPointers &values() const { return values_; }

private:
  std::deque<rt::Tensor> tensors_;
  TensorPointers values_;
};

// The same, of the op as it stands: the types of its operands, and those that are small constants.
rt::Result<std::vector<rt::Shape>> shapesByRule(mlir::Operation *op);

// An error if a result type contradicts what the rule says. Ops whose rules fail have none: they
// fail if they run, and the graph is right as long as they do not.
mlir::LogicalResult verifyResultShapes(mlir::Operation *op);

} // namespace sluice
