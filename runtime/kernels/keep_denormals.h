// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exception from runtime/base/denormal_mode.h: what goes on until numbers are small enough
// needs the smallest ones.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice::rt {

class KeepDenormals {
public:
#if defined(__x86_64__)
  KeepDenormals() : before_(_mm_getcsr()) { _mm_setcsr(static_cast<unsigned>(before_) & ~0x8040u); }
  ~KeepDenormals() { _mm_setcsr(static_cast<unsigned>(before_)); }
#elif defined(__aarch64__)
  KeepDenormals() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" : : "r"(before_ & ~(uint64_t{1} << 24)));
  }
  ~KeepDenormals() { asm volatile("msr fpcr, %0" : : "r"(before_)); }
#else
#error "this target's way to treat denormals as zero is not known"
#endif
  KeepDenormals(const KeepDenormals &) = delete;
  KeepDenormals &operator=(const KeepDenormals &) = delete;

private:
  uint64_t before_ = 0;
};

} // namespace sluice::rt
