// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets of cards.
#include "compiler/codegen/plan/Cards.h"

using namespace mlir;

namespace sluice::codegen {

std::optional<unsigned> cardOf(flow::CodeletOp codelet) {
  std::optional<unsigned> card;
  codelet.getBody().walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if ((card = wire::cardOf(type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return card;
}

} // namespace sluice::codegen
