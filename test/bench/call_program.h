// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of the program that a benchmark is linked with, which has to succeed.
#pragma once

#include "runtime/executor/executor.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sluice::bench {

inline std::vector<rt::Tensor> callProgram(rt::Executor &executor,
                                           const std::vector<rt::Tensor> &feeds) {
  auto results = executor.call(0, feeds);
  if (results.ok())
    return std::move(*results);
  std::fprintf(stderr, "error: %s\n", results.status().toString().c_str());
  std::exit(1);
}

} // namespace sluice::bench
