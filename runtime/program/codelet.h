// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A codelet of a loaded program: its code, and what the runtime must know to call it or to do
// without.
#pragma once

#include "runtime/codelet/abi.h"
#include "runtime/kernels/kernel.h"
#include "runtime/program/node_kind.h"

#include <string_view>
#include <vector>

namespace sluice::rt {

// Values within a codelet are numbered: its inputs, its constants, then the members' results.
struct CodeletMember {
  std::string_view name;
  const Kernel *kernel = nullptr;
  std::vector<uint32_t> inputs;
  std::vector<DType> outputTypes;
  uint32_t firstResult = 0;       // number of the first of its results, the others follow
  std::vector<uint32_t> released; // results of members that nobody needs afterwards
  Attrs attrs;
};

// A kernel that the code calls.
struct CodeletCall {
  struct Input {
    const Tensor *constant = nullptr; // null: in a box
    uint32_t box = 0;
  };
  const Kernel *kernel = nullptr;
  std::vector<Input> inputs;
  std::vector<DType> outputTypes;
  std::vector<uint32_t> results; // boxes
  Attrs attrs;
};

struct CodeletOutput {
  static constexpr uint32_t kNoBox = ~0u;
  DType dtype = DType::kInvalid;
  Shape shape;           // complete, unless the code has `sizes`
  size_t bytes = 0;      // when the shape is complete
  uint32_t value = 0;    // of codelets with members
  uint32_t box = kNoBox; // where it is in the end, unless the code writes it
  MemoryNumber memory = kHostMemory;
};

struct Codelet {
  // Those may be fired with arrays of fixed size on the stack.
  static constexpr size_t kFewInputs = 16, kFewOutputs = 8;

  const SluiceCodelet *code = nullptr;
  uint32_t numInputs = 0;
  uint32_t floatOps = 0;             // ops with a float result that run once in each firing
  uint64_t work = 0;                 // estimated elementary operations of a firing; 0: not known
  MemoryNumber memory = kHostMemory; // a card's: the code enqueues kernels there
  uint32_t stream = 0;               // there, counted from the one where the call begins
  bool small = false; // few inputs and outputs, and those of a known size that fits into tokens
  std::vector<const Tensor *> constants;
  std::vector<CodeletMember> members; // empty: there is no doing without the code
  // Loops, or branches, of which nobody knows how much work they are.
  bool isUnmeasured() const { return members.empty() && work == 0; }
  uint32_t numResults = 0; // of all members
  std::vector<CodeletOutput> outputs;
  uint32_t numBoxes = 0;
  std::vector<CodeletCall> calls;
  std::vector<std::string_view> errorMembers, errorReasons;
};

} // namespace sluice::rt
