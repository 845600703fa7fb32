// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements, one after the other: guards, families, branches.
#include "runtime/sim/ptx_decoder.h"

#include "runtime/sim/ptx_thread.h"
#include "runtime/sim/report.h"

#include <cstdarg>

namespace sluice::rt::sim {

// ---- Opcodes ------------------------------------------------------------------------------------

PtxOpcode::PtxOpcode(std::string_view text) {
  size_t dot = text.find('.');
  name_ = text.substr(0, dot);
  while (dot != std::string_view::npos && count_ < kMostParts) {
    text.remove_prefix(dot + 1);
    dot = text.find('.');
    parts_[count_++] = text.substr(0, dot);
  }
}

void PtxOpcode::erase(size_t i) {
  for (--count_; i < count_; ++i)
    parts_[i] = parts_[i + 1];
}

bool PtxOpcode::take(std::string_view part) {
  for (size_t i = 0; i < count_; ++i)
    if (parts_[i] == part) {
      erase(i);
      return true;
    }
  return false;
}

int PtxOpcode::takeOne(std::initializer_list<std::string_view> parts) {
  int number = 0;
  for (std::string_view part : parts) {
    if (take(part))
      return number;
    ++number;
  }
  return -1;
}

void PtxOpcode::takeAny(std::initializer_list<std::string_view> parts) {
  for (std::string_view part : parts)
    take(part);
}

PtxType PtxOpcode::takeType() {
  for (size_t i = 0; i < count_; ++i)
    if (PtxType type = ptxType(parts_[i]); type != PtxType::kNone) {
      erase(i);
      return type;
    }
  return PtxType::kNone;
}

// ---- Statements ---------------------------------------------------------------------------------

void PtxDecoder::fail(const char *pattern, ...) {
  if (failed_)
    return;
  char message[256];
  va_list values;
  va_start(values, pattern);
  vsnprintf(message, sizeof message, pattern, values);
  va_end(values);
  failed_ = true;
  uint32_t line = statement_ ? statement_->line : function_.line;
  problem_ = text("line %u, in '%s': %s", line, function_.name.c_str(), message);
}

PtxOperation &PtxDecoder::emit(PtxHandler run) {
  kernel_.code.push_back({});
  kernel_.code.back().run = run;
  kernel_.lines.push_back(statement_ ? statement_->line : 0);
  return kernel_.code.back();
}

void PtxDecoder::branchTo(size_t operation, std::string_view label) {
  branches_.push_back({operation, label, statement_->line});
}

static const PtxOperation *leaveOut(PtxThread &thread, const PtxOperation *operation) {
  return operation +
         (bool(thread.slots[operation->a]) == bool(operation->b) ? 1 : operation->offset);
}

static const PtxOperation *end(PtxThread &, const PtxOperation *) { return nullptr; }

void PtxDecoder::decodeStatement() {
  size_t guard = operationCount();
  bool isGuarded = !statement_->guard.empty();
  if (isGuarded) {
    uint32_t slot = predicate(statement_->guard);
    PtxOperation &one = emit(leaveOut);
    one.a = slot;
    one.b = !statement_->guardNegated;
  }
  PtxOpcode opcode(statement_->opcode);
  bool known = false;
  for (auto *family : {decodeIntegers, decodeBits, decodeFloats, decodeHalves, decodeComparisons,
                       decodeConversions, decodeMoves, decodeMemory, decodeAtomics, decodeControl,
                       decodeExchanges})
    known = known || family(*this, opcode);
  if (!known)
    fail("unknown instruction '%s'", std::string(statement_->opcode.substr(0, 60)).c_str());
  if (isGuarded)
    kernel_.code[guard].offset = int64_t(operationCount() - guard);
}

void PtxDecoder::connectBranches() {
  for (const Branch &branch : branches_) {
    auto label = function_.labels.find(branch.label);
    if (label == function_.labels.end()) {
      statement_ = nullptr;
      return fail("expected the label '%s', which line %u names",
                  std::string(branch.label.substr(0, 60)).c_str(), branch.line);
    }
    int64_t distance = int64_t(starts_[label->second]) - int64_t(branch.operation);
    // Tables of targets are lists, which a switch indexes.
    if (PtxOperation &one = kernel_.code[branch.operation]; !one.count)
      one.offset = distance;
    else
      kernel_.lists[one.first + one.c++] = uint32_t(int32_t(distance));
  }
}

bool PtxDecoder::decode() {
  addParameters();
  for (const PtxStatement &one : function_.statements) {
    declare(starts_.size());
    starts_.push_back(operationCount());
    statement_ = &one;
    decodeStatement();
    if (failed_)
      return false;
  }
  starts_.push_back(operationCount());
  emit(end); // a body may end without `ret`
  connectBranches();
  return !failed_;
}

} // namespace sluice::rt::sim
