// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the host computes while it runs a kernel: denormals as the kernel's code wants them, whatever
// the thread that called the driver does.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice::rt::sim {

class KernelArithmetic {
public:
#if defined(__x86_64__)
  explicit KernelArithmetic(bool flushesDenormals) : before_(_mm_getcsr()) {
    _mm_setcsr(0x1f80 |
               (flushesDenormals ? 0x8040 : 0)); // all exceptions masked, rounds to nearest
  }
  ~KernelArithmetic() { _mm_setcsr(static_cast<unsigned>(before_)); }
#elif defined(__aarch64__)
  explicit KernelArithmetic(bool flushesDenormals) {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" : : "r"(uint64_t{flushesDenormals} << 24));
  }
  ~KernelArithmetic() { asm volatile("msr fpcr, %0" : : "r"(before_)); }
#else
#error "this target's way to treat denormals as zero is not known"
#endif
  KernelArithmetic(const KernelArithmetic &) = delete;
  KernelArithmetic &operator=(const KernelArithmetic &) = delete;

private:
  uint64_t before_ = 0;
};

} // namespace sluice::rt::sim
