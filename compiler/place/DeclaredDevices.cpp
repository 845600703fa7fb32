// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading `wire.devices`, writing `wire.device`.
#include "compiler/place/DeclaredDevices.h"

#include "compiler/place/DeviceTarget.h"

#include "compiler/place/ClusterSpec.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace sluice::place {

static FailureOr<std::vector<import::DeviceName>> declaredDevices(ModuleOp module,
                                                                  unsigned localDevices) {
  if (import::Limits limits; !limits.allows(import::LimitId::kDevices, localDevices))
    return emitError(module.getLoc())
           << limits.excess(import::LimitId::kDevices, "devices", localDevices);
  if (localDevices && module->hasAttr(wire::kDevices))
    return emitError(module.getLoc(),
                     "expected no option 'devices' for a module that declares its own");
  if (localDevices)
    ClusterSpec::ofLocalDevices(localDevices).declareIn(module);
  std::vector<import::DeviceName> names;
  auto list = module->getAttrOfType<ArrayAttr>(wire::kDevices);
  if (!list)
    return names;
  for (auto device : list.getAsRange<DictionaryAttr>()) {
    StringRef text = device.getAs<StringAttr>("name").getValue();
    auto name = import::DeviceName::parse(text);
    if (!name || !name->isFull())
      return emitError(module.getLoc(), "expected the full name of a device but got '")
             << text << "'";
    names.push_back(std::move(*name));
  }
  return names;
}

FailureOr<std::optional<Problem>> readProblem(ModuleOp module, unsigned localDevices) {
  FailureOr<std::vector<import::DeviceName>> devices = declaredDevices(module, localDevices);
  if (failed(devices))
    return failure();
  if (devices->empty())
    return std::optional<Problem>();
  std::optional<Groups> groups = Groups::find(module);
  if (!groups)
    return failure();
  return std::optional<Problem>({std::move(*devices), std::move(*groups), countedCards(module)});
}

unsigned writeDevices(ModuleOp module, const Groups &groups, ArrayRef<unsigned> ranks) {
  Builder b(module.getContext());
  StringAttr device = b.getStringAttr(wire::kDevice);
  llvm::SmallSet<unsigned, 16> used;
  for (auto [op, rank] : llvm::zip_equal(groups.members(), ranks)) {
    op->setDiscardableAttr(device, b.getI64IntegerAttr(rank));
    used.insert(rank);
  }
  StringAttr requested = b.getStringAttr(wire::kRequested);
  StringAttr colocate = b.getStringAttr(wire::kColocate);
  module.walk([&](Operation *op) {
    op->removeDiscardableAttr(requested);
    op->removeDiscardableAttr(colocate);
  });
  return static_cast<unsigned>(used.size());
}

} // namespace sluice::place
