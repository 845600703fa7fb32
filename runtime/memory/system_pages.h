// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of the system's, which count as held from when they are mapped.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::rt {

// Zeros; null when memory is exhausted. Sizes are multiples of kPageBytes.
void *mapPages(size_t bytes);
void unmapPages(void *pages, size_t bytes);
// The same pages with others behind them, or fewer, perhaps elsewhere; nothing is copied. Null, and
// nothing has changed, when memory is exhausted or the system cannot do that.
void *moveToSize(void *pages, size_t bytes, size_t newBytes);

// How often pages were mapped or moved.
uint64_t systemAllocations();

} // namespace sluice::rt
