// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the array dialect.
#include "dialects/array/Array.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/array/ArrayDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/array/ArrayTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/array/ArrayOps.cpp.inc"

using namespace mlir;
using namespace sluice::array;

void ArrayDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/array/ArrayTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/array/ArrayOps.cpp.inc"
      >();
}
