// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values a variable takes.
#include "runtime/state/variable.h"

namespace sluice::rt {

Status Variable::accepts(const Tensor &other) const {
  if (other.dtype() == dtype && other.shape().compatibleWith(shape))
    return {};
  return invalidArgument(format("variable '%s': expected %s%s but got %s%s", name.c_str(),
                                std::string(dtypeName(dtype)).c_str(), shape.toString().c_str(),
                                std::string(dtypeName(other.dtype())).c_str(),
                                other.shape().toString().c_str()));
}

} // namespace sluice::rt
