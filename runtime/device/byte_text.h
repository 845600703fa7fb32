// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of bytes for messages.
#pragma once

#include "runtime/base/status.h"

namespace sluice::rt {

// "512 bytes", "2 MiB", "1.5 GiB".
inline std::string byteText(uint64_t bytes) {
  constexpr const char *kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < sizeof kUnits / sizeof *kUnits; ++unit)
    value /= 1024;
  bool whole = value == static_cast<double>(static_cast<uint64_t>(value));
  return format(whole ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
}

} // namespace sluice::rt
