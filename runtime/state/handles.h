// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several handles as one value.
#pragma once

#include "runtime/memory/tensor.h"

#include <vector>

namespace sluice::rt {

class Handles final : public Object {
public:
  static constexpr Kind kKind = Kind::kHandles;
  explicit Handles(std::vector<Tensor> all) : Object(kKind), all(std::move(all)) {}

  const std::vector<Tensor> all; // of dtype kHandle
};

} // namespace sluice::rt
