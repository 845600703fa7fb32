// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files as graphs write them.
#pragma once

#include "runtime/base/status.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// The path on this machine: a name without scheme, or with "file://" before it. UNIMPLEMENTED for
// those of other file systems, as "s3://bucket/name".
Result<std::string> localPath(std::string_view name);

} // namespace sluice::rt
