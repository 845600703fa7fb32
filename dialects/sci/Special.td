// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "special": functions of elements that are no elementary ones.
#ifndef SLUICE_SCI_SPECIAL
#define SLUICE_SCI_SPECIAL

include "dialects/sci/SciBase.td"

#endif
