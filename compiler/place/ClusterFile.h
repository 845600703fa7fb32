// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a cluster.json.
#pragma once

#include "compiler/place/ClusterSpec.h"

namespace sluice::place {

// The devices in order. All mistakes become diagnostics; the result then means nothing.
std::vector<ClusterDevice> parseClusterFile(const std::string &path, llvm::StringRef text,
                                            import::DiagnosticList &diagnostics,
                                            const import::Limits &limits);

} // namespace sluice::place
