// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One walk over the whole graph writes the graphs of all ranks side by side: control loops first,
// then each op on its rank, followed by its sends, and the recvs of its results where they are
// used.
#include "compiler/partition/SplitGraph.h"

#include "compiler/partition/RankBuilder.h"

using namespace mlir;

namespace sluice::partition {

// Sorted, so that no order of uses can change the numbers; a parent's path is a prefix.
static ArrayAttr pathsOf(const flow::FrameAnalysis &frames, MLIRContext *context) {
  std::vector<std::string> paths{""};
  for (const flow::Frame &frame : frames.frames().drop_front())
    paths.push_back(flow::framePath(paths[frame.parent], frame.name));
  llvm::sort(paths);
  SmallVector<Attribute> attributes;
  for (const std::string &path : llvm::drop_begin(paths))
    attributes.push_back(StringAttr::get(context, path));
  return ArrayAttr::get(context, attributes);
}

namespace {

class Splitter {
public:
  Splitter(flow::GraphOp graph, const Partition &partition, ArrayRef<Block *> ranks)
      : graph_(graph), partition_(partition) {
    ArrayAttr paths = pathsOf(partition.frames, graph.getContext());
    for (Block *block : ranks)
      ranks_.emplace_back(graph, block, paths);
    for (auto after : graph.getBody().getOps<flow::AfterOp>())
      tokenOf_.try_emplace(after.getValue(), after.getToken());
  }

  void run() {
    addControlLoops();
    for (Operation &op : graph_.getBody().front()) {
      if (partition_.placement.isEverywhere(&op))
        copyEverywhere(&op);
      else
        copyWithEdges(&op);
    }
    for (auto [after, rank] : tokens_)
      ranks_[rank].map(after.getToken(), ranks_[rank].find(after.getValue()));
    for (RankBuilder &rank : ranks_)
      rank.finish();
  }

private:
  void addControlLoops() {
    for (unsigned frame = 1; frame < partition_.frames.frames().size(); ++frame)
      for (unsigned rank = 0; rank < ranks_.size(); ++rank)
        if (partition_.parts.hasControlLoop(frame, rank))
          ranks_[rank].addControlLoop(partition_.frames, frame);
  }

  void copyEverywhere(Operation *op) {
    for (unsigned rank = 0; rank < ranks_.size(); ++rank)
      if (partition_.cut.needs(rank, op))
        ranks_[rank].copy(op);
  }

  void copyWithEdges(Operation *op) {
    unsigned home = partition_.placement.rankOf(op);
    Operation *made = ranks_[home].copy(op);
    if (auto enter = dyn_cast<flow::EnterOp>(made))
      useOneWindow(enter, partition_.frames.resultFrameOf(op));
    if (auto after = dyn_cast<flow::AfterOp>(op))
      return copyAfter(after);
    unsigned frame = partition_.frames.resultFrameOf(op);
    unsigned number = partition_.cut.firstEdgeOf(op);
    for (const CutEdge &edge : partition_.cut.edgesOf(op)) {
      ranks_[edge.from].addSend(sentFor(edge), number, edge.to);
      ranks_[edge.to].addRecv(edge.value, edge.asToken, number, edge.from, frame);
      ++number;
    }
  }

  // The value, or a token that says that it is there; one for all ranks.
  Value sentFor(const CutEdge &edge) {
    if (!edge.asToken || isa<flow::TokenType>(edge.value.getType()))
      return edge.value;
    Value &token = tokenOf_[edge.value];
    if (!token)
      token = ranks_[edge.from].addAfter(edge.value);
    return token;
  }

  // Where the value, or a token instead of it, has crossed.
  void copyAfter(flow::AfterOp after) {
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
      const CutEdge *edge = partition_.cut.find(after.getValue(), rank);
      if (!edge || !partition_.cut.needs(rank, after))
        continue;
      if (edge->asToken)
        tokens_.push_back({after, rank});
      else
        ranks_[rank].copy(after);
    }
  }

  // Enters may disagree, and then the first one counts, which need not be on every rank.
  void useOneWindow(flow::EnterOp enter, unsigned frame) {
    if (partition_.parts.isSplit(frame))
      enter.setParallelIterations(partition_.frames.frames()[frame].parallelIterations);
  }

  flow::GraphOp graph_;
  const Partition &partition_;
  std::vector<RankBuilder> ranks_;
  DenseMap<Value, Value> tokenOf_; // what a flow.after makes of a value
  std::vector<std::pair<flow::AfterOp, unsigned>>
      tokens_; // what a received token stands for, where
};

} // namespace

void splitGraph(flow::GraphOp graph, const Partition &partition, ArrayRef<Block *> ranks) {
  Splitter(graph, partition, ranks).run();
}

} // namespace sluice::partition
