// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of PTX that are written by hand and interpreted.
//
// Of each a test writes the body. It finds %p0 to %p7, %h0 to %h7 (16 bits), %r0 to %r31 and %d0 to
// %d31; the address of the results is in %d0, that of the inputs in %d1.
#pragma once

#include "test/gpu/sim/simulated_driver.h"

#include <string>
#include <vector>

namespace sluice::test {

struct PtxKernelText {
  std::string body;
  std::string variables = {};  // of the module
  std::string attributes = {}; // `.reqntid 32`
  std::string text() const;
};

struct PtxOutcome {
  Result load = kSuccess, run = kSuccess;
  std::vector<uint64_t> results;
  std::string messages; // what the simulator said
};

struct PtxShape {
  unsigned threads = 1, blocks = 1, dynamicBytes = 0;
  size_t results = 1; // of 64 bits
};

PtxOutcome runPtx(const PtxKernelText &kernel, const std::vector<uint64_t> &inputs = {},
                  PtxShape shape = {}, uint64_t seed = 1);

// The result of one instruction, which has the inputs in %d4, %d5, … and, as far as they fit, in
// %r1, %r2, … and %h1, %h2, …, and leaves its result in %r0, %d3, %h0 or %p0: the kind says where.
uint64_t computePtx(char kind, const std::string &instruction, const std::vector<uint64_t> &inputs);

} // namespace sluice::test
