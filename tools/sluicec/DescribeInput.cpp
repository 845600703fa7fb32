// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the input as the compiler would, and prints a description.
#include "tools/sluicec/DescribeInput.h"

#include "compiler/import/IrFile.h"
#include "compiler/import/describe/ModelDescription.h"

#include "llvm/Support/Path.h"

namespace sluice {

static std::optional<import::ModelDescription> describe(mlir::MLIRContext &context,
                                                        const CompileOptions &options,
                                                        import::DiagnosticList &diagnostics) {
  llvm::StringRef extension = llvm::sys::path::extension(options.input);
  if (extension == ".mlir" || extension == ".mlirbc") {
    auto module = import::readIr(context, options.input, options.limits, diagnostics);
    return module ? std::optional(import::describe(options.input, *module)) : std::nullopt;
  }
  auto model = import::readModel(options.input, options.model.tags, options.limits, diagnostics);
  return model ? import::describe(*model, diagnostics) : std::nullopt;
}

int describeInput(mlir::MLIRContext &context, const DriverOptions &options,
                  DiagnosticPrinter &printer) {
  import::DiagnosticList diagnostics;
  auto description = describe(context, options.compile, diagnostics);
  printer.print(diagnostics);
  if (!description)
    return diagnostics.hasErrors() ? static_cast<int>(diagnostics.exitCode()) : kExitCompileError;
  if (options.describesAsJson)
    import::printJson(*description, llvm::outs());
  else
    import::printText(*description, llvm::outs());
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return kExitOk;
  llvm::outs().clear_error();
  printer.error("cannot write to standard output", kExitInputOutput);
  return kExitInputOutput;
}

} // namespace sluice
