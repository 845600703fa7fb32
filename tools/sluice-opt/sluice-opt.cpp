// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-opt: reads IR, runs passes, prints IR. What it reads went through the checks of IR files.
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cuda/KernelConversion.h"
#include "compiler/codegen/gpu/Passes.h"
#include "compiler/differentiate/Passes.h"
#include "compiler/emit/Passes.h"
#include "compiler/emit/WriteOutput.h"
#include "compiler/import/FileContent.h"
#include "compiler/import/IrContainer.h"
#include "compiler/import/IrFile.h"
#include "compiler/import/Passes.h"
#include "compiler/lower/Passes.h"
#include "compiler/optimize/Passes.h"
#include "compiler/partition/Passes.h"
#include "compiler/place/Passes.h"
#include "compiler/raise/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "tools/flags/LimitFlag.h"
#include "tools/flags/ParseCommandLine.h"
#include "tools/process/ToolProcess.h"
#include "tools/sluice-opt/ErrorCheck.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>

using namespace mlir;
namespace si = sluice::import;

namespace {

// The library's options, hundreds of them, are no use here; those of MLIR are not registered yet.
void hideOptionsOfLlvm() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    option->setHiddenFlag(llvm::cl::Hidden);
}

void registerAll(DialectRegistry &registry) {
  sluice::registerDialects(registry);
  sluice::codegen::registerCodegenDialects(registry);
  sluice::codegen::registerKernelDialects(registry);
  registerTransformsPasses();
  sluice::codegen::registerCodegenPasses();
  sluice::codegen::registerCodegenCpuPasses();
  sluice::codegen::registerCodegenGpuPasses();
  sluice::differentiate::registerDifferentiatePasses();
  sluice::emit::registerEmitPasses();
  sluice::import::registerImportPasses();
  sluice::lower::registerLowerPasses();
  sluice::optimize::registerOptimizePasses();
  sluice::optimize::registerOptimizePipeline();
  sluice::place::registerPlacePasses();
  sluice::partition::registerPartitionPasses();
  sluice::raise::registerRaisePasses();
}

int complain(const llvm::Twine &message, int code) {
  llvm::errs() << "sluice-opt: error: " << message << '\n';
  return code;
}

std::optional<std::string> readInput(const std::string &path, const si::Limits &limits,
                                     si::DiagnosticList &diagnostics) {
  if (path != "-")
    return si::readRegularFile(path, limits, si::LimitId::kFileBytes, diagnostics);
  std::string content;
  char part[1 << 16];
  size_t got;
  do {
    got = std::fread(part, 1, sizeof part, stdin);
    content.append(part, got);
  } while (got > 0 && limits.allows(si::LimitId::kFileBytes, content.size()));
  if (limits.allows(si::LimitId::kFileBytes, content.size()))
    return content;
  diagnostics.error(si::ExitCode::kBadGraph, {path, "", ""},
                    limits.excess(si::LimitId::kFileBytes, "bytes", content.size()));
  return std::nullopt;
}

int writeOutput(const std::string &text, const std::string &path) {
  auto failure = sluice::emit::writeOutput(text, path);
  return failure ? complain(*failure, static_cast<int>(si::ExitCode::kInputOutput)) : 0;
}

// MLIR looks at the options of passes after it has read the input, and then calls that a failure
// like any other. What is wrong has been said.
bool hasGoodPasses(const MlirOptMainConfig &config) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  PassManager passes(&context);
  return succeeded(config.setupPassPipeline(passes));
}

// Whether the text may be parsed here. Tests of messages hold mistakes on purpose, piece by piece,
// and are parsed by those who wrote them.
bool survivesParsing(const MlirOptMainConfig &config, const std::string &input, StringRef bytes,
                     const DialectRegistry &registry, si::DiagnosticList &diagnostics) {
  if (config.shouldVerifyDiagnostics() || !config.inputSplitMarker().empty())
    return true;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(bytes, input, false), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto parse = [&] {
    ParserConfig parser(&context, config.shouldVerifyOnParsing());
    return static_cast<bool>(parseSourceString<ModuleOp>(bytes, parser, input));
  };
  return si::survivesParsing(context, input, parse, diagnostics);
}

int run(const std::string &input, const std::string &output, const si::Limits &limits,
        DialectRegistry &registry) {
  si::DiagnosticList diagnostics;
  auto content = readInput(input, limits, diagnostics);
  auto bytes = content ? si::checkIrBytes(input, *content, limits, diagnostics) : std::nullopt;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (bytes && !hasGoodPasses(config))
    return static_cast<int>(si::ExitCode::kUsage);
  bool survives = bytes && survivesParsing(config, input, *bytes, registry, diagnostics);
  llvm::errs() << formatLines(diagnostics, /*json=*/false);
  if (!survives)
    return diagnostics.hasErrors() ? static_cast<int>(diagnostics.exitCode())
                                   : static_cast<int>(si::ExitCode::kBadGraph);
  std::string text;
  llvm::raw_string_ostream stream(text);
  config.setPassPipelineSetupFn([asked = config](PassManager &passes) {
    passes.addInstrumentation(sluice::makeErrorCheck(*passes.getContext()));
    return asked.setupPassPipeline(passes);
  });
  LogicalResult result =
      MlirOptMain(stream, llvm::MemoryBuffer::getMemBufferCopy(*bytes, input), registry, config);
  if (config.shouldEmitBytecode() && succeeded(result))
    text = si::wrapBytecode(text);
  if (failed(result) && output != "-")
    return static_cast<int>(si::ExitCode::kBadGraph);
  int code = writeOutput(text, output);
  return failed(result) ? static_cast<int>(si::ExitCode::kBadGraph) : code;
}

} // namespace

int main(int argc, char **argv) {
  sluice::ToolProcess process(argc, argv);
  hideOptionsOfLlvm();
  DialectRegistry registry;
  registerAll(registry);
  llvm::cl::OptionCategory category("Limits");
  sluice::LimitFlag limit(category);
  llvm::cl::SetVersionPrinter(
      [](llvm::raw_ostream &out) { out << "sluice-opt " SLUICE_VERSION "\n"; });
  std::string header = registerCLIOptions("inspects and transforms Sluice IR\n", registry);
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-"));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output filename"),
                                    llvm::cl::value_desc("filename"), llvm::cl::init("-"));
  if (!sluice::parseCommandLine({argv, static_cast<size_t>(argc)}, "sluice-opt", header))
    return static_cast<int>(si::ExitCode::kUsage);
  si::Limits limits;
  if (auto problem = limit.apply(limits))
    return complain(*problem, static_cast<int>(si::ExitCode::kUsage));
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return run(input, output, limits, registry);
}
