// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline functions that every firing calls, in headers that files compiled for size include, too.
//
// Of a function that was not inlined the linker keeps one copy, and that may be one made for size.
// So what is compiled for speed never calls these, but always inlines them.
#pragma once

#ifdef __OPTIMIZE_SIZE__
#define SLUICE_HOT_INLINE
#else
#define SLUICE_HOT_INLINE [[gnu::always_inline]]
#endif
