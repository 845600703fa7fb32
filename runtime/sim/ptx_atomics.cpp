// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates: threads run one at a time, so each is one anyway.
#include "runtime/sim/ptx_dispatch.h"
#include "runtime/sim/ptx_float_values.h"

#include <algorithm>

namespace sluice::rt::sim {

namespace {

struct Add {
  template <typename T> T operator()(T a, T b) { return T(uint64_t(a) + uint64_t(b)); }
};
struct Minimum {
  template <typename T> T operator()(T a, T b) { return std::min(a, b); }
};
struct Maximum {
  template <typename T> T operator()(T a, T b) { return std::max(a, b); }
};
struct And {
  template <typename T> T operator()(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> T operator()(T a, T b) { return a | b; }
};
struct Xor {
  template <typename T> T operator()(T a, T b) { return a ^ b; }
};
struct Exchange {
  template <typename T> T operator()(T, T b) { return b; }
};
struct AddFloats {
  template <typename T> T operator()(T a, T b) { return settled(a + b); }
};
// In the device's memory, and not in a block's, denormals of f32 are zeros.
struct AddFlushed {
  float operator()(float a, float b) { return settled(flushed(flushed(a) + flushed(b))); }
};

template <PtxSpace space, typename T, typename F>
const PtxOperation *update(PtxThread &thread, const PtxOperation *operation) {
  char *place = thread.place<space>(thread.slots[operation->a] + operation->offset, sizeof(T),
                                    AccessKind::kAtomic);
  T before;
  memcpy(&before, place, sizeof before);
  T after = F()(before, thread.get<T>(operation->b));
  memcpy(place, &after, sizeof after);
  thread.set(operation->d, before);
  return operation + 1;
}

template <PtxSpace space, typename T>
const PtxOperation *compareAndSwap(PtxThread &thread, const PtxOperation *operation) {
  char *place = thread.place<space>(thread.slots[operation->a] + operation->offset, sizeof(T),
                                    AccessKind::kAtomic);
  T before;
  memcpy(&before, place, sizeof before);
  if (before == thread.get<T>(operation->b))
    memcpy(place, &thread.slots[operation->c], sizeof(T));
  thread.set(operation->d, before);
  return operation + 1;
}

enum Operation { kAdd, kMinimum, kMaximum, kAnd, kOr, kXor, kExchange, kCompareAndSwap };

template <PtxSpace space, typename T> PtxHandler integerHandler(int operation) {
  switch (operation) {
  case kAdd:
    return update<space, T, Add>;
  case kMinimum:
    return update<space, T, Minimum>;
  case kMaximum:
    return update<space, T, Maximum>;
  case kAnd:
    return update<space, T, And>;
  case kOr:
    return update<space, T, Or>;
  case kXor:
    return update<space, T, Xor>;
  case kExchange:
    return update<space, T, Exchange>;
  default:
    return compareAndSwap<space, T>;
  }
}

template <PtxSpace space> PtxHandler handlerOf(PtxType type, int operation) {
  if (type == PtxType::kF32 && operation == kAdd)
    return update<space, float,
                  std::conditional_t<space == PtxSpace::kShared, AddFloats, AddFlushed>>;
  if (type == PtxType::kF64 && operation == kAdd)
    return update<space, double, AddFloats>;
  return forIntegers(type, [&](auto tag) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    if constexpr (sizeof(T) >= 4)
      return integerHandler<space, T>(operation);
    return nullptr;
  });
}

} // namespace

bool decodeAtomics(PtxDecoder &decoder, PtxOpcode opcode) {
  bool answers = opcode.is("atom");
  if (!answers && !opcode.is("red"))
    return false;
  opcode.takeAny({"relaxed", "acquire", "release", "acq_rel", "cta", "gpu", "sys"});
  int space = opcode.takeOne({"global", "shared", "shared::cta"});
  int operation = opcode.takeOne({"add", "min", "max", "and", "or", "xor", "exch", "cas"});
  PtxType type = opcode.takeType();
  size_t sources = operation == kCompareAndSwap ? 2 : 1;
  PtxHandler handler = space < 0    ? handlerOf<PtxSpace::kGeneric>(type, operation)
                       : space == 0 ? handlerOf<PtxSpace::kGlobal>(type, operation)
                                    : handlerOf<PtxSpace::kShared>(type, operation);
  if (operation < 0 || !handler || !opcode.isEmpty() ||
      decoder.operandCount() != sources + answers + 1)
    return false;
  uint32_t d = answers ? decoder.target(0, type) : decoder.scratch();
  int64_t offset = 0;
  uint32_t a = decoder.address(answers, offset), b = decoder.source(answers + 1, type);
  uint32_t c = sources == 2 ? decoder.source(answers + 2, type) : 0;
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = a;
  one.b = b;
  one.c = c;
  one.offset = offset;
  return true;
}

} // namespace sluice::rt::sim
