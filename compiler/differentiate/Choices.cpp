// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices as users write them.
#include "compiler/differentiate/Choices.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

namespace sluice::differentiate {

std::optional<Memory> memoryFromName(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Memory>>(name)
      .Case("fast", Memory::kFast)
      .Case("balanced", Memory::kBalanced)
      .Case("min", Memory::kMin)
      .Case("segments", Memory::kSegments)
      .Default(std::nullopt);
}

llvm::StringRef nameOf(Memory memory) {
  switch (memory) {
  case Memory::kFast:
    return "fast";
  case Memory::kBalanced:
    return "balanced";
  case Memory::kMin:
    return "min";
  case Memory::kSegments:
    return "segments";
  }
}

bool readMemory(llvm::StringRef text, Choices &choices) {
  if (auto memory = memoryFromName(text)) {
    choices.memory = *memory;
    return true;
  }
  int64_t unit = llvm::StringSwitch<int64_t>(text.take_back(1))
                     .Case("K", 1 << 10)
                     .Case("M", 1 << 20)
                     .Case("G", 1 << 30)
                     .Default(1);
  int64_t count;
  if (text.drop_back(unit == 1 ? 0 : 1).getAsInteger(10, count) || count < 1 ||
      count > std::numeric_limits<int64_t>::max() / unit)
    return false;
  choices.bytes = count * unit;
  return true;
}

std::optional<Products> productsFromName(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Products>>(name)
      .Case("each", Products::kEach)
      .Case("joined", Products::kJoined)
      .Default(std::nullopt);
}

} // namespace sluice::differentiate
