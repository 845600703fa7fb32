// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of the sci dialect as types, for tables that must lack none.
#pragma once

#include "dialects/nd/AllOps.h"
#include "dialects/sci/Sci.h"

namespace sluice::sci {
// One list after the other; a family may have no ops.
template <typename... A, typename... B> OpTypes<A..., B...> operator+(OpTypes<A...>, OpTypes<B...>);
using AllOps = decltype(OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Special.cpp.inc"
                            >() +
                        OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Bits.cpp.inc"
                            >() +
                        OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Parts.cpp.inc"
                            >() +
                        OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Linear.cpp.inc"
                            >() +
                        OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Fourier.cpp.inc"
                            >() +
                        OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Random.cpp.inc"
                            >() +
                        OpTypes<
#define GET_OP_LIST
#include "dialects/sci/Sparse.cpp.inc"
                            >());
} // namespace sluice::sci
