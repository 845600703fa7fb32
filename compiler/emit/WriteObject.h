// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a described program to an object file: its image as constant bytes, and a table of just the
// kernels that it uses.
#pragma once

#include "compiler/emit/DescribeProgram.h"

namespace sluice::emit {

// The object's bytes for the host, or an error text.
rt::Result<std::string> writeObject(const DescribedProgram &described);

} // namespace sluice::emit
