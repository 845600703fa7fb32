// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attributes of an op that is known by its name only.
#pragma once

#include "runtime/kernels/attributes/all.h"

namespace sluice::rt::attributes {

// In the order in which they are passed; none for ops without kernels.
constexpr std::span<const Attribute> of(std::string_view op) {
  auto found = std::ranges::lower_bound(kOps, op, {}, &Op::name);
  return found != std::end(kOps) && found->name == op ? found->attributes
                                                      : std::span<const Attribute>();
}

// Whether a kernel of the op may read its attributes as those of another one.
template <typename Accessors> constexpr bool readAs(std::string_view op) {
  return std::ranges::equal(of(op), Accessors::kAttributes);
}

} // namespace sluice::rt::attributes
