// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of the nd dialect as types, for tables that must lack none.
#pragma once

#include "dialects/nd/text/Text.h"

namespace sluice {

template <typename... Ops> struct OpTypes {};

// The op's name, "nd.add", for checks when this is compiled.
template <typename Op>
constexpr std::string_view kNameOf(Op::getOperationName().data(), Op::getOperationName().size());

namespace nd {
using AllOps = OpTypes<
#define GET_OP_LIST
#include "dialects/nd/Elementwise.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/Index.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/Layout.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/Matmul.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/Records.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/Reduce.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/ShapeOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "dialects/nd/Text.cpp.inc"
    >;
} // namespace nd
} // namespace sluice
