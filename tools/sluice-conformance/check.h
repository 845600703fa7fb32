// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the answer to one call with what was recorded for the run.
#pragma once

#include "tools/sluice-conformance/fixture.h"
#include "tools/sluice-conformance/graph_skeleton.h"
#include "tools/sluice-conformance/plan.h"

#include <optional>
#include <set>
#include <string>

namespace sluice::conformance {

// What differs, or nothing. `graph` is the run's own graph: variables that only a later graph has
// are nobody's concern yet. `variables` are those of the program, which must be in the answer.
std::optional<std::string> checkAnswer(const llvm::json::Object &answer, const RecordedRun &run,
                                       const Signature &signature, const GraphSkeleton &graph,
                                       const std::set<std::string> &variables);

// All bits of an answer in one text: outputs, variables, error code.
std::string canonicalAnswer(const llvm::json::Object &answer);

} // namespace sluice::conformance
