// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a call has done everything, and if not, who waits for what.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

static constexpr size_t kShown = 6;

static std::string textOf(const Place &place) {
  const Frame *frame = place.iteration->frame;
  if (!frame)
    return "";
  return " in iteration " + std::to_string(place.iteration->number) + " of frame '" +
         std::string(frame->key.first) + "'";
}

static std::string join(const std::vector<std::string> &items, const char *separator,
                        size_t shown) {
  std::string text;
  for (size_t i = 0; i < items.size() && i < shown; ++i)
    text += (i ? separator : "") + items[i];
  if (items.size() > shown)
    text += std::string(separator) + "and " + std::to_string(items.size() - shown) + " more";
  return text;
}

// Names of the nodes whose tokens have not come, in their order.
std::string Call::missingTokens(const Node &waiting, const Cell &cell) const {
  std::multimap<unsigned, std::string> names; // by producer
  for (OpOperand &operand : waiting.op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool isMissing = !waiting.constants[number] && !cell.operands[number];
    if (isMissing && (!cell.liveInput || isToken(operand.get()))) {
      unsigned producer = graph_.producerOf(operand.get());
      names.insert({producer, "'" + node(producer).name + "'"});
    }
  }
  std::vector<std::string> sorted;
  for (auto &[producer, name] : names)
    sorted.push_back(std::move(name));
  return join(sorted, ", ", 3);
}

// What waits, a line each; beyond those that are shown the lines are empty.
std::vector<std::string> Call::describeWaiting() const {
  std::vector<std::string> waiting, entering;
  for (const Parked &parked : parked_) // it is what others wait for
    waiting.push_back(describe(parked));
  root_.visit([&](const Place &place) {
    for (const auto &[position, cell] : place.cells)
      if (!cell.fired)
        waiting.push_back(waiting.size() >= kShown
                              ? ""
                              : "node '" + node(position).name + "'" + textOf(place) +
                                    " waits for " + missingTokens(node(position), cell));
    for (const auto &[key, frame] : place.frames)
      if (frame.entersArrived < frame.numEnters)
        entering.push_back("frame '" + std::string(key.first) + "'" + textOf(place) + " has got " +
                           std::to_string(frame.entersArrived) + " of " +
                           std::to_string(frame.numEnters) + " enters");
  });
  waiting.insert(waiting.end(), entering.begin(), entering.end());
  return waiting;
}

rt::Status Call::checkCompleteness() const {
  std::vector<std::string> missing;
  for (unsigned i = 0; i < graph_.nodes().size(); ++i)
    if (isa<flow::FetchOp, flow::TargetOp>(node(i).op) && !reached_.contains(i))
      missing.push_back("'" + node(i).name + "' is never reached");
  if (missing.empty() && !root_.liveChildren)
    return rt::okStatus();
  std::vector<std::string> lines = describeWaiting();
  lines.insert(lines.end(), missing.begin(), missing.end());
  return rt::failedPrecondition("the call cannot go on: " + join(lines, "; ", kShown));
}

} // namespace sluice::interpret
