// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Configurations of tfcompile: what is fed and fetched, and what callers call it.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/Importer.h"
#include "compiler/import/Limits.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::import {

// A variable that callers see under a name of theirs, which may be empty.
struct NamedVariable {
  std::string node, name;
};

struct ConfigFile {
  SignatureRequest signature;
  std::vector<NamedVariable> variables;
};

// Reads a tf2xla.Config, as text or binary. Nothing after a diagnostic.
std::optional<ConfigFile> readConfig(const std::string &path, const Limits &limits,
                                     DiagnosticList &diagnostics);
// The same of its content.
std::optional<ConfigFile> parseConfig(const std::string &path, const std::string &content,
                                      const Limits &limits, DiagnosticList &diagnostics);

} // namespace sluice::import
