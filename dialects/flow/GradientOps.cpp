// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of requests for derivatives.
#include "dialects/flow/Compatible.h"
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

// Of tensors; variables and lists are judged by who reads them.
static bool haveEqualElements(Value a, Value b) {
  auto left = dyn_cast<TensorType>(a.getType()), right = dyn_cast<TensorType>(b.getType());
  return left && right ? left.getElementType() == right.getElementType() : true;
}

static LogicalResult verifySeeds(GradientOp op) {
  if (op.getSeeds().empty()) {
    for (Value y : op.getYs())
      if (!isa<TensorType>(y.getType()))
        return op.emitOpError("expected a seed for what is no tensor but got none for ") // C2
               << y.getType();
    return success();
  }
  if (op.getSeeds().size() != op.getYs().size())
    return op.emitOpError("expected a seed for each of ") // C2
           << op.getYs().size() << " values but got " << op.getSeeds().size();
  for (auto [y, seed] : llvm::zip_equal(op.getYs(), op.getSeeds()))
    if (isa<TensorType>(y.getType()) != isa<TensorType>(seed.getType()) ||
        !haveEqualElements(y, seed))
      return op.emitOpError("expected a seed like ") // C2
             << y.getType() << " but got " << seed.getType();
  return success();
}

LogicalResult GradientOp::verify() {
  if (getYs().empty() || getXs().empty())
    return emitOpError("expected something to differentiate, and by what"); // C1
  if (failed(verifySeeds(*this)))
    return failure();
  if (getNumResults() != getXs().size())
    return emitOpError("expected a result for each of ") // C3
           << getXs().size() << " values but got " << getNumResults();
  for (auto [x, result] : llvm::zip_equal(getXs(), getResults()))
    if (isa<TensorType>(x.getType()) && !mayBecome(result.getType(), x.getType()))
      return emitOpError("expected a result of type ") // C3
             << x.getType() << " but got " << result.getType();
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
