// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long loops in pieces: idle threads take part in them, and once the call that they work for is to
// end, what has not begun is left out. What the pieces are follows from sizes alone.
#pragma once

#include "runtime/base/cancellation.h"

#include <algorithm>
#include <cstddef>

namespace sluice::rt {

// The cost of a piece, some 10 us: enough that handing it over is little beside it. A cost is as
// that of parallel.h; of what moves through memory, it is so many bytes.
inline constexpr int64_t kCostOfPiece = int64_t{1} << 16;

// How many items are a piece, if each costs so much; the cost is at least 1.
constexpr int64_t itemsOfPiece(int64_t cost) { return std::max<int64_t>(1, kCostOfPiece / cost); }

// Of so many items together, of none that of one; more than a piece is as good as any.
constexpr int64_t costOfAll(int64_t items, int64_t cost) {
  return std::clamp<int64_t>(items, 1, kCostOfPiece) * cost;
}

inline bool isOnePiece(int64_t items, int64_t cost) {
  int64_t all;
  return !__builtin_mul_overflow(items, cost, &all) && all <= kCostOfPiece;
}

using RangeFn = void (*)(const void *context, int64_t begin, int64_t end);
void runRanges(int64_t items, int64_t size, int64_t costOfPiece, RangeFn run, const void *context);

// function(begin, end) for pieces of [0, items), in any order, on this thread and on others. What
// is one piece is done here and now. Each gets a copy of the function, so that the loops of one
// that captures values have them in registers.
template <typename Function> void forPieces(int64_t items, int64_t cost, const Function &function) {
  if (isOnePiece(items, cost))
    return Function(function)(int64_t{0}, items);
  runRanges(
      items, itemsOfPiece(cost), std::max(cost, kCostOfPiece),
      [](const void *context, int64_t begin, int64_t end) {
        Function (*static_cast<const Function *>(context))(begin, end);
      },
      &function);
}

// For loops whose turns follow each other and cost so much each.
class TurnsOfCall {
public:
  explicit TurnsOfCall(int64_t cost) : some_(itemsOfPiece(cost)) {}
  // Asked at the begin of each turn: whether the call is to end.
  bool end() {
    if (--left_ > 0)
      return false;
    left_ = some_;
    return Cancellation::requestedHere();
  }

private:
  int64_t some_, left_ = 1;
};

// Of plain memory, as memcpy and memset.
void copyInPieces(void *to, const void *from, size_t bytes);
void clearInPieces(void *to, size_t bytes);

} // namespace sluice::rt
