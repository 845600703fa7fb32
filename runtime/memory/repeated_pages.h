// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that holds the same element everywhere. Much of it takes few pages of the machine's, which
// are mapped again and again.
#pragma once

#include <cstddef>

namespace sluice::rt {

// Writes the `size` bytes of an element over and over; `bytes` is a multiple of `size`.
void fillWith(const void *element, size_t size, void *to, size_t bytes);

// Read-only memory full of an element, whose size divides a page. It takes a 256th of `bytes`, but
// 64 KiB to 64 MiB. Null if the system has no such memory to give.
const void *mapRepeated(const void *element, size_t size, size_t bytes);
void unmapRepeated(const void *mapped, size_t bytes);

} // namespace sluice::rt
