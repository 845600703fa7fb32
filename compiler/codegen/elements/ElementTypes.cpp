// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of elements.
#include "compiler/codegen/elements/ElementTypes.h"

#include "compiler/codegen/elements/SmallFloats.h"

using namespace mlir;

namespace sluice::codegen {

Type registerElementType(Type elementType) {
  if (isSmallFloat(elementType))
    return IntegerType::get(elementType.getContext(), 16);
  auto integer = dyn_cast<IntegerType>(elementType);
  return integer ? IntegerType::get(integer.getContext(), integer.getWidth()) : elementType;
}

Type memoryElementType(Type elementType) {
  Type type = registerElementType(elementType);
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

bool isUnsigned(Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

unsigned bytesOf(Type elementType) {
  return (memoryElementType(elementType).getIntOrFloatBitWidth() + 7) / 8;
}

} // namespace sluice::codegen
