// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels take maps and give them.
#pragma once

#include "runtime/kernels/kernel.h"
#include "runtime/state/handle.h"
#include "runtime/state/map.h"

namespace sluice::rt {

inline bool isMap(const Tensor &value) {
  return value.dtype() == DType::kHandle && value.object()->kind() == Map::kKind;
}
// Input 0, when nobody else holds it, or a copy.
Result<Ref<Map>> mapToChange(KernelCall &call);
// As output 0.
Status giveMap(KernelCall &call, Ref<Map> map);

} // namespace sluice::rt
