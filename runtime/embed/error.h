// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From statuses to the errors of callers.
#pragma once

#include "runtime/base/status.h"
#include "runtime/embed/sluice.h"

namespace sluice::rt {

// The code; `error` may be null, and is left alone on success.
sluice_code tell(const Status &status, sluice_error *error);

} // namespace sluice::rt
