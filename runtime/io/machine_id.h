// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which system this is, and since when.
#pragma once

#include <string>

namespace sluice::rt {

// The same for all processes since the machine was started, in whatever containers they are; empty
// where the system does not tell.
std::string machineId();

} // namespace sluice::rt
