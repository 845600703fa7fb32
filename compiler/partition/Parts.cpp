// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a partitioned module.
#include "compiler/partition/Parts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sluice::partition {

FailureOr<std::vector<Parts>> Parts::read(ModuleOp module) {
  llvm::MapVector<StringRef, Parts> signatures;
  int64_t numRanks = 0;
  for (auto rank : module.getOps<ModuleOp>()) {
    auto number = rank->getAttrOfType<IntegerAttr>(wire::kRank);
    if (!number || number.getInt() != numRanks)
      return rank.emitOpError("expected rank ") << numRanks << " in '" << wire::kRank << "'";
    for (auto graph : rank.getOps<flow::GraphOp>()) {
      Parts &parts = signatures[graph.getSymName()];
      if (parts.numRanks() != numRanks)
        return graph.emitOpError("expected the signature on ranks ")
               << parts.numRanks() << " to " << numRanks << " as well";
      if (failed(parts.addPart(graph)))
        return failure();
    }
    ++numRanks;
  }
  std::vector<Parts> result;
  for (auto &[name, parts] : signatures) {
    if (parts.numRanks() != numRanks)
      return parts.graph(0).emitOpError("expected the signature on all ")
             << numRanks << " ranks but got it on the first " << parts.numRanks();
    parts.findWires();
    result.push_back(std::move(parts));
  }
  return result;
}

LogicalResult Parts::addPart(flow::GraphOp graph) {
  auto paths = graph->getAttrOfType<ArrayAttr>(wire::kFrames);
  if (!paths)
    return graph.emitOpError("expected '") << wire::kFrames << "' but got none";
  std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
  if (!frames)
    return failure();
  if (parts_.empty()) {
    paths_.push_back("");
    for (auto path : paths.getAsValueRange<StringAttr>())
      paths_.push_back(path);
    depths_.resize(paths_.size());
  } else if (paths != parts_.front().graph->getAttr(wire::kFrames)) {
    return graph.emitOpError("expected the '") << wire::kFrames << "' of rank 0 but got " << paths;
  }
  rankOf_[graph] = numRanks();
  parts_.push_back({graph, std::move(*frames), {}});
  return numberFrames(parts_.back());
}

LogicalResult Parts::numberFrames(Part &part) {
  llvm::StringMap<unsigned> numbers;
  for (auto [number, path] : llvm::enumerate(paths_))
    numbers[path] = static_cast<unsigned>(number);
  own_.emplace_back(paths_.size());
  for (auto [own, frame] : llvm::enumerate(part.frames.frames())) { // parents come first
    unsigned parent = own ? part.numberOf[frame.parent] : 0;
    std::string path = own ? flow::framePath(paths_[parent], frame.name) : "";
    auto it = numbers.find(path);
    if (it == numbers.end() || (own && it->second <= parent))
      return part.graph.emitOpError("expected frame '")
             << path << "' in '" << wire::kFrames << "' after the one around it";
    part.numberOf.push_back(it->second);
    own_.back()[it->second] = static_cast<unsigned>(own);
    if (own)
      depths_[it->second] = depths_[parent] + 1;
  }
  return success();
}

bool Parts::addEnd(Operation *op, uint64_t edge) {
  if (edge >= wires_.size())
    return false;
  Wire &wire = wires_[edge];
  auto send = dyn_cast<wire::SendOp>(op);
  if (send ? wire.send : wire.recv)
    return false;
  if (send)
    wire.send = send;
  else
    wire.recv = cast<wire::RecvOp>(op);
  return true;
}

void Parts::findWires() {
  std::vector<std::pair<Operation *, uint64_t>> ends;
  uint64_t sends = 0, recvs = 0;
  for (Part &part : parts_)
    for (Operation &op : part.graph.getBody().front()) {
      if (auto send = dyn_cast<wire::SendOp>(op)) {
        ends.push_back({send, send.getEdge()});
        ++sends;
      } else if (auto recv = dyn_cast<wire::RecvOp>(op)) {
        ends.push_back({recv, recv.getEdge()});
        ++recvs;
      }
    }
  wires_.resize(std::max(sends, recvs));
  for (auto [op, edge] : ends)
    if (!addEnd(op, edge))
      superfluous_.push_back(op);
}

unsigned Parts::frameOf(Operation *op) const {
  const Part &part = parts_[rankOf(op)];
  return part.numberOf[part.frames.frameOf(op)];
}

unsigned Parts::resultFrameOf(Operation *op) const {
  const Part &part = parts_[rankOf(op)];
  return part.numberOf[part.frames.resultFrameOf(op)];
}

const flow::Frame *Parts::findFrame(unsigned rank, unsigned frame) const {
  unsigned own = own_[rank][frame];
  return own || frame == flow::FrameAnalysis::kRoot ? &parts_[rank].frames.frames()[own] : nullptr;
}

bool Parts::isSplit(unsigned frame) const {
  unsigned count = 0;
  for (unsigned rank = 0; rank < numRanks(); ++rank)
    count += findFrame(rank, frame) != nullptr;
  return frame != flow::FrameAnalysis::kRoot && count > 1;
}

flow::LoopCondOp Parts::pivotOf(unsigned frame) const {
  for (unsigned rank = 0; rank < numRanks(); ++rank)
    if (const flow::Frame *info = findFrame(rank, frame); info && info->pivot)
      return info->pivot;
  return {};
}

Value Parts::originOf(Value value) const {
  for (size_t i = 0; i < wires_.size(); ++i) { // ends even if values are sent round in a circle
    auto recv = value.getDefiningOp<wire::RecvOp>();
    if (!recv)
      return value;
    value = wires_[recv.getEdge()].send->getOperand(0);
  }
  return value;
}

} // namespace sluice::partition
