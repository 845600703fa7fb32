// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much a program takes from files, requests and other ranks before it refuses: one table.
// `--limit NAME=VALUE` changes a row for one process; docs/reference/limits.md shows all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::rt {

enum class Limit : uint8_t {
  kIterations,
  kCallDepth,
  kTensorFileBytes,
  kJsonFileBytes,
  kRequestBytes,
  kJsonDepth,
  kJsonValues,
  kVariablesFileBytes,
  kVariablesHeaderBytes,
  kEarlyTokens,
  kEarlyBytes,
  kDeclarationBytes,
  kStrangers,
  kKernelSeconds,
  kInlineOperations,
  kPackedBytes,
  kCount,
};

struct LimitRow {
  Limit id;
  std::string_view name; // those of bytes end in "-bytes"
  uint64_t standard, least, most;
  std::string_view help;
};

std::span<const LimitRow> limitTable();
// Null if there is none of that name.
const LimitRow *findLimit(std::string_view name);
// "; see --limit NAME", for the end of messages.
std::string seeLimit(Limit limit);

class Limits {
public:
  Limits();
  uint64_t operator[](Limit id) const { return values_[static_cast<size_t>(id)]; }
  void set(Limit id, uint64_t value) { values_[static_cast<size_t>(id)] = value; }

private:
  std::array<uint64_t, static_cast<size_t>(Limit::kCount)> values_;
};

} // namespace sluice::rt
