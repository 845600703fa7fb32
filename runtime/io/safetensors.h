// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named tensors in a safetensors file. Beyond the format's own dtypes, complex tensors are stored
// as "C64" and "C128"; strings cannot be stored. Files that we write are sealed
// (runtime/io/safetensors_seal.h).
#pragma once

#include "runtime/base/limits.h"
#include "runtime/base/status.h"
#include "runtime/io/disk.h"
#include "runtime/memory/named_tensor.h"

#include <string_view>
#include <vector>

namespace sluice::rt {

// In the file's order of data. Refuses overlaps, gaps, bytes that belong to no tensor, and a sealed
// file that is not as it was written.
Result<std::vector<NamedTensor>> readSafetensors(FileParts &file, const Limits &limits = Limits());
// The same of a file that is in memory.
Result<std::vector<NamedTensor>> decodeSafetensors(std::string_view bytes,
                                                   const Limits &limits = Limits());
// All of the file that was begun. Its bytes depend on names and values only, not on the order of
// the list. UNIMPLEMENTED for strings and handles.
Status writeSafetensors(std::vector<NamedTensor> tensors, NewFiles &file);

} // namespace sluice::rt
