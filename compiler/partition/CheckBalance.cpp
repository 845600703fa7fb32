// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// partition-check-balance: proves that every message has a recv and every recv a message.
//
// The proof goes by the iterations of a frame. A pivot decides about each of them. On its own rank,
// and through the control loops on the others, exactly those that it decided for exist (checkGates,
// checkStops); in each of them, every send fires (checkEveryIteration) and so does every recv,
// because its gate is there (checkGates) and the message is on its way (checkPairs, checkFrames,
// checkCircles). Nested frames follow by induction: they are entered once in each iteration of the
// frame around them.
#include "compiler/partition/Balance.h"
#include "compiler/partition/Passes.h"

using namespace mlir;

namespace sluice::partition {
#define GEN_PASS_DEF_PARTITIONCHECKBALANCE
#include "compiler/partition/Passes.h.inc"
} // namespace sluice::partition

namespace {

using namespace sluice::partition;

struct CheckBalance : sluice::partition::impl::PartitionCheckBalanceBase<CheckBalance> {
  void runOnOperation() override {
    FailureOr<std::vector<Parts>> signatures = Parts::read(getOperation());
    if (failed(signatures))
      return signalPassFailure();
    for (const Parts &parts : *signatures) {
      for (auto check :
           {checkPairs, checkFrames, checkGates, checkEveryIteration, checkStops, checkCircles})
        if (failed(check(parts)))
          return signalPassFailure();
      numProven += parts.wires().size();
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
