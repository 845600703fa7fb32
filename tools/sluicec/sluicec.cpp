// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluicec: the compiler driver.
#include "tools/process/ToolProcess.h"
#include "tools/sluicec/DescribeInput.h"
#include "tools/sluicec/InProcessProgram.h"
#include "tools/sluicec/Options.h"

#include "compiler/interpret/Interpreter.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "runtime/api/command_line.h"

using namespace sluice;

// Hands over to the command line that executables have.
template <typename Runner>
static int runCommandLine(Runner &runner, const DriverOptions &options, const char *flag) {
  std::string program = "sluicec " + options.compile.input + flag;
  std::vector<char *> arguments{program.data()};
  for (const char *argument : options.programArguments)
    arguments.push_back(const_cast<char *>(argument));
  return rt::runCommandLine(static_cast<int>(arguments.size()), arguments.data(), runner);
}

static int runInterpreter(Compilation &compilation, const DriverOptions &options,
                          DiagnosticPrinter &printer) {
  auto runner = interpret::makeInterpreter(compilation.module());
  if (!runner.ok()) {
    printer.error(runner.status().toString());
    return kExitCompileError;
  }
  return runCommandLine(**runner, options, " --interpret");
}

static int execute(Compilation &compilation, const DriverOptions &options,
                   DiagnosticPrinter &printer) {
  auto programs = compilation.describePrograms();
  if (failed(programs))
    return kExitCompileError;
  bool simulated = *options.execute == Execution::kSimulated;
  auto runner = InProcessProgram::load(*programs, simulated);
  if (!runner.ok()) {
    printer.error(runner.status().toString(), kExitInternalError);
    return kExitInternalError;
  }
  const char *flag = simulated ? " --execute=sim" : " --execute=local";
  return runCommandLine(runner->runner(), options, flag);
}

int main(int argc, char **argv) {
  ToolProcess process(argc, argv);
  int exitCode;
  std::optional<DriverOptions> options = parseOptions(argc, argv, exitCode);
  if (!options)
    return exitCode;
  mlir::DialectRegistry registry;
  registerDialects(registry);
  codegen::registerCodegenDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  DiagnosticPrinter printer(options->json, llvm::errs());
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    printer.print(diagnostic);
    return mlir::success();
  });
  if (options->describes) {
    int code = describeInput(context, *options, printer);
    if (code || !options->asksNothing)
      return code;
    printer.error("expected -o FILE, and what to fetch unless the file says it; see sluicec --help",
                  kExitUsage);
    return kExitUsage;
  }
  Compilation compilation(context, options->compile, printer);
  if (int code = compilation.run())
    return code;
  if (options->interpret || options->execute)
    if (int code = compilation.writeReport())
      return code;
  if (options->interpret)
    return runInterpreter(compilation, *options, printer);
  if (options->execute)
    return execute(compilation, *options, printer);
  return compilation.writeOutput();
}
