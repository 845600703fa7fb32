// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users choose about derivatives.
#pragma once

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <optional>

namespace sluice::differentiate {

// How much may be computed again to save memory.
enum class Memory : uint8_t {
  kFast,     // what only moves elements, or compares them
  kBalanced, // also what computes element by element
  kMin,      // also products and reductions: all that computes
  kSegments, // whole iterations (Segments.h)
};

// How products are summed that a loop's iterations give to the derivative of one matrix.
enum class Products : uint8_t {
  kEach,   // each is a product of its own, and then added
  kJoined, // they are one product of all iterations' rows and columns
};

struct Choices {
  Memory memory = Memory::kFast;
  Products products = Products::kJoined;
  std::optional<int64_t> bytes = {};    // that may be saved; then `memory` says nothing (Budget.h)
  llvm::StringMap<Memory> ofLoops = {}; // by their frames, where it is not `memory`

  Memory memoryOf(llvm::StringRef frame) const {
    auto chosen = ofLoops.find(frame);
    return chosen == ofLoops.end() ? memory : chosen->second;
  }
};

// "fast", "balanced", "min", "segments".
std::optional<Memory> memoryFromName(llvm::StringRef name);
llvm::StringRef nameOf(Memory memory);
// One of those, or a number of bytes, as 1000000, 512K, 64M or 2G. False for other texts.
bool readMemory(llvm::StringRef text, Choices &choices);
// "each", "joined".
std::optional<Products> productsFromName(llvm::StringRef name);

} // namespace sluice::differentiate
