// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signatures of a model as requests: feeds and fetches bear the names that the signature gives
// them, and are sorted by these.
#pragma once

#include "compiler/import/Importer.h"
#include "compiler/import/savedmodel/Model.h"

#include <optional>
#include <vector>

namespace sluice::import {

// Those that are named, or all that are for callers when none is. Null after a diagnostic.
std::optional<std::vector<SignatureRequest>> signaturesOf(const Model &model,
                                                          const std::vector<std::string> &names,
                                                          const Limits &limits,
                                                          DiagnosticList &diagnostics);

// What has to run before a first call, such as filling tables, in order.
std::vector<SignatureRequest> initializersOf(const Model &model, DiagnosticList &diagnostics);

// Whether a signature is for the format itself and not for callers.
bool isInternalSignature(llvm::StringRef name);

} // namespace sluice::import
