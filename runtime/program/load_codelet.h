// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of codelets.
#pragma once

#include "runtime/program/program.h"
#include "runtime/program/row_reader.h"

namespace sluice::rt {

// Reads one codelet of a signature whose constants have been read.
Result<Codelet> loadCodelet(RowReader &reader, const Program::Tables &tables,
                            const Signature &signature, AttrStorage &attrs);

} // namespace sluice::rt
