// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a call has done everything, and if not, who waits for what.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

static std::string place(Tag tag) {
  tag = iterationOf(std::move(tag));
  if (tag.empty())
    return "";
  return " in iteration " + std::to_string(tag.back().iteration) + " of frame '" +
         std::string(tag.back().frame) + "'";
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

// Names of the nodes whose tokens have not come.
std::string Call::missingTokens(const Node &waiting, const Cell &cell) const {
  std::vector<std::string> names;
  auto add = [&](const Node &producer, const std::vector<std::vector<Use>> &values) {
    for (const auto &uses : values)
      for (Use use : uses) {
        bool isMissing = &node(use.node) == &waiting && !cell.operands[use.operand];
        bool isWanted = !cell.liveInput || isToken(waiting.op->getOperand(use.operand));
        if (isMissing && isWanted)
          names.push_back("'" + producer.name + "'");
      }
  };
  for (const Node &producer : graph_.nodes()) {
    add(producer, producer.uses);
    for (const Region &region : producer.regions)
      add(producer, region.arguments);
  }
  return join(names, ", ", 3);
}

std::vector<std::string> Call::describeWaiting() const {
  std::vector<std::string> lines;
  for (const auto &[key, cell] : cells_)
    if (!cell.fired)
      lines.push_back("node '" + node(key.second).name + "'" + place(key.first) + " waits for " +
                      missingTokens(node(key.second), cell));
  for (const auto &[id, frame] : frames_)
    if (frame.entersArrived < frame.numEnters)
      lines.push_back("frame '" + std::string(id.name) + "'" + place(id.parent) + " has got " +
                      std::to_string(frame.entersArrived) + " of " +
                      std::to_string(frame.numEnters) + " enters");
  return lines;
}

rt::Status Call::checkCompleteness() const {
  std::vector<std::string> missing;
  for (unsigned i = 0; i < graph_.nodes().size(); ++i)
    if (isa<flow::FetchOp, flow::TargetOp>(node(i).op) && !reached_.contains(i))
      missing.push_back("'" + node(i).name + "' is never reached");
  if (missing.empty() && frames_.empty())
    return rt::okStatus();
  std::vector<std::string> lines = describeWaiting();
  lines.insert(lines.end(), missing.begin(), missing.end());
  return rt::failedPrecondition("the call cannot go on: " + join(lines, "; ", 6));
}

} // namespace sluice::interpret
