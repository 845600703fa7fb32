// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes .mlir files as sluicec reads them: text only, parsed and verified.
#include "test/fuzz/fresh_context.h"
#include "test/fuzz/fuzz_target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sluice::fuzz::FreshContext context;
  (void)mlir::parseSourceString<mlir::ModuleOp>(sluice::fuzz::textOf(data, size),
                                                mlir::ParserConfig(&context.get()), "g.mlir");
  return 0;
}
