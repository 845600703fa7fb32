// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mirrors save, as text.
#include "compiler/differentiate/BuildGradients.h"
#include "compiler/differentiate/Segments.h"
#include "compiler/differentiate/Trips.h"

#include "dialects/interfaces/NodeName.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice::differentiate {

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string placeOf(Operation *forward) {
  if (auto loop = dyn_cast<flow::WhileOp>(forward))
    return "loop '" + loop.getFrame().str() + "'";
  if (auto function = dyn_cast<flow::FuncOp>(forward))
    return "function '" + function.getSymName().str() + "'";
  return "branch";
}

// The frame of the loop that a choice is made for; segments have that of the whole.
static StringRef loopOf(Operation *forward) {
  auto loop = dyn_cast<flow::WhileOp>(forward);
  loop = loop ? loop : forward->getParentOfType<flow::WhileOp>();
  while (loop && isSegment(loop))
    loop = loop->getParentOfType<flow::WhileOp>();
  return loop ? loop.getFrame() : StringRef();
}

SavedValue Mirror::entryOf(Operation *forward, Value value, Fate fate) const {
  StringRef frame = loopOf(forward);
  std::string place = placeOf(forward);
  if (auto chosen = choices_.ofLoops.find(frame); chosen != choices_.ofLoops.end())
    place += (" (" + nameOf(chosen->second) + ")").str();
  return {place,
          nodeNameOf(value.getLoc()).str(),
          textOf(value.getType()),
          estimatedBytes(value.getType()),
          fate,
          frame.str(),
          timesOf(forward),
          areTimesKnown(forward)};
}

void Mirror::explain(Operation *forward, ArrayRef<Value> saved, ArrayRef<Value> needed) {
  for (Value value : saved)
    report_.push_back(entryOf(forward, value, Fate::kSaved));
  for (Value value : needed)
    if (!llvm::is_contained(saved, value) && isa<TensorType>(value.getType()))
      report_.push_back(entryOf(forward, value, Fate::kComputedAgain));
}

void Mirror::noteJoined(flow::WhileOp loop, Value product) {
  report_.push_back(entryOf(loop, product, Fate::kJoined));
}

static StringRef wordsFor(Fate fate) {
  switch (fate) {
  case Fate::kSaved:
    return "saved:         ";
  case Fate::kComputedAgain:
    return "computed again:";
  case Fate::kJoined:
    return "one product:   ";
  }
}

int64_t bytesOf(ArrayRef<SavedValue> values) {
  int64_t bytes = 0;
  for (const SavedValue &value : values)
    bytes += value.fate == Fate::kSaved ? value.bytes * value.times : 0;
  return bytes;
}

std::string explainGradients(ArrayRef<SavedValue> values) {
  std::string text;
  bool areKnown = true;
  for (size_t i = 0; i < values.size();) {
    size_t end = i;
    int64_t bytes = 0;
    for (; end < values.size() && values[end].where == values[i].where; ++end)
      bytes += values[end].fate == Fate::kSaved ? values[end].bytes : 0;
    text += llvm::formatv("{0}: saves about {1} bytes each time, {2} times\n", values[i].where,
                          bytes, values[i].times);
    areKnown &= values[i].isKnown;
    for (; i < end; ++i)
      text += llvm::formatv("  {0} {1} of node '{2}', {3} bytes\n", wordsFor(values[i].fate),
                            values[i].type, values[i].node, values[i].bytes);
  }
  if (text.empty())
    return "no branch or loop is differentiated\n";
  text += llvm::formatv("in all about {0} bytes", bytesOf(values));
  if (!areKnown)
    text += llvm::formatv("; loops of which it is not known are taken for {0} iterations",
                          kUnknownTrips);
  return text + "\n";
}

} // namespace sluice::differentiate
