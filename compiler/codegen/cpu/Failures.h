// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why compiled code can fail where it cannot hand over to the plain kernels.
#pragma once

#include <cstdint>

namespace sluice::codegen {

// What `body` returns when an op fails and cannot bail; positions from 1 in `failureReasons()`.
enum class FailureReason : int32_t {
  kDivisionByZero = 1,
  kNegativeExponent = 2,
  kReadOutside = 3,
  kWriteOutside = 4
};

} // namespace sluice::codegen
