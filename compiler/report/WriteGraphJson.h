// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of a graph's object in a report.
#pragma once

#include "compiler/report/DrawnGraph.h"
#include "compiler/report/JsonObject.h"

namespace sluice::report {

void writeGraph(const DrawnGraph &graph, JsonObject &out);

} // namespace sluice::report
