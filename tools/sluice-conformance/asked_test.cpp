// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses what is made of a recorded test.
#include "tools/sluice-conformance/asked_test.h"

#include "tools/sluice-conformance/gradient_test.h"
#include "tools/sluice-conformance/training_test.h"

namespace sluice::conformance {

llvm::Expected<RecordedTest> loadAsking(const TestLocation &location, Asking asking,
                                        const std::string &folder) {
  llvm::Expected<RecordedTest> recorded = loadTest(location);
  if (!recorded)
    return recorded;
  switch (asking) {
  case Asking::kNothing:
    return recorded;
  case Asking::kGradients:
    return makeGradientTest(*recorded, folder);
  case Asking::kTraining:
    return makeTrainingTest(*recorded, folder);
  }
  llvm_unreachable("all cases return");
}

} // namespace sluice::conformance
