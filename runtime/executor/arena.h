// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for what compiled codelets keep while they run: one block for each thread that runs them.
// A codelet has ended when it returns, so the next one on the thread may have the same block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::rt {

// The calling thread's block, with room for that many bytes, aligned to 64; it only grows. Null
// when memory is exhausted. Valid until the thread asks for more.
void *threadArena(size_t bytes);

// Of all threads together.
uint64_t arenaBytes();

} // namespace sluice::rt
