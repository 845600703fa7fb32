// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key that all ranks of a cluster share.
#pragma once

#include "runtime/base/status.h"

#include <string>

namespace sluice::rt {

// 16 to 4096 bytes, whatever they are. PERMISSION_DENIED when others than the owner may read the
// file.
Result<std::string> readKeyFile(const std::string &path);

} // namespace sluice::rt
