// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose test has a loop in it, for cards, which do a test twice: before the first iteration,
// and at the end of each. The same loop does its test at the beginning of an iteration, and the
// rest only if that holds:
//
//   while (test(v)) v = body(v)   →   goesOn = true
//                                     while (goesOn) {goesOn = test(v); if (goesOn) v = body(v)}
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::codegen {

bool hasLoopInTest(flow::WhileOp loop);
// Replaces the loop; it has no tokens inside. Null, and nothing has changed, if its results are
// computed by the test.
flow::WhileOp moveTestIntoBody(flow::WhileOp loop);

} // namespace sluice::codegen
