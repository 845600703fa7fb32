// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printer itself tells on which line each op begins.
#include "compiler/report/PhaseSnapshot.h"

#include "dialects/interfaces/NodeName.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sluice::report {

static constexpr size_t kMostBytes = 400'000; // of text
static constexpr size_t kLongestLine = 2'000;
static constexpr int64_t kMostElements = 16; // of a constant

static std::vector<std::string> nodesOfLines(const AsmState::LocationMap &locations, size_t lines) {
  std::vector<std::string> nodes(lines);
  for (const auto &[op, place] : locations) {
    size_t line = place.first - 1;
    if (line < lines && !isa<ModuleOp>(op))
      nodes[line] = nodeNameOf(op->getLoc()).str();
  }
  return nodes;
}

PhaseSnapshot snapshotOf(ModuleOp module) {
  PhaseSnapshot snapshot;
  module.walk([&](Operation *op) {
    if (op != module)
      ++snapshot.ops[op->getName().getStringRef().str()];
  });
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kMostElements).elideLargeResourceString(0);
  AsmState::LocationMap locations;
  AsmState state(module, flags, &locations);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, state);
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  snapshot.allLines = lines.size();
  size_t bytes = 0;
  for (StringRef line : lines) {
    bytes += std::min(line.size(), kLongestLine);
    if (bytes > kMostBytes)
      break;
    snapshot.lines.push_back(line.take_front(kLongestLine).str());
    if (line.size() > kLongestLine)
      snapshot.lines.back() += " …";
  }
  snapshot.nodes = nodesOfLines(locations, snapshot.lines.size());
  return snapshot;
}

} // namespace sluice::report
