// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of sluice.h.
#pragma once

#include "runtime/embed/sluice.h"

namespace sluice::rt {

const sluice_api &apiTable();

} // namespace sluice::rt
