// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// partition-split-by-device: one module becomes one for each rank.
#include "compiler/partition/CheckCut.h"
#include "compiler/partition/Passes.h"
#include "compiler/partition/SplitGraph.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sluice::partition {
#define GEN_PASS_DEF_PARTITIONSPLITBYDEVICE
#include "compiler/partition/Passes.h.inc"
} // namespace sluice::partition

namespace {

using namespace sluice;
using namespace sluice::partition;

SmallVector<Block *> addRanks(ModuleOp module, unsigned count) {
  SmallVector<Block *> blocks;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  for (unsigned rank = 0; rank < count; ++rank) {
    auto part = ModuleOp::create(b, module.getLoc(), "rank" + std::to_string(rank));
    part->setAttr(wire::kRank, b.getI64IntegerAttr(rank));
    blocks.push_back(part.getBody());
  }
  return blocks;
}

struct SplitByDevice : partition::impl::PartitionSplitByDeviceBase<SplitByDevice> {
  void runOnOperation() override {
    FailureOr<std::optional<Cluster>> cluster = Cluster::read(getOperation());
    if (failed(cluster))
      return signalPassFailure();
    if (!*cluster)
      return markAllAnalysesPreserved();
    SmallVector<Operation *> whole;
    Functions functions;
    for (Operation &op : *getOperation().getBody())
      whole.push_back(&op);
    SmallVector<Block *> ranks = addRanks(getOperation(), (*cluster)->size());
    for (Operation *op : whole)
      if (auto graph = dyn_cast<flow::GraphOp>(op)) {
        if (failed(split(graph, **cluster, ranks)))
          return signalPassFailure();
      } else if (auto function = dyn_cast<flow::FuncOp>(op)) {
        functions[function.getSymName()] = function;
      } else {
        moveDeclaration(op, **cluster, ranks);
      }
    for (Block *rank : ranks)
      addCallees(*rank, functions);
    for (auto &entry : functions)
      entry.second.erase();
  }

  using Functions = llvm::StringMap<flow::FuncOp>;

  // Whoever calls a function has it, and what that calls.
  static void addCallees(Block &rank, const Functions &functions) {
    llvm::StringSet<> known;
    SmallVector<Operation *> open;
    for (Operation &op : rank)
      open.push_back(&op);
    while (!open.empty())
      open.pop_back_val()->walk([&](flow::CallOp call) {
        if (!known.insert(call.getCallee()).second)
          return;
        flow::FuncOp copy = functions.lookup(call.getCallee()).clone();
        rank.push_back(copy);
        open.push_back(copy);
      });
  }

  static void moveDeclaration(Operation *op, const Cluster &cluster, ArrayRef<Block *> ranks) {
    Block *block = ranks[cluster.declarationRank.lookup(cast<SymbolOpInterface>(op).getName())];
    op->removeAttr(wire::kDevice);
    op->moveBefore(block, block->end());
  }

  LogicalResult split(flow::GraphOp graph, const Cluster &cluster, ArrayRef<Block *> ranks) {
    std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
    FailureOr<Placement> placement = Placement::read(graph, cluster);
    if (!frames || failed(placement))
      return failure();
    Cut cut(graph, *placement);
    FrameParts parts(graph, *frames, *placement, cluster);
    if (failed(parts.addControlLoops(cut)))
      return failure();
    cut.number();
    if (failed(checkCut(graph, *frames, cut, cluster)))
      return failure();
    splitGraph(graph, {*frames, *placement, parts, cut}, ranks);
    numEdges += cut.edges().size();
    numControlLoops += parts.numControlLoops();
    graph.erase();
    return success();
  }
};

} // namespace
