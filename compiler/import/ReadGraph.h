// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graph files within limits.
#pragma once

#include "compiler/import/GraphFile.h"
#include "compiler/import/Limits.h"

#include <memory>
#include <string>

namespace sluice::import {

// Reads a graph whose file, nodes, names and attributes keep to the limits: all checks that follow
// are then quick and small. Null after a diagnostic.
std::unique_ptr<GraphFile> readGraph(const std::string &path, const Limits &limits,
                                     DiagnosticList &diagnostics);

// What `readGraph` checks, of a graph that was read in another way.
void checkSizes(const GraphFile &file, const Limits &limits, DiagnosticList &diagnostics);

} // namespace sluice::import
