// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a constant needs in memory beyond its values in the file.
#pragma once

#include "compiler/import/graphdef.pb.h"

#include <cstdint>

namespace sluice::import {

// The bytes of values that repeat the last one of the list of a good tensor. None where one value
// fills the whole tensor, because that stays one; strings are all stored.
uint64_t grownBytes(const graphdef::TensorProto &tensor);

} // namespace sluice::import
