// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// partition-explain: prints what is sent.
#include "compiler/partition/Explain.h"
#include "compiler/partition/Passes.h"

using namespace mlir;

namespace sluice::partition {
#define GEN_PASS_DEF_PARTITIONEXPLAIN
#include "compiler/partition/Passes.h.inc"
} // namespace sluice::partition

namespace {

using namespace sluice::partition;

struct Explain : sluice::partition::impl::PartitionExplainBase<Explain> {
  void runOnOperation() override {
    llvm::outs() << explainPartition(getOperation());
    markAllAnalysesPreserved();
  }
};

} // namespace
