// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "linear": linear algebra.
#ifndef SLUICE_SCI_LINEAR
#define SLUICE_SCI_LINEAR

include "dialects/sci/SciBase.td"

#endif
