// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of the simulated cuBLASLt: what a call asks for, whether that is one, and what it does
// when its turn comes.
#pragma once

#include "runtime/sim/driver.h"
#include "runtime/sim/library_objects.h"

namespace sluice::rt::sim {

// D = alpha * op(A) * op(B) + beta * C.
struct LibraryProduct {
  cuda::lt::ProductFormObject form;
  cuda::lt::MatrixLayoutObject a, b, c, d;
  cuda::DevicePointer atA = 0, atB = 0, atC = 0, atD = 0;
  double alpha = 1, beta = 0;
  cuda::DevicePointer workspace = 0;
  size_t workspaceBytes = 0;
};

// Why it is none, or empty.
std::string faultOf(const LibraryProduct &product);
// For algorithms, which are for one form and its layouts.
uint64_t fingerprintOf(const LibraryProduct &product);
// Sums of the type that the form says, from the last element to the first: not the bits of others.
Work libraryProductWork(Driver &driver, const LibraryProduct &product);

} // namespace sluice::rt::sim
