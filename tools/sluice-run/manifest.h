// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// manifest.json: the executables of a cluster, as the compiler wrote them.
#pragma once

#include "runtime/base/status.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::run {

struct Rank {
  std::string device;
  std::string executable; // path, seen from the working folder
  std::string address;    // host:port
};

// In order of the ranks. Fails when the file is no manifest or an executable of it cannot be run.
rt::Result<std::vector<Rank>> readManifest(const std::string &path);
// The same from text that is in memory already, without a look at the executables.
rt::Result<std::vector<Rank>> parseManifest(const std::string &path, std::string_view text);

} // namespace sluice::run
