// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a recorded test into one that asks the compiler for the gradients TensorFlow computed.
#pragma once

#include "tools/sluice-conformance/fixture.h"

namespace sluice::conformance {

// Its runs are those with derivatives that can be compared, each of a graph without the nodes that
// TensorFlow's gradient function added. The graphs go into `folder`, which becomes the test's.
// There may be no runs.
llvm::Expected<RecordedTest> makeGradientTest(const RecordedTest &recorded,
                                              const std::string &folder);

} // namespace sluice::conformance
