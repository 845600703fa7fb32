// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Denormal floats count as zero while kernels run, on every thread alike, as in TensorFlow.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice::rt {

class FlushDenormals {
public:
#if defined(__x86_64__)
  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(static_cast<unsigned>(before_) | 0x8040); // flush to zero, denormals are zero
  }
  ~FlushDenormals() { _mm_setcsr(static_cast<unsigned>(before_)); }
#elif defined(__aarch64__)
  FlushDenormals() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" : : "r"(before_ | (uint64_t{1} << 24)));
  }
  ~FlushDenormals() { asm volatile("msr fpcr, %0" : : "r"(before_)); }
#else
#error "this target's way to treat denormals as zero is not known"
#endif
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;

private:
  uint64_t before_ = 0;
};

} // namespace sluice::rt
