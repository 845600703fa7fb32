// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a program's limits bounds what.
#include "runtime/io/bundle/checkpoint_limits.h"

namespace sluice::rt {

CheckpointLimits CheckpointLimits::of(const Limits &limits) {
  auto row = [&](Limit limit) { return Row{limits[limit], seeLimit(limit)}; };
  Row header = row(Limit::kVariablesHeaderBytes), file = row(Limit::kVariablesFileBytes);
  return {header, header, header, header, file, file};
}

} // namespace sluice::rt
