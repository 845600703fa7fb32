// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spine: every phase in order, then the passes of each.
#include "compiler/pipeline/Compile.h"

#include "compiler/codegen/ExplainCards.h"
#include "compiler/codegen/ExplainLoops.h"
#include "compiler/codegen/Passes.h"
#include "compiler/differentiate/Budget.h"
#include "compiler/differentiate/Passes.h"
#include "compiler/emit/CodeletReport.h"
#include "compiler/emit/Passes.h"
#include "compiler/import/IrFile.h"
#include "compiler/lower/Passes.h"
#include "compiler/partition/Explain.h"
#include "compiler/partition/Passes.h"
#include "compiler/pipeline/CardRequests.h"
#include "compiler/pipeline/ResumeFromIr.h"
#include "compiler/pipeline/WritePrograms.h"
#include "compiler/place/Explain.h"
#include "compiler/place/Passes.h"
#include "compiler/raise/Passes.h"
#include "compiler/report/Collect.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;

namespace sluice {

int Compilation::run() {
  // Read the graph file, check all of it, and build one flow.graph for each signature.
  if (int code = runPhase(PhaseId::kImport, &Compilation::import))
    return code;
  // From here on no protobuf is left: everything the file said is IR, names are locations. Names
  // of ops with derivatives of their own are composites, for whoever differentiates now.

  // Make the graphs smaller without changing a bit of any result.
  if (int code = runPhase(PhaseId::kOptimize, &Compilation::optimize))
    return code;
  // From here on there are no composites; where derivatives are asked for, flow.known_as has the
  // names. Types say what is known of shapes.

  // Recognise branches and loops: what works on structure, works on this.
  if (int code = runPhase(PhaseId::kRaise, &Compilation::raise))
    return code;
  // From here on a well-formed branch or loop is one op with regions.

  // Build the derivatives that somebody asks for.
  if (int code = runPhase(PhaseId::kDifferentiate, &Compilation::differentiate))
    return code;
  // From here on names of the graph file's ops are of no use to anybody.

  // Back to primitives, which a device may have some of.
  if (int code = runPhase(PhaseId::kLower, &Compilation::lower))
    return code;
  // From here on no op has a region.

  // With a cluster: choose a device for every op, and keep together what must be.
  if (int code = runPhase(PhaseId::kPlace, &Compilation::place))
    return code;
  // From here on every op that fires has a device.

  // With a cluster: cut each graph into one for every device.
  if (int code = runPhase(PhaseId::kPartition, &Compilation::partition))
    return code;
  // From here on there is a module for each rank, and ranks share nothing but messages. Without a
  // cluster the module is as lower left it.

  // Compile to machine code what fires together, and loops that stayed whole on one device.
  if (int code = runPhase(PhaseId::kCodegen, &Compilation::codegen))
    return code;
  // From here on a flow.codelet names the code that it runs.

  // Number nodes and frames: the IR now says what the tables of executables say.
  return runPhase(PhaseId::kEmit, &Compilation::emit);
}

int Compilation::runPhase(PhaseId id, int (Compilation::*body)()) {
  if (id > options_.lastPhase)
    return kExitOk;
  auto start = std::chrono::steady_clock::now();
  std::string progress =
      llvm::formatv("[{0}/{1}] {2}", static_cast<int>(id) + 1, phaseTable().size(), phase(id).name);
  // A message of the phase begins where this line does, and replaces it.
  if (options_.progress)
    llvm::errs() << progress << '\r';
  int code = (this->*body)();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (options_.progress && !code)
    llvm::errs() << progress << llvm::format(" %.1f s\n", took.count());
  printTime(phase(id).name, took);
  if (!code && collectsReport())
    collectPhase(id, took.count() * 1e3);
  return code ? code : dump(id);
}

int Compilation::import() {
  import::DiagnosticList diagnostics;
  StringRef extension = llvm::sys::path::extension(options_.input);
  if (extension == ".mlir" || extension == ".mlirbc") {
    module_ = import::readIr(context_, options_.input, options_.limits, diagnostics);
    printer_.print(diagnostics);
    if (!module_ && diagnostics.hasErrors())
      return static_cast<int>(diagnostics.exitCode());
    startsFromIr_ = true;
    bool compilesOn = options_.lastPhase != PhaseId::kImport;
    bool isGood = module_ && (!compilesOn || succeeded(checkCanResume(*module_)));
    return isGood ? kExitOk : kExitCompileError;
  }
  import::ImportOptions importOptions;
  importOptions.keepPlacement = options_.cluster || cardsAlone();
  module_ = import::importModel(context_, options_.input, options_.model, options_.limits,
                                diagnostics, importOptions);
  printer_.print(diagnostics);
  if (!module_)
    return static_cast<int>(diagnostics.exitCode());
  return recordCards();
}

int Compilation::runPasses(PassManager &passes, ModuleOp module) {
  passes.enableVerifier(options_.verifyEachPass); // once below is what users pay for
  return failed(passes.run(module)) || failed(verify(module)) ? kExitCompileError : kExitOk;
}

static bool asksForDerivatives(ModuleOp module) {
  return module.walk([](flow::GradientOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

int Compilation::optimize() {
  PassManager passes(&context_);
  optimize::OptimizeOptions chosen = options_.optimize;
  chosen.keepNames = asksForDerivatives_ = asksForDerivatives(*module_);
  if (startsFromIr_) {
    // Types in a file are claims. They are found out anew, also in regions, before they are used.
    dissolveCodelets(*module_);
    chosen.inferShapes = chosen.forgetClaims = true;
    passes.addPass(lower::createLowerControlFlow());
  }
  passes.addPass(optimize::createOptimizeInlineCalls(
      {static_cast<unsigned>(options_.limits[import::LimitId::kLoopNesting])}));
  optimize::buildOptimizePipeline(passes, chosen);
  return runPasses(passes);
}

// They are for loops that become code of processors, whose sizes are found out from shapes.
bool Compilation::versionsMayPay() const {
  return options_.collapse && options_.optimize.inferShapes && options_.optimize.foldConstants &&
         !asksForDerivatives_ && !options_.cluster && options_.device.empty();
}

int Compilation::raise() {
  // A region would lose the devices that IR of the place phase gives to the ops of a loop.
  bool isWanted = options_.raise || asksForDerivatives_; // which are built on regions
  if (!isWanted || (*module_)->hasAttr(wire::kDevices))
    return kExitOk;
  PassManager passes(&context_);
  passes.addPass(raise::createRaiseControlFlow());
  passes.addPass(raise::createRaiseArraysToValues());
  passes.addPass(raise::createRaiseArraysToLists());
  optimize::buildRegionPipeline(passes, options_.optimize);
  if (options_.optimize.prune) // a tensor's size is known without the loop that fills it
    passes.addPass(optimize::createOptimizePruneGraph());
  int code = runPasses(passes);
  if (!code && versionsMayPay() && optimize::versionDims(*module_) > 0) {
    PassManager again(&context_);
    optimize::buildRegionPipeline(again, options_.optimize);
    code = runPasses(again);
  }
  if (!code && (options_.explainRaise || collectsReport()))
    report_.raised = raise::raiseOutcomes(*module_);
  if (!code && options_.explainRaise)
    reportStream() << raise::explainRaise(report_.raised);
  return code;
}

int Compilation::differentiate() {
  if (asksForDerivatives_)
    if (int code = buildDerivatives())
      return code;
  if (options_.gradients.products != differentiate::Products::kJoined)
    return kExitOk;
  PassManager passes(&context_); // the graph file may bring derivatives along
  passes.addPass(differentiate::createDifferentiateJoinProducts());
  return runPasses(passes);
}

int Compilation::buildDerivatives() {
  std::vector<differentiate::SavedValue> saved;
  differentiate::Choices choices = differentiate::chooseWithin(*module_, options_.gradients);
  if (failed(differentiate::buildGradients(*module_, choices, saved)))
    return static_cast<int>(rt::ExitCode::kUnsupported);
  if (options_.explainGradients)
    reportStream() << differentiate::explainGradients(saved);
  PassManager passes(&context_);
  optimize::OptimizeOptions chosen = options_.optimize;
  if (chosen.inferShapes)
    passes.addPass(optimize::createOptimizeInferRegions());
  if (chosen.foldConstants)
    passes.addPass(optimize::createOptimizeFoldConstants());
  if (chosen.mergeDuplicates)
    passes.addPass(optimize::createOptimizeMergeDuplicates());
  optimize::buildRegionPipeline(passes, chosen);
  if (chosen.prune)
    passes.addPass(optimize::createOptimizePruneGraph());
  return runPasses(passes);
}

int Compilation::lower() {
  PassManager passes(&context_);
  passes.addPass(lower::createLowerControlFlow());
  return runPasses(passes);
}

int Compilation::place() {
  if (int code = recordCards())
    return code;
  if (cardsAlone())
    dropRequests(*module_);
  if (!options_.cluster)
    return kExitOk;
  options_.cluster->declareIn(*module_);
  if (options_.explainPlace)
    if (int code = explainPlace())
      return code;
  PassManager passes(&context_);
  if (options_.placementSeed)
    passes.addPass(place::createPlaceAtRandom({.seed = *options_.placementSeed}));
  else
    passes.addPass(place::createPlaceOnDevices());
  return runPasses(passes);
}

// Before the pass, which leaves numbers and no reasons.
int Compilation::explainPlace() {
  auto placed = place::PlacedModule::of(*module_);
  if (failed(placed))
    return kExitCompileError;
  reportStream() << place::explainPlacement(**placed);
  return kExitOk;
}

int Compilation::partition() {
  // IR that was placed by an earlier run of the compiler has devices, too.
  if (!(*module_)->hasAttr(wire::kDevices))
    return kExitOk;
  PassManager passes(&context_);
  passes.addPass(partition::createPartitionSettleWaits());
  passes.addPass(partition::createPartitionSettleLoopPorts());
  passes.addPass(partition::createPartitionSplitByDevice());
  passes.addPass(partition::createPartitionCheckBalance());
  int code = runPasses(passes);
  return code ? code : reportPartition();
}

int Compilation::reportPartition() {
  if (options_.explainPartition)
    reportStream() << partition::explainPartition(*module_);
  if (collectsReport())
    report_.traffic = partition::trafficOf(*module_);
  if (options_.partitionSummary.empty())
    return kExitOk;
  partition::PartitionSummary summary = partition::summarize(*module_);
  std::string json = llvm::formatv("{{\"edges\": {0}, \"edges_in_loops\": {1}, "
                                   "\"edges_in_nested_loops\": {2}}\n",
                                   summary.edges, summary.edgesInLoops, summary.edgesInNestedLoops);
  return writeFile(json, options_.partitionSummary, printer_);
}

int Compilation::codegen() {
  if (!options_.codelets)
    return kExitOk;
  // Ranks of a cluster rely on what each other's codelets wait for.
  bool isAlone = module_->getOps<ModuleOp>().empty();
  if (isAlone && options_.cardIsOptional && targetOf(*module_).card)
    withoutCards_ = module_->clone();
  if (int code = findCards())
    return code;
  if (int code = formCodelets(*module_))
    return code;
  if (withoutCards_)
    if (int code = formCodelets(*withoutCards_))
      return code;
  return compileCodelets();
}

int Compilation::formCodelets(ModuleOp module) {
  if (options_.raise && options_.collapse)
    if (int code = collapseLoops(module))
      return code;
  PassManager place(&context_);
  place.addPass(codegen::createCodegenPlaceVariables());
  place.addPass(codegen::createCodegenPlaceOnCards());
  if (int code = runPasses(place, module))
    return code;
  if (options_.explainPlace && module == *module_)
    for (ModuleOp program : programModules())
      reportStream() << codegen::explainCards(program);
  PassManager passes(&context_);
  codegen::CodegenFormCodeletsOptions forming;
  forming.keepUnused = !options_.optimize.prune;
  passes.addPass(codegen::createCodegenFormCodelets(forming));
  passes.addPass(codegen::createCodegenPlaceBoxes());
  passes.addPass(codegen::createCodegenPlaceLists());
  passes.addPass(codegen::createCodegenMultiplyAhead());
  passes.addPass(codegen::createCodegenAssignStreams());
  return runPasses(passes, module);
}

// Loops are looked for once more: of those on several devices no rank has a whole one.
int Compilation::collapseLoops(ModuleOp module) {
  PassManager choose(&context_), lower(&context_);
  choose.addPass(raise::createRaiseControlFlow());
  choose.addPass(codegen::createCodegenCaptureConstants());
  choose.addPass(codegen::createCodegenCarryVariables());
  choose.addPass(codegen::createCodegenHoistReads());
  if (options_.optimize.hoistInvariants) { // values of variables may be some only now
    if (options_.optimize.prune) {
      choose.addPass(optimize::createOptimizePruneRegions());
      choose.addPass(optimize::createOptimizeDropWaits());
    }
    choose.addPass(optimize::createOptimizeInvariantStacks());
    choose.addPass(optimize::createOptimizeHoistInvariants());
  }
  choose.addPass(codegen::createCodegenHoistProducts());
  choose.addPass(codegen::createCodegenChooseLoops());
  choose.addPass(codegen::createCodegenPlaceLoops());
  if (int code = runPasses(choose, module))
    return code;
  bool isTold = module == *module_;
  if (isTold && (options_.explainLoops || collectsReport()))
    report_.verdicts = codegen::loopVerdicts(module);
  if (isTold && options_.explainLoops)
    reportStream() << codegen::explainLoops(report_.verdicts);
  lower.addPass(lower::createLowerControlFlow());
  return runPasses(lower, module);
}

int Compilation::compileCodelets() {
  codegen::CodeletCache cache(options_.codeletCache);
  for (auto [rank, program] : llvm::enumerate(programModules())) {
    SmallVector<ModuleOp, 2> modules{program};
    if (withoutCards_)
      modules.push_back(*withoutCards_);
    auto compiled = codegen::compileCodelets(modules, targetOf(program), cache);
    if (failed(compiled))
      return kExitCompileError;
    if (withoutCards_)
      llvm::erase_if(compiled->codelets, [&](const codegen::CompiledCodelet &codelet) {
        return codelet.ops.front()->getParentOfType<ModuleOp>() == *withoutCards_;
      });
    report::collectCodelets(compiled->codelets, static_cast<unsigned>(rank), report_);
    if (options_.explainCodelets)
      emit::printCodelets(compiled->codelets, reportStream());
    codeletObjects_.push_back(std::move(compiled->objects));
  }
  return kExitOk;
}

int Compilation::emit() {
  PassManager passes(&context_);
  if (module_->getOps<ModuleOp>().empty())
    passes.addPass(emit::createEmitBuildProgram());
  else
    passes.addNestedPass<ModuleOp>(emit::createEmitBuildProgram());
  if (int code = runPasses(passes))
    return code;
  return withoutCards_ ? runPasses(passes, *withoutCards_) : kExitOk;
}

} // namespace sluice
