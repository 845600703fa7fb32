// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "bits": bits of integers, and numbers seen as others.
#ifndef SLUICE_SCI_BITS
#define SLUICE_SCI_BITS

include "dialects/sci/SciBase.td"

#endif
