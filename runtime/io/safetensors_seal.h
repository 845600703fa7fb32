// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seal of safetensors files that we write: a version and a checksum of the whole file in its
// metadata. Files of others have none and are taken as they are.
//
// The checksum is taken with zeros in the place of its own digits.
#pragma once

#include "runtime/io/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::rt {

// The member `__metadata__` of a header, with zeros for a checksum.
std::string_view openSeal();
// Fills in the checksum; `head` is a file from its beginning to the end of its header.
void closeSeal(std::string &head, uint32_t checksum);

class Seal {
public:
  // Nothing if the file has none. `metadata` is that of its header, null if there is none.
  // DATA_LOSS if the seal is broken.
  static Result<std::optional<Seal>> find(std::string_view head, const Json *metadata);
  // What comes next after the header.
  void see(std::string_view data);
  // DATA_LOSS unless head and data are as when they were sealed; UNIMPLEMENTED for a newer version.
  Status check() const;

private:
  Seal() = default;

  std::string digits_, checksum_, version_; // as they stand in the file, and in its header
  uint32_t sum_ = 0;
};

} // namespace sluice::rt
