// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of single variables, in memory of callers.
#pragma once

#include "runtime/embed/model.h"

namespace sluice::rt {

// Where a value is copied to; null and 0 to ask how large it is.
struct ValueRoom {
  void *data;
  size_t bytes;
  int64_t *dims;
};

// `value` tells what the variable holds, also if there is no room for it. FAILED_PRECONDITION
// without a value, OUT_OF_RANGE if some room is given and it is too little.
Status readVariable(Model &model, size_t position, ValueRoom room, sluice_tensor &value);
Status writeVariable(Model &model, size_t position, const sluice_tensor &value);

} // namespace sluice::rt
