// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of variables out of files: a checkpoint, or a safetensors file.
#pragma once

#include "compiler/import/InitialValues.h"
#include "compiler/import/savedmodel/Model.h"

#include <memory>
#include <string>

namespace sluice::import {

// Whose values they are, for the warning that a variable has none.
enum class Expectation {
  kOwn,   // of the model itself, which need not have stored all
  kGiven, // by the user, who wants all variables to have one
};

// From the files that begin with `prefix`. A variable's tensor is the one that the model itself
// would restore, else that of the object which the model says it is, else the one of its name, else
// that of the only object of this name.
// The graph gets nodes that fill the tables which the model would restore. Null after a diagnostic.
std::unique_ptr<InitialValues> openCheckpoint(Model &model, const std::string &prefix,
                                              Expectation expectation, const Limits &limits,
                                              DiagnosticList &diagnostics);

// By the names of variables, as executables write such files.
std::unique_ptr<InitialValues> openSafetensors(const std::string &path, const Limits &limits,
                                               DiagnosticList &diagnostics);

// Whether a path given as weights is meant as safetensors.
bool isSafetensors(llvm::StringRef path);

} // namespace sluice::import
