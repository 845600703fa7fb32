// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns recorded training steps into steps that the compiler makes of the forward graph.
#pragma once

#include "tools/sluice-conformance/fixture.h"

namespace sluice::conformance {

// Its runs are the recorded steps, of a graph without the nodes that TensorFlow's gradient function
// added and what depends on them, trained as that graph was. The graph goes into `folder`, which
// becomes the test's. There are no runs where no steps with derivatives are recorded, or where the
// compiler cannot be asked for such steps.
llvm::Expected<RecordedTest> makeTrainingTest(const RecordedTest &recorded,
                                              const std::string &folder);

} // namespace sluice::conformance
