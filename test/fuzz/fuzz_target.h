// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of this folder share: each has one function, which libFuzzer calls with bytes.
//
// A target returns 0, or -1 for bytes that belong to another target and are not worth keeping. A
// broken promise ends the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace sluice::fuzz {

inline std::string_view textOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

inline void require(bool kept, const char *promise) {
  if (kept)
    return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

} // namespace sluice::fuzz
