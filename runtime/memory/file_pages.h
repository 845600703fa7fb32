// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is a part of a file until it is written to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::rt {

// The file must have so many bytes, at least one, from `offset` on. Counts as held memory: each
// page may become one of our own. Null if the system refuses, or pages do not begin at `offset`.
void *mapFilePages(int descriptor, uint64_t offset, size_t bytes);
void unmapFilePages(void *mapped, size_t bytes);

} // namespace sluice::rt
