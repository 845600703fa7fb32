// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every limit of the compiler, and the words for what goes beyond one.
//
// The values leave room for the largest real models. What they keep out are files of a few bytes
// that want all of the memory, and nesting that overflows the stack of a recursive parser.
#include "compiler/import/Limits.h"

#include "compiler/import/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace sluice::import {

// What input may have at most. The second number is the greatest that `--limit` may set: what the
// stack has room for where something recursive follows, and what the runtime can hold.
static constexpr LimitRow kRows[] = {
    {LimitId::kFileBytes, "file-bytes", 2147483647, 2147483647, "bytes of a graph or IR file"},
    {LimitId::kMessageNesting, "message-nesting", 100, 1000,
     "messages inside each other in a graph file"},
    {LimitId::kFields, "fields", 16000000, 2147483647, "messages and texts in a graph file"},
    {LimitId::kNodes, "nodes", 1000000, 100000000, "nodes of a graph"},
    {LimitId::kNameBytes, "name-bytes", 4096, 1048576,
     "bytes of the name of a node, op or attribute"},
    {LimitId::kAttributes, "attributes", 1000, 1000000, "attributes of a node"},
    {LimitId::kNodeValues, "node-values", 1048576, 100000000,
     "inputs of a node, and outputs of a node"},
    {LimitId::kGraphValues, "graph-values", 16000000, 1000000000,
     "inputs and outputs of all nodes"},
    {LimitId::kRank, "rank", 254, 254, "dims of a tensor"},
    {LimitId::kConstantBytes, "constant-bytes", 2147483648, 2147483648,
     "bytes of a constant, or of a variable's value at start"},
    {LimitId::kGrownBytes, "grown-bytes", 67108864, 1099511627776,
     "bytes in memory beyond those in the file: of constants, because a shorter list of values "
     "repeats its last one, and of names in a checkpoint's index, which share beginnings"},
    {LimitId::kLoopNesting, "loop-nesting", 100, 1000, "loops inside each other"},
    {LimitId::kIrNesting, "ir-nesting", 256, 500,
     "brackets inside each other in IR; also operators of one affine expression, and aliases "
     "that name each other"},
    {LimitId::kIrTokens, "ir-tokens", 64000000, 1000000000,
     "words, numbers and signs of IR, after aliases have been replaced by what they stand for"},
    {LimitId::kIrDigits, "ir-digits", 1000, 1000000, "characters of a number in IR"},
    {LimitId::kIrBits, "ir-integer-bits", 1024, 16777215, "bits of an integer type in IR"},
    {LimitId::kJsonBytes, "json-bytes", 16777216, 2147483647,
     "bytes of a JSON file: signatures, cluster"},
    {LimitId::kJsonNesting, "json-nesting", 32, 1000, "brackets inside each other in a JSON file"},
    {LimitId::kJsonBrackets, "json-brackets", 50000, 100000000, "lists and objects in a JSON file"},
    {LimitId::kSignatures, "signatures", 1000, 1000000, "signatures of a program"},
    {LimitId::kFunctions, "functions", 100000, 10000000,
     "functions that are called, each counted once for all equal attributes"},
    {LimitId::kDevices, "devices", 1024, 1024, "devices of a cluster"},
    {LimitId::kLocalDevices, "local-devices", 64, 1024, "devices of this machine"},
    {LimitId::kIndexBytes, "index-bytes", 268435456, 2147483647,
     "bytes of the index file of a checkpoint"},
    {LimitId::kCheckpointEntries, "checkpoint-entries", 1000000, 100000000,
     "tensors of a checkpoint, and parts of tensors"},
    {LimitId::kRestoreCalls, "restore-calls", 1000, 1000000,
     "calls of functions in what restores a checkpoint"},
};

static constexpr bool inOrder() {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (static_cast<size_t>(kRows[i].id) != i)
      return false;
  return std::size(kRows) == kLimitCount;
}
static_assert(inOrder(), "a row for each LimitId, in the order of the enumeration");

std::span<const LimitRow, kLimitCount> limitRows() { return kRows; }

Limits::Limits() {
  for (size_t i = 0; i < values_.size(); ++i)
    values_[i] = kRows[i].value;
}

std::optional<std::string> Limits::set(std::string_view text) {
  auto [name, number] = llvm::StringRef(text).split('=');
  for (size_t i = 0; i < values_.size(); ++i) {
    const LimitRow &row = kRows[i];
    if (name != llvm::StringRef(row.name))
      continue;
    uint64_t value;
    if (number.getAsInteger(10, value) || value > row.greatest)
      return "expected a number from 0 to " + std::to_string(row.greatest) + " for " +
             std::string(row.name) + " but got " + quoted(number);
    values_[i] = value;
    return std::nullopt;
  }
  std::string names;
  for (const LimitRow &row : kRows)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return "expected one of the limits " + names + " but got " + quoted(name);
}

std::string Limits::remedy(LimitId id) const {
  const LimitRow &row = kRows[static_cast<size_t>(id)];
  return (*this)[id] < row.greatest ? "; --limit " + std::string(row.name) + "=N allows more" : "";
}

std::string Limits::excess(LimitId id, std::string_view things, uint64_t amount) const {
  return "expected at most " + std::to_string((*this)[id]) + " " + std::string(things) +
         " but got " + std::to_string(amount) + remedy(id);
}

} // namespace sluice::import
