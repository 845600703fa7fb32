// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of devices.
#include "runtime/program/device_choice.h"

#include <charconv>

namespace sluice::rt {

std::optional<DeviceChoice> DeviceChoice::parse(std::string_view text) {
  constexpr uint32_t kMostCards = 1024;
  constexpr std::string_view kNumbered = "cuda:";
  if (text == "cpu")
    return DeviceChoice{Kind::kHost, 0};
  if (text == "sim")
    return DeviceChoice{Kind::kSimulated, 0};
  if (text == "cuda")
    return DeviceChoice{Kind::kCuda, 0};
  if (!text.starts_with(kNumbered))
    return std::nullopt;
  text.remove_prefix(kNumbered.size());
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number >= kMostCards)
    return std::nullopt;
  return DeviceChoice{Kind::kCuda, number};
}

} // namespace sluice::rt
