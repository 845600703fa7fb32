// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes nodes out of a graph.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace sluice::conformance {

// The GraphDef without these nodes. All else is copied as it stands, also functions that nobody
// calls any longer.
std::string pruneGraph(llvm::StringRef bytes, const std::set<std::string> &dropped);

} // namespace sluice::conformance
