// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes operations of the statements of one kernel. Each family of instructions has a file.
#pragma once

#include "runtime/sim/ptx_program.h"

#include <initializer_list>

namespace sluice::rt::sim {

// An instruction's name and what is behind its dots. Who knows a part takes it; an instruction is
// known if nothing is left.
class PtxOpcode {
public:
  explicit PtxOpcode(std::string_view text);
  bool is(std::string_view name) const { return name_ == name; }
  std::string_view name() const { return name_; }
  bool take(std::string_view part);
  // Which one of them it has, as a number from 0; -1 for none.
  int takeOne(std::initializer_list<std::string_view> parts);
  void takeAny(std::initializer_list<std::string_view> parts);
  PtxType takeType(); // the first that is one
  bool isEmpty() const { return count_ == 0; }

private:
  void erase(size_t i);
  std::string_view name_;
  static constexpr size_t kMostParts = 12;
  std::string_view parts_[kMostParts];
  size_t count_ = 0;
};

class PtxDecoder {
public:
  PtxDecoder(const PtxFunction &function, PtxKernel &kernel, std::string &problem)
      : function_(function), kernel_(kernel), problem_(problem) {}

  // The address of a variable of the module, or of shared and own memory.
  void addVariable(std::string_view name, uint64_t address);
  void addDynamicShared(std::string_view name);
  bool decode();

  // ---- For the families ------------------------------------------------------------------------
  const PtxStatement &statement() const { return *statement_; }
  size_t operandCount() const { return statement_->operands.size(); }
  // The slot of an operand that is read or written as a value of so many bytes; wider registers are
  // allowed where the instruction says so.
  uint32_t source(size_t operand, PtxType type, bool wider = false);
  uint32_t source(const PtxOperand &operand, PtxType type, bool wider = false);
  uint32_t target(size_t operand, PtxType type, bool wider = false);
  uint32_t target(const PtxOperand &operand, PtxType type, bool wider = false);
  // The bits that a register has.
  uint64_t maskOf(uint32_t slot) const;
  uint32_t predicate(std::string_view name);
  // The slot of the base of an address.
  uint32_t address(size_t operand, int64_t &offset);
  uint32_t constant(uint64_t bits);
  uint32_t scratch(); // a slot that no register is
  PtxOperation &emit(PtxHandler run);
  // A branch to a label, once all are known.
  void branchTo(size_t operation, std::string_view label);
  size_t operationCount() const { return kernel_.code.size(); }
  const PtxFunction &function() const { return function_; }
  std::vector<uint32_t> &lists() { return kernel_.lists; }
  // Where a parameter of the kernel, or of a call, begins in the slots. Null for other names.
  struct Parameter {
    uint32_t slot, bytes;
  };
  const Parameter *parameter(std::string_view name) const;
  // The statement is at fault; the first fault is told.
  void fail(const char *pattern, ...) __attribute__((format(printf, 2, 3)));
  bool hasFailed() const { return failed_; }

private:
  struct Named {
    uint32_t slot;
    PtxType type;
  };
  void declare(uint32_t statement);
  void decodeStatement();
  const Named *find(std::string_view name);
  uint32_t newSlot(uint64_t initial);
  void addParameters();
  void connectBranches();

  struct Branch {
    size_t operation;
    std::string_view label;
    uint32_t line;
  };

  const PtxFunction &function_;
  PtxKernel &kernel_;
  std::string &problem_;
  const PtxStatement *statement_ = nullptr;
  std::unordered_map<std::string, Named> names_;
  std::unordered_map<std::string, Parameter> parameters_;
  std::unordered_map<uint64_t, uint32_t> constants_;
  std::vector<PtxType> types_;   // of slots
  std::vector<uint32_t> starts_; // of statements, in operations
  std::vector<Branch> branches_;
  size_t nextRegister_ = 0, nextVariable_ = 0;
  bool failed_ = false;
};

// The families. Each says whether the instruction is one of its own; what is wrong with it is told
// to the decoder.
bool decodeIntegers(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeBits(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeFloats(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeHalves(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeComparisons(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeConversions(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeMoves(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeMemory(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeAtomics(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeControl(PtxDecoder &decoder, PtxOpcode opcode);
bool decodeExchanges(PtxDecoder &decoder, PtxOpcode opcode);

} // namespace sluice::rt::sim
