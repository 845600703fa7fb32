// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of JSON as elements: the value nearest to what the digits say, fast for those of
// everyday.
#pragma once

#include "runtime/base/dtype.h"

namespace sluice::rt {

// Reads the number that begins there, which has the form of JSON. Null if it is beyond the range of
// T; else its end. Integers take no fractions and no exponents: null as well.
const char *readDecimal(const char *at, const char *end, double &value);
const char *readDecimal(const char *at, const char *end, float &value);
const char *readDecimal(const char *at, const char *end, Half &value);
const char *readDecimal(const char *at, const char *end, BFloat16 &value);
template <typename T> const char *readWhole(const char *at, const char *end, T &value);

#define SLUICE_DECLARE(E, T, N)                                                                    \
  extern template const char *readWhole<T>(const char *, const char *, T &);
SLUICE_INT_DTYPES(SLUICE_DECLARE)
#undef SLUICE_DECLARE

} // namespace sluice::rt
