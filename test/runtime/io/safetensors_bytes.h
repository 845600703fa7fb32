// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a safetensors file of these tensors holds.
#pragma once

#include "runtime/io/memory_disk.h"
#include "runtime/io/safetensors.h"

namespace sluice::rt {

inline Result<std::string> encodeSafetensors(std::vector<NamedTensor> tensors) {
  MemoryDisk disk;
  std::unique_ptr<NewFiles> files = disk.writeSeveral();
  SLUICE_RETURN_IF_ERROR(files->begin("f"));
  SLUICE_RETURN_IF_ERROR(writeSafetensors(std::move(tensors), *files));
  SLUICE_RETURN_IF_ERROR(files->commit());
  return disk.files["f"];
}

} // namespace sluice::rt
