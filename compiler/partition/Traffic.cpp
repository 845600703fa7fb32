// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up messages by frame and direction.
#include "compiler/partition/Traffic.h"

#include "compiler/partition/Parts.h"
#include "dialects/interfaces/KernelOps.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace sluice::partition {

// The bytes of one message, if its type says.
static std::optional<int64_t> bytesOf(Type type) {
  if (isa<flow::TokenType>(type))
    return 0;
  auto tensor = cast<TensorType>(type);
  std::optional<rt::DType> dtype = dtypeOf(tensor);
  if (!tensor.hasStaticShape() || !dtype || *dtype == rt::DType::kString)
    return std::nullopt;
  return tensor.getNumElements() * static_cast<int64_t>(rt::sizeOf(*dtype));
}

static void addMessage(Traffic &sum, Value value) {
  ++sum.messages;
  sum.predicates += value.getDefiningOp<flow::LoopCondOp>() != nullptr;
  std::optional<int64_t> bytes = bytesOf(value.getType());
  sum.bytes += bytes.value_or(0);
  (bytes ? sum.isKnown : sum.isUnknown) = true;
}

// "outer > inner" of a path, whose names are escaped.
static std::string loopsOf(StringRef path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '>')
      text += " > ";
    else
      text += path[path[i] == '\\' ? ++i : i];
  }
  return text;
}

static LoopRanks ranksOf(const Parts &parts, unsigned frame) {
  LoopRanks result{loopsOf(parts.pathOf(frame)), {}, std::nullopt};
  for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
    if (parts.findFrame(rank, frame))
      result.ranks.push_back(rank);
  if (parts.isSplit(frame))
    result.decidedOn = parts.rankOf(parts.pivotOf(frame));
  return result;
}

static SignatureTraffic addUp(Parts &parts) {
  SignatureTraffic result;
  result.signature = parts.name().str();
  // By frame in the order of their numbers, sender, receiver.
  std::map<std::tuple<unsigned, unsigned, unsigned>, Traffic> sums;
  for (const Wire &wire : parts.wires()) {
    unsigned frame = parts.frameOf(wire.send), depth = parts.depthOf(frame);
    ++result.edges;
    result.edgesInLoops += depth > 0;
    result.edgesInNestedLoops += depth > 1;
    unsigned from = parts.rankOf(wire.send), to = parts.rankOf(wire.recv);
    Traffic &sum = sums[{frame, from, to}];
    sum.loop = loopsOf(parts.pathOf(frame));
    sum.from = from;
    sum.to = to;
    addMessage(sum, wire.send->getOperand(0));
  }
  for (auto &[key, sum] : sums)
    result.traffic.push_back(std::move(sum));
  for (unsigned frame = 1; frame < parts.numFrames(); ++frame)
    result.loops.push_back(ranksOf(parts, frame));
  return result;
}

std::vector<SignatureTraffic> trafficOf(ModuleOp module) {
  std::vector<SignatureTraffic> result;
  FailureOr<std::vector<Parts>> signatures = Parts::read(module);
  if (succeeded(signatures))
    for (Parts &parts : *signatures)
      result.push_back(addUp(parts));
  return result;
}

} // namespace sluice::partition
