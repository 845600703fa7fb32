// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes from modules and programs what a report says of them.
#pragma once

#include "compiler/codegen/CompileCodelets.h"
#include "compiler/emit/DescribeProgram.h"
#include "compiler/report/Report.h"

namespace sluice::report {

// Graphs, with arrangements, and signatures. `ranks`: the module of each rank, or the one that
// there is.
void collectGraphs(llvm::ArrayRef<mlir::ModuleOp> ranks, llvm::StringRef phase, Report &report);
// While the ops of the codelets still exist.
void collectCodelets(llvm::ArrayRef<codegen::CompiledCodelet> codelets, unsigned rank,
                     Report &report);
// After collectCodelets. Also hashes and devices.
void collectPrograms(llvm::ArrayRef<emit::DescribedProgram> programs, Report &report);

} // namespace sluice::report
