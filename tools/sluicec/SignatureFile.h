// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--signatures FILE`: several signatures of one program, as JSON.
#pragma once

#include "compiler/import/Importer.h"
#include "compiler/import/Limits.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

// {"signatures": [{"name": "main", "feeds": ["x:0"], "fetches": ["y:0"], "targets": ["train"]}]}
// In place of a feed or fetch may stand {"tensor": "y:0", "name": "what callers call it"}.
std::optional<std::vector<import::SignatureRequest>>
readSignatureFile(const std::string &path, import::DiagnosticList &diagnostics,
                  const import::Limits &limits);
// The same from text that is in memory already; `path` only names it in messages.
std::optional<std::vector<import::SignatureRequest>>
parseSignatures(const std::string &path, llvm::StringRef text, import::DiagnosticList &diagnostics,
                const import::Limits &limits = {});

} // namespace sluice
