// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In whose memory a tensor lies, and the op that copies between them.
#include "dialects/wire/Memory.h"

#include "dialects/wire/Wire.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::wire {

std::optional<unsigned> cardOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto memory = tensor ? dyn_cast_if_present<MemoryAttr>(tensor.getEncoding()) : MemoryAttr();
  return memory ? std::optional(memory.getCard()) : std::nullopt;
}

static RankedTensorType withEncoding(RankedTensorType type, Attribute encoding) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), encoding);
}

RankedTensorType onCard(RankedTensorType type, unsigned card) {
  return withEncoding(type, MemoryAttr::get(type.getContext(), card));
}
RankedTensorType onHost(RankedTensorType type) { return withEncoding(type, {}); }

LogicalResult CopyOp::verify() {
  auto from = cast<RankedTensorType>(getValue().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyCompatibleShape(from, to)) || from.getElementType() != to.getElementType())
    return emitOpError("expected a result with the dims and element type of ")
           << from << " but got " << to;
  if (cardOf(from) == cardOf(to))
    return emitOpError("expected memories that differ but got ") << from << " and " << to;
  return success();
}

} // namespace sluice::wire
