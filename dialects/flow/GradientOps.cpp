// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of requests for derivatives.
#include "dialects/flow/Flow.h"

using namespace mlir;
using namespace sluice::flow;

LogicalResult IndependentOp::verify() {
  return getName().empty() ? emitOpError("expected a name but got an empty one") // C2
                           : success();
}

// Whether there is a derivative of such a value. Variables are judged by who reads them.
static bool isContinuous(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return !tensor || isa<FloatType, ComplexType>(tensor.getElementType());
}

LogicalResult GradientOp::verify() {
  if (getYs().empty() || getXs().empty())
    return emitOpError("expected something to differentiate, and by what"); // C1
  if (!getSeeds().empty() && getSeeds().size() != getYs().size())
    return emitOpError("expected a seed for each of ") // C2
           << getYs().size() << " values but got " << getSeeds().size();
  if (getNumResults() != getXs().size())
    return emitOpError("expected a result for each of ") // C3
           << getXs().size() << " values but got " << getNumResults();
  for (ValueRange values : {getYs(), getSeeds(), getXs()})
    for (Value value : values)
      if (!isContinuous(value.getType()))
        return emitOpError("expected floats or complex numbers but got ") << value.getType(); // C4
  if (getName().empty())
    return emitOpError("expected a name but got an empty one"); // C5
  return success();
}

LogicalResult KnownAsOp::verify() {
  if (getName().empty())
    return emitOpError("expected a name but got an empty one"); // C1
  if (getResultTypes() != getValues().getTypes())
    return emitOpError("expected results of the types (") // C2
           << getValues().getTypes() << ") but got (" << getResultTypes() << ")";
  return success();
}
