// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests by the names of nodes.
#include "compiler/pipeline/CardRequests.h"

#include "compiler/codegen/CardWork.h"
#include "compiler/import/DeviceName.h"
#include "compiler/import/Diagnostic.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sluice {

static LogicalResult check(Operation *op, StringRef request,
                           const std::optional<import::DeviceName> &name, unsigned cards) {
  if (!name)
    return emitError(op->getLoc()) << "expected " << import::DeviceName::expectedForm()
                                   << ", but got " << import::quoted(request.str());
  if (name->type && *name->type != "CPU" && *name->type != "GPU")
    return emitError(op->getLoc()) << "asks for " << import::quoted(request.str())
                                   << ", but this build has no " << *name->type << " devices";
  if (name->type == "GPU" && name->index && *name->index >= cards)
    return emitError(op->getLoc())
           << "asks for " << import::quoted(request.str()) << ", but --target says that there are "
           << cards << (cards == 1 ? " card" : " cards");
  return success();
}

LogicalResult recordCardRequests(ModuleOp module, std::optional<unsigned> alone) {
  Builder b(module.getContext());
  NamedAttrList wishes(module->getAttrOfType<DictionaryAttr>(codegen::kCardWishesAttr));
  bool isGood = true;
  module.walk([&](Operation *op) {
    auto request = op->getAttrOfType<StringAttr>(wire::kRequested);
    StringRef node = request ? nodeNameOf(op->getLoc()) : StringRef();
    if (node.empty() || wishes.get(node))
      return;
    auto name = import::DeviceName::parse(request);
    if (alone && failed(check(op, request, name, *alone)))
      isGood = false;
    if (!name || !name->type)
      return;
    int64_t wish = *name->type == "CPU" ? codegen::CardWishes::kHost
                   : name->index        ? static_cast<int64_t>(*name->index)
                                        : codegen::CardWishes::kAnyCard;
    wishes.set(node, b.getI64IntegerAttr(wish));
  });
  module->setAttr(codegen::kCardWishesAttr, wishes.getDictionary(module.getContext()));
  return success(isGood);
}

void dropRequests(ModuleOp module) {
  module.walk([](Operation *op) {
    op->removeDiscardableAttr(wire::kRequested);
    op->removeDiscardableAttr(wire::kColocate);
  });
}

} // namespace sluice
