// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a described program to an object file: its image as constant bytes, tables of just the
// kernels and codelets that it uses, and what CPU it needs. The codelets' own objects are linked
// with it.
#pragma once

#include "compiler/emit/DescribeProgram.h"

namespace sluice::emit {

// The object's bytes, or an error text.
rt::Result<std::string> writeObject(const DescribedProgram &described);

} // namespace sluice::emit
