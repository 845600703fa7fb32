// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "parts": complex numbers, diagonals, and places of values.
#ifndef SLUICE_SCI_PARTS
#define SLUICE_SCI_PARTS

include "dialects/sci/SciBase.td"

#endif
