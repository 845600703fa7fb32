// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module with a twin that was written by hand, for tests of the driver alone.
//
//   void add(f32 *to, f32 *from, u32 count)  to[i] += from[i]; blocks of any size
//   void fill(f32 *to, f32 value)            the first of all threads writes one element
#pragma once

#include <string>

namespace sluice::test {

// PTX; its twin is registered with the first call.
const std::string &handwrittenImage();

} // namespace sluice::test
