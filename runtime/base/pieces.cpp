// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pieces are shared out, and which are left out.
#include "runtime/base/pieces.h"

#include "runtime/base/parallel.h"

#include <cstring>

namespace sluice::rt {

void runRanges(int64_t items, int64_t size, int64_t costOfPiece, RangeFn run, const void *context) {
  const int64_t pieces = (items + size - 1) / size;
  auto runPiece = [&](int64_t piece) {
    if (!Cancellation::requestedHere())
      run(context, piece * size, std::min(items, (piece + 1) * size));
  };
  parallelFor(pieces, runPiece, costOfPiece);
}

// Where there is nothing, there may be no memory either.
void copyInPieces(void *to, const void *from, size_t bytes) {
  if (bytes == 0)
    return;
  forPieces(static_cast<int64_t>(bytes), 1, [&](int64_t begin, int64_t end) {
    std::memcpy(static_cast<char *>(to) + begin, static_cast<const char *>(from) + begin,
                static_cast<size_t>(end - begin));
  });
}

void clearInPieces(void *to, size_t bytes) {
  if (bytes == 0)
    return;
  forPieces(static_cast<int64_t>(bytes), 1, [&](int64_t begin, int64_t end) {
    std::memset(static_cast<char *>(to) + begin, 0, static_cast<size_t>(end - begin));
  });
}

} // namespace sluice::rt
