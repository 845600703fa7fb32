// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels take lists and give them.
#pragma once

#include "runtime/kernels/kernel.h"
#include "runtime/state/handle.h"
#include "runtime/state/list.h"

namespace sluice::rt {

// Input 0, when nobody else holds it, or a copy.
Result<Ref<List>> listToChange(KernelCall &call);
Status giveList(KernelCall &call, size_t output, Ref<List> list);
// What an operand, if the call has one there, and an attribute say of an element's shape.
Result<Shape> expectedShape(const KernelCall &call, size_t operand, const Shape &attribute);
// The last output is a list.
Status oneListRule(ShapeCall &call);

} // namespace sluice::rt
