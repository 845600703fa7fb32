// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop does that spins for a few cycles.
#pragma once

namespace sluice::rt {

inline void pauseSpinning() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace sluice::rt
