// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a cluster declares in a module.
#include "compiler/place/ClusterSpec.h"

#include "compiler/import/FileContent.h"
#include "compiler/place/ClusterFile.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sluice::place {

std::string ClusterDevice::address() const {
  bool isAddress6 = host.find(':') != std::string::npos;
  return (isAddress6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<ClusterSpec> ClusterSpec::read(const std::string &path,
                                             import::DiagnosticList &diagnostics,
                                             const import::Limits &limits) {
  auto text = import::readRegularFile(path, limits, import::LimitId::kJsonBytes, diagnostics);
  return text ? parse(path, *text, diagnostics, limits) : std::nullopt;
}

std::optional<ClusterSpec> ClusterSpec::parse(const std::string &path, StringRef text,
                                              import::DiagnosticList &diagnostics,
                                              const import::Limits &limits) {
  ClusterSpec spec;
  spec.devices_ = parseClusterFile(path, text, diagnostics, limits);
  if (diagnostics.hasErrors())
    return std::nullopt;
  return spec;
}

ClusterSpec ClusterSpec::ofLocalDevices(unsigned count, const std::string &target) {
  ClusterSpec spec;
  for (uint32_t rank = 0; rank < count; ++rank)
    spec.devices_.push_back({{"localhost", 0, rank, "CPU", 0}, "127.0.0.1", 0, target});
  return spec;
}

void ClusterSpec::declareIn(ModuleOp module) const {
  Builder b(module.getContext());
  SmallVector<Attribute> list;
  for (const ClusterDevice &device : devices_) {
    NamedAttrList entry;
    entry.append("name", b.getStringAttr(device.name.text()));
    entry.append("address", b.getStringAttr(device.address()));
    if (!device.target.empty())
      entry.append(wire::kTarget, b.getStringAttr(device.target));
    list.push_back(entry.getDictionary(b.getContext()));
  }
  module->setAttr(wire::kDevices, b.getArrayAttr(list));
}

} // namespace sluice::place
