// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor and what it is called, in files and in the content of objects.
#pragma once

#include "runtime/memory/tensor.h"

#include <string>
#include <utility>

namespace sluice::rt {

using NamedTensor = std::pair<std::string, Tensor>;

} // namespace sluice::rt
