// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual of sluicec.
#pragma once

#include "tools/manual/manual.h"
#include "tools/sluicec/Flags.h"

namespace sluice {

manual::Manual compilerManual(Flags &flags);

} // namespace sluice
