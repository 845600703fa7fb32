// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defaults of run options.
#include "runtime/api/runner.h"

#include "runtime/base/threads.h"

namespace sluice::rt {

int defaultWorkers() { return usableProcessors(); }

} // namespace sluice::rt
