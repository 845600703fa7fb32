// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of the nn dialect as types, for tables that must lack none.
#pragma once

#include "dialects/nd/AllOps.h"
#include "dialects/nn/Nn.h"

namespace sluice::nn {
using AllOps = OpTypes<
#define GET_OP_LIST
#include "dialects/nn/Convolve.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nn/Pool.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nn/Sequence.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nn/Boxes.cpp.inc"
    >;
} // namespace sluice::nn
