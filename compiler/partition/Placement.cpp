// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what the place phase has decided.
#include "compiler/partition/Placement.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::partition {

std::string nameOf(Operation *op) {
  StringRef node = nodeNameOf(op->getLoc());
  return (node.empty() ? op->getName().getStringRef() : node).str();
}

static FailureOr<unsigned> readRank(Operation *op, const Cluster &cluster) {
  auto rank = op->getAttrOfType<IntegerAttr>(wire::kDevice);
  if (!rank)
    return op->emitOpError("expected a rank in '") << wire::kDevice << "' but got none";
  if (rank.getInt() >= cluster.size())
    return op->emitOpError("expected a rank below ")
           << cluster.size() << " but got " << rank.getInt();
  return static_cast<unsigned>(rank.getInt());
}

FailureOr<std::optional<Cluster>> Cluster::read(ModuleOp module) {
  auto devices = module->getAttrOfType<ArrayAttr>(wire::kDevices);
  if (!devices)
    return std::optional<Cluster>();
  if (devices.empty())
    return module.emitOpError("expected at least one device in '") << wire::kDevices << "'";
  Cluster cluster;
  for (auto device : devices.getAsRange<DictionaryAttr>())
    cluster.names.push_back(device.getAs<StringAttr>("name").str());
  for (Operation &op : *module.getBody()) {
    if (isa<flow::TokenGraph>(op))
      continue;
    if (!op.hasTrait<DeclaresState>())
      return op.emitOpError("expected graphs, functions, variables, generators and tables in a "
                            "placed module only");
    FailureOr<unsigned> rank = readRank(&op, cluster);
    if (failed(rank))
      return failure();
    cluster.declarationRank[cast<SymbolOpInterface>(op).getName()] = *rank;
  }
  return std::optional<Cluster>(std::move(cluster));
}

std::string Cluster::describe(unsigned rank) const {
  return "device " + std::to_string(rank) + " ('" + names[rank] + "')";
}

// A symbol means something on the rank of its declaration only.
static LogicalResult checkSymbols(Operation *op, unsigned rank, const Cluster &cluster) {
  if (!isa<SymbolUserOpInterface>(op))
    return success();
  for (NamedAttribute attribute : op->getAttrs()) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute.getValue());
    auto it =
        symbol ? cluster.declarationRank.find(symbol.getValue()) : cluster.declarationRank.end();
    if (it != cluster.declarationRank.end() && it->second != rank)
      return op->emitOpError("expected to be with @")
             << symbol.getValue() << " on " << cluster.describe(it->second) << " but got "
             << cluster.describe(rank);
  }
  return success();
}

LogicalResult Placement::place(Operation *op, const Cluster &cluster) {
  FailureOr<unsigned> rank = readRank(op, cluster);
  if (failed(rank) || failed(checkSymbols(op, *rank, cluster)))
    return failure();
  if (isa<flow::FeedOp, flow::FetchOp>(op) && *rank != 0)
    return op->emitOpError("expected feeds and fetches on rank 0 but got rank ") << *rank;
  rankOf_[op] = *rank;
  return success();
}

FailureOr<Placement> Placement::read(flow::GraphOp graph, const Cluster &cluster) {
  Placement placement;
  for (Operation &op : graph.getBody().front())
    if (!op.hasTrait<IsConstant>() && !isa<flow::StartOp, flow::AfterOp>(op) &&
        failed(placement.place(&op, cluster)))
      return failure();
  for (auto after : graph.getBody().getOps<flow::AfterOp>()) {
    Operation *producer = after.getValue().getDefiningOp();
    if (!placement.isEverywhere(producer))
      placement.rankOf_[after] = placement.rankOf(producer);
  }
  return placement;
}

} // namespace sluice::partition
