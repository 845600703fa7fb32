// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros that define kernels. kernel_symbols.h declares them all, for those who name them; a
// file that defines some is not compiled again when another one gets more.
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/kernels/kernel.h"

namespace sluice::rt {
// Held objects outlive the call: what changes one does all of it once it has begun, also if the
// call ends meanwhile.
template <Status (*run)(KernelCall &)> Status wholeUpdate(KernelCall &call) {
  if (Cancellation::requestedHere())
    return cancelledWork();
  CancellationScope toItsEnd(nullptr);
  return run(call);
}
} // namespace sluice::rt

// Named sets of element types: M(OP, KEY, DType enumerator, suffix) for each member.
#define SLUICE_SET_FLOAT(M, OP, KEY)                                                               \
  M(OP, KEY, kF16, f16) M(OP, KEY, kBF16, bf16) M(OP, KEY, kF32, f32) M(OP, KEY, kF64, f64)
#define SLUICE_SET_LONG_FLOAT(M, OP, KEY) M(OP, KEY, kF32, f32) M(OP, KEY, kF64, f64)
#define SLUICE_SET_INT(M, OP, KEY)                                                                 \
  M(OP, KEY, kI8, i8)                                                                              \
  M(OP, KEY, kI16, i16)                                                                            \
  M(OP, KEY, kI32, i32)                                                                            \
  M(OP, KEY, kI64, i64) M(OP, KEY, kU8, u8) M(OP, KEY, kU16, u16) M(OP, KEY, kU32, u32)            \
      M(OP, KEY, kU64, u64)
#define SLUICE_SET_COMPLEX(M, OP, KEY) M(OP, KEY, kC64, c64) M(OP, KEY, kC128, c128)
#define SLUICE_SET_BOOL(M, OP, KEY) M(OP, KEY, kBool, bool)
#define SLUICE_SET_STRING(M, OP, KEY) M(OP, KEY, kString, string)

#define SLUICE_EXPAND_KERNEL_SET_FLOAT(M, OP, KEY) SLUICE_SET_FLOAT(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_LONG_FLOAT(M, OP, KEY) SLUICE_SET_LONG_FLOAT(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_INT(M, OP, KEY) SLUICE_SET_INT(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_BOOL(M, OP, KEY) SLUICE_SET_BOOL(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_INDEX(M, OP, KEY) M(OP, KEY, kI32, i32) M(OP, KEY, kI64, i64)
#define SLUICE_EXPAND_KERNEL_SET_REAL(M, OP, KEY)                                                  \
  SLUICE_SET_FLOAT(M, OP, KEY) SLUICE_SET_INT(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_NUMBER(M, OP, KEY)                                                \
  SLUICE_SET_FLOAT(M, OP, KEY) SLUICE_SET_INT(M, OP, KEY) SLUICE_SET_COMPLEX(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_FLOAT_COMPLEX(M, OP, KEY)                                         \
  SLUICE_SET_FLOAT(M, OP, KEY) SLUICE_SET_COMPLEX(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_NUMBER_BOOL(M, OP, KEY)                                           \
  SLUICE_EXPAND_KERNEL_SET_NUMBER(M, OP, KEY) SLUICE_SET_BOOL(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_COMPARABLE(M, OP, KEY)                                            \
  SLUICE_EXPAND_KERNEL_SET_NUMBER_BOOL(M, OP, KEY) SLUICE_SET_STRING(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_NUMBER_STRING(M, OP, KEY)                                         \
  SLUICE_EXPAND_KERNEL_SET_NUMBER(M, OP, KEY) SLUICE_SET_STRING(M, OP, KEY)
#define SLUICE_EXPAND_KERNEL_SET_ANY(M, OP, KEY) M(OP, KEY, kInvalid, any)

// Defines the kernels of OP for every member of SET. KERNEL is a function template
// `template <typename T> constexpr Kernel KERNEL()`; for the set ANY use SLUICE_DEFINE_KERNEL.
#define SLUICE_DEFINE_TYPED(OP, KEY, E, N)                                                         \
  extern "C" const ::sluice::rt::Kernel SLUICE_KERNEL_SYMBOL(OP, N) =                              \
      OP##_kernel<typename ::sluice::rt::CppTypeOf<::sluice::rt::DType::E>::type>();
// Requires `template <typename T> constexpr Kernel OP_kernel()` in scope.
#define SLUICE_DEFINE_KERNELS(OP, SET) SLUICE_EXPAND_KERNEL_SET_##SET(SLUICE_DEFINE_TYPED, OP, 0)
#define SLUICE_DEFINE_KERNEL(OP, ...)                                                              \
  extern "C" const ::sluice::rt::Kernel SLUICE_KERNEL_SYMBOL(OP, any) = __VA_ARGS__;
// Of what has an effect, or hands out objects.
#define SLUICE_DEFINE_EFFECT_KERNEL(OP, SHAPE, RUN)                                                \
  SLUICE_DEFINE_KERNEL(                                                                            \
      OP, {SHAPE, RUN, ::sluice::rt::Kernel::kStateful | ::sluice::rt::Kernel::kAllocates})
// The same, where the effect is on objects that are operands, and may take long.
#define SLUICE_DEFINE_LONG_EFFECT_KERNEL(OP, SHAPE, RUN, WORK)                                     \
  SLUICE_DEFINE_KERNEL(OP, {SHAPE, RUN,                                                            \
                            ::sluice::rt::Kernel::kStateful | ::sluice::rt::Kernel::kAllocates |   \
                                ::sluice::rt::Kernel::kOnWorkers,                                  \
                            nullptr, WORK})
// The same, where those objects change.
#define SLUICE_DEFINE_UPDATE_KERNEL(OP, ...)                                                       \
  SLUICE_DEFINE_LONG_EFFECT_KERNEL(OP, nullptr, ::sluice::rt::wholeUpdate<__VA_ARGS__>, nullptr)
