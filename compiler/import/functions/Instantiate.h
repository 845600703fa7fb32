// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's body as a graph: attributes filled in, references to outputs counted.
//
// In a body a node names its inputs by the names of arguments and of ops' declared outputs. The
// graph has `_Arg` and `_Retval` nodes instead, and names outputs by number as graph files do, so
// that all that checks and builds graphs serves functions too.
#pragma once

#include "compiler/import/functions/FunctionLibrary.h"

namespace sluice::import {

// A function with the values of its attributes.
using FunctionUse = graphdef::NameAttrList;

// What tells one use of a function from another: equal keys mean equal bodies.
std::string keyOf(const FunctionUse &use, const OpSignature &signature);

// The body. Null, after diagnostics, when a name in it means nothing.
std::unique_ptr<GraphFile> instantiate(const graphdef::FunctionDef &function,
                                       const FunctionUse &use, OpTable &table,
                                       const GraphFile &file, DiagnosticList &diagnostics);

} // namespace sluice::import
