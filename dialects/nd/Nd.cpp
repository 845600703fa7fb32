// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the nd dialect, its types and op families.
#include "dialects/nd/Nd.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/nd/NdDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/nd/NdTypes.cpp.inc"

void sluice::nd::NDDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/nd/NdTypes.cpp.inc"
      >();
  registerElementwiseOps(*this);
  registerIndexOps(*this);
  registerLayoutOps(*this);
  registerMatmulOps(*this);
  registerRecordsOps(*this);
  registerReduceOps(*this);
  registerShapeOps(*this);
  registerTextOps(*this);
}
