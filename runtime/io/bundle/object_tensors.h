// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensor of a checkpoint is a variable's, where tensors are named by the path of attributes
// that leads to an object: such a checkpoint has a list of its objects.
#pragma once

#include "runtime/base/status.h"

#include <map>
#include <string>
#include <string_view>

namespace sluice::rt {

// The tensor with this list, one string.
inline constexpr std::string_view kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";

// The tensor of each variable by its name; names that several have are left out. DATA_LOSS unless
// the text is such a list.
Result<std::map<std::string, std::string>> tensorsOfVariables(std::string_view objects);

} // namespace sluice::rt
