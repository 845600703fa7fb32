// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the function for a type: `forTypes<T1, T2>(…)` calls a template with the C++ type.
#pragma once

#include "runtime/sim/ptx_decoder.h"
#include "runtime/sim/ptx_thread.h"

#include <type_traits>

namespace sluice::rt::sim {

template <typename T> struct PtxTypeTag {
  using Type = T;
};

// `visit` gets a tag of the type; null for types that are no integers. Bits count as unsigned.
template <typename Visit> PtxHandler forIntegers(PtxType type, Visit visit) {
  switch (type) {
  case PtxType::kB8:
  case PtxType::kU8:
    return visit(PtxTypeTag<uint8_t>());
  case PtxType::kS8:
    return visit(PtxTypeTag<int8_t>());
  case PtxType::kB16:
  case PtxType::kU16:
    return visit(PtxTypeTag<uint16_t>());
  case PtxType::kS16:
    return visit(PtxTypeTag<int16_t>());
  case PtxType::kB32:
  case PtxType::kU32:
    return visit(PtxTypeTag<uint32_t>());
  case PtxType::kS32:
    return visit(PtxTypeTag<int32_t>());
  case PtxType::kB64:
  case PtxType::kU64:
    return visit(PtxTypeTag<uint64_t>());
  case PtxType::kS64:
    return visit(PtxTypeTag<int64_t>());
  default:
    return nullptr;
  }
}

// ---- Operations of one, two and three values, by a function object ------------------------------

template <typename T, typename F>
const PtxOperation *unary(PtxThread &thread, const PtxOperation *operation) {
  thread.set(operation->d, F()(thread.get<T>(operation->a)));
  return operation + 1;
}

template <typename T, typename F>
const PtxOperation *binary(PtxThread &thread, const PtxOperation *operation) {
  thread.set(operation->d, F()(thread.get<T>(operation->a), thread.get<T>(operation->b)));
  return operation + 1;
}

template <typename T, typename F>
const PtxOperation *ternary(PtxThread &thread, const PtxOperation *operation) {
  thread.set(operation->d, F()(thread.get<T>(operation->a), thread.get<T>(operation->b),
                               thread.get<T>(operation->c)));
  return operation + 1;
}

// Emits one with a target and so many sources, all of one type; false without a handler.
inline bool emitSameTypes(PtxDecoder &decoder, PtxHandler handler, PtxType type, size_t sources) {
  if (!handler || decoder.operandCount() != sources + 1)
    return false;
  uint32_t d = decoder.target(0, type), slots[3] = {};
  for (size_t i = 0; i < sources; ++i)
    slots[i] = decoder.source(i + 1, type);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = slots[0];
  one.b = slots[1];
  one.c = slots[2];
  return true;
}

} // namespace sluice::rt::sim
