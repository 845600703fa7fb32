// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual of what sluicec makes, from the runtime's own table of flags.
#pragma once

#include "runtime/api/flag_table.h"
#include "tools/manual/manual.h"

namespace sluice::manual {

Flag describeFlag(const rt::Flag &flag);
Manual programManual();

} // namespace sluice::manual
