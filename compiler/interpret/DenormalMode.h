// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Denormal floats count as zero while a call runs, as in TensorFlow's threads.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice::interpret {

class DenormalsAreZero {
public:
  DenormalsAreZero() : before_(read()) { write(before_ | kFlushBits); }
  ~DenormalsAreZero() { write(before_); }
  DenormalsAreZero(const DenormalsAreZero &) = delete;
  DenormalsAreZero &operator=(const DenormalsAreZero &) = delete;

private:
#if defined(__x86_64__)
  static constexpr uint64_t kFlushBits = 0x8040; // results and operands
  static uint64_t read() { return _mm_getcsr(); }
  static void write(uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
#elif defined(__aarch64__)
  static constexpr uint64_t kFlushBits = uint64_t{1} << 24;
  static uint64_t read() {
    uint64_t mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void write(uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#else
#error "this target's way to treat denormals as zero is not known"
#endif
  const uint64_t before_;
};

} // namespace sluice::interpret
