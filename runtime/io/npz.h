// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in .npz files, which are zip archives of .npy files.
#pragma once

#include "runtime/io/npy.h"
#include "runtime/io/zip.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// One array of an archive that stays in memory. What the header says can be refused before the
// elements are inflated.
class NpzArray {
public:
  // The array of that name: the member `KEY.npy`. NOT_FOUND lists the arrays that there are.
  static Result<NpzArray> open(std::string_view archive, std::string_view key);

  const NpyHeader &header() const { return header_; }
  // Once only. RESOURCE_EXHAUSTED when memory does not suffice.
  Result<Tensor> read();

private:
  NpzArray(std::string key, ZipReader reader, NpyHeader header)
      : key_(std::move(key)), reader_(std::move(reader)), header_(std::move(header)) {}

  std::string key_;
  ZipReader reader_; // stands behind the header
  NpyHeader header_;
};

} // namespace sluice::rt
