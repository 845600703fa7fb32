// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why compiled code can fail where it cannot hand over to the plain kernels.
#pragma once

#include <cstdint>

namespace sluice::codegen {

// What `body` returns when an op fails and cannot bail; if positive, a position from 1 in
// `failureReasons()`.
enum class FailureReason : int32_t {
  kDivisionByZero = 1,
  kNegativeExponent = 2,
  kReadOutside = 3,
  kWriteOutside = 4,
  kReadTwice = 5,
  kNotWritten = 6,
  kAlreadyRead = 7,
  kAlreadyWritten = 8,
  kListFull = 9,
  kListEmpty = 10,
  kNegativeLength = 11,
  kNoMemory = -2 // kSluiceNoMemory, which needs no text
};

} // namespace sluice::codegen
