// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "fourier": Fourier transforms.
#ifndef SLUICE_SCI_FOURIER
#define SLUICE_SCI_FOURIER

include "dialects/sci/SciBase.td"

#endif
