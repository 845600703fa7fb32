// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler accepts at most. The numbers are in Limits.cpp and docs/reference/limits.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::import {

enum class LimitId : uint8_t {
  kFileBytes,
  kMessageNesting,
  kFields,
  kNodes,
  kNameBytes,
  kAttributes,
  kNodeValues,
  kGraphValues,
  kRank,
  kConstantBytes,
  kGrownBytes,
  kLoopNesting,
  kIrNesting,
  kIrTokens,
  kIrDigits,
  kIrBits,
  kJsonBytes,
  kJsonNesting,
  kJsonBrackets,
  kSignatures,
  kFunctions,
  kDevices,
  kLocalDevices,
  kIndexBytes,
  kCheckpointEntries,
  kRestoreCalls,
};
inline constexpr size_t kLimitCount = static_cast<size_t>(LimitId::kRestoreCalls) + 1;

struct LimitRow {
  LimitId id;
  std::string_view name;
  uint64_t value;
  uint64_t greatest; // that `--limit` may set
  std::string_view what;
};

// One for each limit, in order.
std::span<const LimitRow, kLimitCount> limitRows();

class Limits {
public:
  Limits();

  uint64_t operator[](LimitId id) const { return values_[static_cast<size_t>(id)]; }
  bool allows(LimitId id, uint64_t amount) const { return amount <= (*this)[id]; }

  // `text` is "name=value". What is wrong with it, or nothing.
  std::optional<std::string> set(std::string_view text);

  // "expected at most 100 nodes but got 101; --limit nodes=N allows more".
  std::string excess(LimitId id, std::string_view things, uint64_t amount) const;
  // "; --limit nodes=N allows more", or nothing where no more can be allowed.
  std::string remedy(LimitId id) const;

private:
  std::array<uint64_t, kLimitCount> values_;
};

} // namespace sluice::import
