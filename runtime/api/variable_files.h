// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables between processes: the files of --load and --save, and values set by requests.
#pragma once

#include "runtime/api/diagnostics.h"
#include "runtime/api/runner.h"
#include "runtime/io/disk.h"

#include <string>
#include <vector>

namespace sluice::rt {

// Null if the program has none of this name.
Variable *findVariable(std::span<Variable *const> variables, std::string_view name);
// Sets the variables that the file names. Tensors of other names are left aside with a warning, so
// that a program may take its part of a larger one's state; if there is no other, it is an error.
Failure loadVariables(const std::string &path, const Limits &limits, Runner &runner, Disk &disk,
                      Diagnostics &diagnostics);
// The files that --save writes under this path.
std::vector<std::string> filesOfVariables(const std::string &path);
// Fails if one of them cannot be written.
Failure checkVariableFiles(const std::string &path, Disk &disk);
// Writes every initialised variable: to a checkpoint if the path has the form of one, else to a
// safetensors file.
Failure saveVariables(const std::string &path, Runner &runner, Disk &disk);

} // namespace sluice::rt
