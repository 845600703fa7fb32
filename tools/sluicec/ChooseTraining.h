// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags about derivatives and training.
#pragma once

#include "tools/sluicec/Flags.h"
#include "tools/sluicec/Options.h"

namespace sluice {

// Returns what is wrong with them; empty if nothing is.
std::string chooseTraining(const Flags &flags, DriverOptions &options);

} // namespace sluice
