// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX as it is written: variables, kernels, statements. What instructions mean is not said here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::rt::sim {

enum class PtxType : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kBF16,
  kF16x2,
  kBF16x2,
  kF32,
  kF64,
};

// "f32"; kNone for what is no type.
PtxType ptxType(std::string_view name);
uint32_t bytesOf(PtxType type);

enum class PtxSpace : uint8_t { kGeneric, kGlobal, kShared, kLocal, kParameter, kConstant };

struct PtxOperand {
  enum Kind : uint8_t {
    kName,    // a register, a variable, a label
    kInteger, // 12, -1, 0x10
    kFloat,   // 0f3F800000: its bits
    kDouble,  // 0d3FF0000000000000: its bits
    kAddress, // [name + offset] or [offset]
    kList,    // {a, b}
  };
  Kind kind = kName;
  bool negated = false;         // !%p1
  std::string_view name;        // of addresses as well
  std::string_view second;      // the %p1 of %r1|%p1
  uint64_t bits = 0;            // of numbers
  int64_t offset = 0;           // of addresses
  std::vector<PtxOperand> list; // of lists, and parameters of calls
};

struct PtxStatement {
  uint32_t line = 0;
  std::string_view guard; // of @%p1
  bool guardNegated = false;
  std::string_view opcode; // "add.rn.f32"
  std::vector<PtxOperand> operands;
};

struct PtxVariable {
  std::string name;
  PtxSpace space = PtxSpace::kGlobal;
  uint32_t alignment = 1;
  uint64_t bytes = 0;      // 0: as many as the launch says
  std::string initial;     // what it begins with; zeros behind its end
  uint32_t declaredAt = 0; // variables of a body: the number of the statement that comes next
};

struct PtxRegister {
  std::string name;
  PtxType type = PtxType::kNone;
  uint32_t count = 0;      // of %r<count>: %r0, %r1, …; 0 if it is a single one
  uint32_t declaredAt = 0; // as above
};

struct PtxFunction {
  std::string name;
  uint32_t line = 0;
  std::vector<PtxVariable> parameters;
  uint32_t block[3] = {0, 0, 0}; // 0: anything
  std::vector<PtxRegister> registers;
  std::vector<PtxVariable> variables; // those that it declares
  std::vector<PtxStatement> statements;
  std::unordered_map<std::string_view, uint32_t> labels; // the statement that comes next
  std::unordered_map<std::string_view, std::vector<std::string_view>> branchTargets;
};

struct PtxText {
  std::string text; // views point into it
  uint32_t architecture = 0;
  std::vector<PtxVariable> variables;
  std::vector<PtxFunction> kernels;
};

// False, with the line and what is wrong.
bool parsePtx(std::string_view text, PtxText &parsed, std::string &problem);

} // namespace sluice::rt::sim
