// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a recorded test is replayed for.
#pragma once

#include "tools/sluice-conformance/fixture.h"

namespace sluice::conformance {

enum class Asking {
  kNothing,   // each test as it is
  kGradients, // for the gradients that TensorFlow computed
  kTraining,  // for the training steps that TensorFlow made
};

// The test, or what is made of it to ask the compiler. Graphs that are made go into `folder`.
llvm::Expected<RecordedTest> loadAsking(const TestLocation &location, Asking asking,
                                        const std::string &folder);

} // namespace sluice::conformance
