// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library of the program that the compiler has linked in.
#pragma once

#include "runtime/embed/sluice.h"

namespace sluice::rt {

// The same one each time, from any thread. INTERNAL when the image is damaged.
sluice_code openLinkedLibrary(const sluice_library **library, sluice_error *error);
// Gives back all that the runtime keeps, unless a model is left that somebody may still use.
void closeLinkedLibrary();

} // namespace sluice::rt
