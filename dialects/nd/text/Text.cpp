// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "text".
#include "dialects/nd/text/Text.h"

#define GET_OP_CLASSES
#include "dialects/nd/Text.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult nd::JoinTextsOp::verify() {
  if (getTexts().empty())
    return emitOpError("expected an operand but got none"); // C2
  return success();
}

LogicalResult nd::DecimalOp::verify() {
  constexpr uint64_t kWidest = 1000;
  if (getWidth() > kWidest)
    return emitOpError("expected a width from 0 to 1000 but got ")
           << static_cast<int64_t>(getWidth()); // C3
  return success();
}

void sluice::nd::registerTextOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Text.cpp.inc"
      >();
}
