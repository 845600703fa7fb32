// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// manifest.json: the executables of a cluster, as the compiler wrote them.
#pragma once

#include "runtime/base/status.h"

#include <string>
#include <vector>

namespace sluice::run {

struct Rank {
  std::string device;
  std::string executable; // path, seen from the working folder
  std::string address;    // host:port
};

// In order of the ranks. Fails when the file is no manifest or an executable of it cannot be run.
rt::Result<std::vector<Rank>> readManifest(const std::string &path);

} // namespace sluice::run
