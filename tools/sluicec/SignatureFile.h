// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--signatures FILE`: several signatures of one program, as JSON.
#pragma once

#include "compiler/import/Importer.h"

#include "llvm/Support/Error.h"

namespace sluice {

// {"signatures": [{"name": "main", "feeds": ["x:0"], "fetches": ["y:0"], "targets": ["train"]}]}
llvm::Expected<std::vector<import::SignatureRequest>> readSignatureFile(llvm::StringRef path);

} // namespace sluice
