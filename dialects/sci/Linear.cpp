// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "linear".
#include "dialects/sci/Sci.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "dialects/sci/Linear.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult sci::MatrixFunctionOp::verify() {
  if (!llvm::is_contained({"sqrt", "exp", "log"}, getFunction()))
    return emitOpError("expected 'sqrt', 'exp' or 'log' but got '") << getFunction() << "'"; // C2
  Type element = getElementTypeOrSelf(getInput().getType());
  if (getFunction() == "log" && !isa<ComplexType>(element))
    return emitOpError("expected complex numbers for 'log' but got ") << element; // C3
  return success();
}

LogicalResult sci::EigOp::verify() {
  Type element = getElementTypeOrSelf(getInput().getType());
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  Type expected = ComplexType::get(element.isF64() ? element : Float32Type::get(getContext()));
  if (Type given = getElementTypeOrSelf(getE().getType()); given != expected)
    return emitOpError("expected eigenvalues of ") << expected << " but got " << given; // C2
  return success();
}

void sluice::sci::registerLinearOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Linear.cpp.inc"
      >();
}
