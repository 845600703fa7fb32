// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in checkpoints as TensorFlow writes them.
#pragma once

#include "runtime/api/runner.h"
#include "runtime/io/bundle/checkpoint.h"
#include "runtime/io/safetensors.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::rt {

// What the names of a checkpoint's files begin with, if the path is one that --save makes a
// checkpoint of: PREFIX.index, or PREFIX itself if that ends with ".ckpt".
std::optional<std::string> savedCheckpoint(const std::string &path);
// The same of a path of --load: also PREFIX.data-00000-of-00001, any PREFIX with an index, and a
// file that is a checkpoint of the first format. Nothing if it may be a file of another kind.
std::optional<std::string> loadedCheckpoint(const std::string &path, Disk &disk);

// Values of variables, and the names of all else that there is.
struct StoredVariables {
  std::vector<NamedTensor> values;
  std::vector<std::string> others;
};
// A variable has the tensor of its name, else that of the object of its name.
Result<StoredVariables> readVariables(Checkpoint &checkpoint, std::span<Variable *const> variables);

} // namespace sluice::rt
