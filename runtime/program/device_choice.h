// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program runs on, of what it was compiled for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::rt {

// Where it was compiled for, its host alone, or cards of a kind from a number on.
struct DeviceChoice {
  enum class Kind : uint8_t { kAsCompiled, kHost, kCuda, kSimulated };
  Kind kind = Kind::kAsCompiled;
  uint32_t firstCard = 0;

  // "cpu", "cuda", "cuda:1", "sim"; nothing for other texts.
  static std::optional<DeviceChoice> parse(std::string_view text);
};

// What such a text may be, for messages.
inline constexpr std::string_view kDeviceChoices = "cpu, cuda, cuda:N or sim";

// Whether values that lists keep move from a card's memory to the host's.
enum class Swapping : uint8_t {
  kNever,
  kWhenFull, // from half of the card's memory on
  kAlways,   // whatever is large enough
};

} // namespace sluice::rt
