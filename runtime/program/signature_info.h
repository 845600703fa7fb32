// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a signature: what is fed, fetched and run.
#pragma once

#include "runtime/memory/tensor.h"

#include <string>
#include <vector>

namespace sluice::rt {

struct Port {
  std::string name; // graph name with output index, "x:0", or what the caller calls it
  DType dtype;
  Shape shape; // may be partly unknown
};

// One set of feeds and fetches that the program was compiled for.
struct SignatureInfo {
  std::string name;
  std::vector<Port> feeds;
  std::vector<Port> fetches;
  std::vector<std::string> targets; // nodes run for their effect
  // Is called once, before the first call of any other; users do not choose it.
  bool initializes = false;
};

} // namespace sluice::rt
