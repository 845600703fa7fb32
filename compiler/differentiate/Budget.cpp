// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries derivatives on copies of the module, and looks at what they save.
#include "compiler/differentiate/Budget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

#include <array>

using namespace mlir;

namespace sluice::differentiate {

// From what costs no time to what costs most.
static constexpr std::array kModes = {Memory::kFast, Memory::kBalanced, Memory::kMin,
                                      Memory::kSegments};

static std::vector<SavedValue> savedWith(ModuleOp module, Choices choices, Memory memory) {
  choices.memory = memory;
  choices.bytes.reset();
  std::vector<SavedValue> report;
  OwningOpRef<ModuleOp> copy = module.clone();
  // What fails here fails once more, and is told then.
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(buildGradients(*copy, choices, report)) ? report : std::vector<SavedValue>();
}

namespace {

// Bytes that a loop saves in each of the modes.
using Costs = std::array<int64_t, kModes.size()>;

} // namespace

Choices chooseWithin(ModuleOp module, const Choices &choices) {
  if (!choices.bytes)
    return choices;
  Choices chosen = choices;
  chosen.memory = Memory::kFast;
  chosen.bytes.reset();
  llvm::MapVector<StringRef, Costs> loops;
  std::array<std::vector<SavedValue>, kModes.size()> reports;
  for (auto [level, mode] : llvm::enumerate(kModes)) {
    reports[level] = savedWith(module, choices, mode);
    for (const SavedValue &value : reports[level])
      loops[value.loop][level] += value.fate == Fate::kSaved ? value.bytes * value.times : 0;
    if (level == 0 && bytesOf(reports[0]) <= *choices.bytes)
      return chosen;
  }
  int64_t total = bytesOf(reports[0]);
  llvm::StringMap<size_t> levels; // that have been chosen
  for (size_t level = 1; level < kModes.size(); ++level) {
    auto saving = [&](const auto &loop) {
      return loop.second[levels.lookup(loop.first)] - loop.second[level];
    };
    SmallVector<std::pair<StringRef, Costs>> order(loops.begin(), loops.end());
    llvm::sort(order, [&](auto &a, auto &b) {
      return std::pair(saving(b), a.first) < std::pair(saving(a), b.first);
    });
    for (auto &loop : order) {
      int64_t less = saving(loop);
      if (total <= *choices.bytes || less <= 0)
        break;
      total -= less;
      levels[loop.first] = level;
      chosen.ofLoops[loop.first] = kModes[level];
    }
  }
  return chosen;
}

} // namespace sluice::differentiate
