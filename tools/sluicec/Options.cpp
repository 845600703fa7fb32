// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of sluicec's command line with LLVM's library.
#include "tools/sluicec/Options.h"

#include "compiler/place/DeviceTarget.h"
#include "tools/flags/DescribeFlags.h"
#include "tools/flags/ParseCommandLine.h"
#include "tools/sluicec/ChooseTraining.h"
#include "tools/sluicec/Manual.h"
#include "tools/sluicec/OutputCheck.h"
#include "tools/sluicec/ProgramArguments.h"
#include "tools/sluicec/SignatureFile.h"
#include "tools/sluicec/UsageError.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace sluice {

namespace {

std::string version() {
  return std::string("sluicec " SLUICE_VERSION ", target ") + sys::getDefaultTargetTriple();
}

int choosePhases(const Flags &flags, DriverOptions &options) {
  auto find = [](StringRef flag, StringRef name, PhaseId &id) {
    std::optional<PhaseId> found = phaseFromName(name);
    if (!found)
      return usageError("expected --" + flag + " to name one of " + phaseNames() + " but got '" +
                        name + "'");
    id = *found;
    return static_cast<int>(kExitOk);
  };
  if (flags.stopAfter.getNumOccurrences())
    if (int code = find("stop-after", flags.stopAfter, options.compile.lastPhase))
      return code;
  if (!flags.interpret.getNumOccurrences())
    return kExitOk;
  bool asksForDerivatives =
      !flags.gradients.empty() || !flags.jvp.empty() || flags.train.getNumOccurrences();
  PhaseId id = asksForDerivatives ? PhaseId::kDifferentiate : PhaseId::kImport;
  if (!flags.interpret.empty())
    if (int code = find("interpret", flags.interpret, id))
      return code;
  if (!phase(id).interpretable)
    return usageError("the reference interpreter cannot run what phase '" + phase(id).name +
                      "' makes");
  if (asksForDerivatives && id < PhaseId::kOptimize)
    return usageError(
        "composites have no derivatives: use --interpret=optimize or =raise for those "
        "that the interpreter finds itself, or a later phase for the compiler's");
  options.interpret = options.compile.lastPhase = id;
  return kExitOk;
}

// Checks flags that take others' place or need them.
int checkConflicts(const Flags &flags) {
  const cl::Option *clashes[][2] = {{&flags.cluster, &flags.deviceCount},
                                    {&flags.cluster, &flags.placementSeed},
                                    {&flags.explainPlace, &flags.placementSeed},
                                    {&flags.execute, &flags.interpret},
                                    {&flags.execute, &flags.stopAfter},
                                    {&flags.target, &flags.cluster},
                                    {&flags.execute, &flags.emit},
                                    {&flags.execute, &flags.output},
                                    {&flags.config, &flags.signatures},
                                    {&flags.config, std::addressof(flags.signature)},
                                    {&flags.config, std::addressof(flags.feed)},
                                    {&flags.config, std::addressof(flags.fetch)}};
  for (auto [one, other] : clashes)
    if (one->getNumOccurrences() && other->getNumOccurrences())
      return usageError("--" + Twine(one->ArgStr) + " excludes " +
                        (other->ArgStr.size() > 1 ? "--" : "-") + other->ArgStr);
  if (flags.triple.getNumOccurrences() && flags.emit != EmitKind::kObject)
    return usageError("--triple needs --emit=obj: the runtime beside this compiler is for this "
                      "machine");
  if (int code = checkLibraryFlags(flags))
    return code;
  // Nothing is left to explain.
  const cl::opt<bool> *mute[][2] = {{&flags.explainRaise, &flags.noRaise},
                                    {&flags.explainLoops, &flags.noRaise},
                                    {&flags.explainLoops, &flags.noCodelets},
                                    {&flags.explainLoops, &flags.noCollapse},
                                    {&flags.explainCodelets, &flags.noCodelets}};
  for (auto [explain, without] : mute)
    if (*explain && *without)
      return usageError("--" + Twine(explain->ArgStr) + " excludes --" + without->ArgStr);
  if (flags.placementSeed.getNumOccurrences() && !flags.deviceCount.getNumOccurrences() &&
      !place::cardOf(flags.target))
    return usageError("--placement-seed needs --devices or a --target with a card");
  bool placed = flags.cluster.getNumOccurrences() || flags.deviceCount.getNumOccurrences();
  if (flags.explainPlace.getNumOccurrences() && !placed && !place::cardOf(flags.target))
    return usageError("--explain-place needs --devices, --cluster or a --target with a card");
  if (flags.cardOnly.getNumOccurrences() && !place::cardOf(flags.target))
    return usageError("--card-only needs a --target with a card");
  if (flags.cardLoops.getNumOccurrences()) {
    if (!place::cardOf(flags.target) && !flags.cluster.getNumOccurrences())
      return usageError("--card-loops needs a --target with a card, or --cluster");
    if (!llvm::is_contained({"auto", "always", "never"}, StringRef(flags.cardLoops)))
      return usageError("--card-loops: expected auto, always or never but got '" +
                        import::escaped(flags.cardLoops) + "'");
  }
  if (flags.leastCardWork.getNumOccurrences()) {
    if (!place::cardOf(flags.target) && !flags.cluster.getNumOccurrences())
      return usageError("--least-card-work needs a --target with a card, or --cluster");
    if (int64_t work; StringRef(flags.leastCardWork).getAsInteger(10, work) || work < 0)
      return usageError("--least-card-work: expected a number from 0 on but got '" +
                        import::escaped(flags.leastCardWork) + "'");
  }
  bool asks =
      flags.explainPartition.getNumOccurrences() || flags.partitionSummary.getNumOccurrences();
  if (asks && !placed)
    return usageError("--explain-partition and --partition-summary need --devices or --cluster");
  return kExitOk;
}

// Images are little endian with addresses of 64 bits, and the linker knows ELF files of these.
bool canBeTarget(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::x86_64:
  case Triple::aarch64:
  case Triple::riscv64:
  case Triple::ppc64le:
  case Triple::loongarch64:
    return triple.isOSBinFormatELF();
  default:
    return false;
  }
}

int checkTarget(const Flags &flags, DriverOptions &) {
  if (flags.triple.empty())
    return kExitOk;
  Triple triple(Triple::normalize(flags.triple));
  if (!canBeTarget(triple))
    return usageError("expected --triple to be a machine with ELF files and one of the processors "
                      "x86_64, aarch64, riscv64, ppc64le and loongarch64, such as "
                      "aarch64-linux-gnu, but got '" +
                      import::escaped(flags.triple) + "'");
  if (flags.march == "native" && triple.getArch() != Triple(sys::getProcessTriple()).getArch())
    return usageError("--march=native is the processor of this machine, but --triple has a '" +
                      triple.getArchName() + "'");
  return kExitOk;
}

int checkDevice(const Flags &flags, DriverOptions &) {
  if (!flags.target.getNumOccurrences())
    return kExitOk;
  std::string problem = place::problemOfTarget(flags.target);
  return problem.empty() ? static_cast<int>(kExitOk)
                         : usageError("--target: " + problem + " but got '" +
                                      import::escaped(flags.target) + "'");
}

int checkCpu(const Flags &flags, DriverOptions &) {
  Triple triple(flags.triple.empty() ? sys::getDefaultTargetTriple() : flags.triple.getValue());
  return place::isKnownCpu(triple, flags.march)
             ? static_cast<int>(kExitOk)
             : usageError("expected --march to be " + place::kCpuNames + ", but got '" +
                          import::escaped(flags.march) + "'");
}

int chooseDevices(const Flags &flags, DriverOptions &options) {
  CompileOptions &compile = options.compile;
  const uint64_t most = compile.limits[import::LimitId::kLocalDevices];
  if (flags.deviceCount.getNumOccurrences()) {
    unsigned count;
    if (flags.deviceCount.getValue().empty() ||
        StringRef(flags.deviceCount).getAsInteger(10, count) || count < 1 || count > most)
      return usageError("expected --devices to be a number from 1 to " + Twine(most) +
                        " but got '" + import::escaped(flags.deviceCount) + "'" +
                        compile.limits.remedy(import::LimitId::kLocalDevices));
    compile.cluster = place::ClusterSpec::ofLocalDevices(count, flags.target);
  }
  if (flags.placementSeed.getNumOccurrences()) {
    uint64_t seed;
    if (StringRef(flags.placementSeed).getAsInteger(10, seed))
      return usageError("expected --placement-seed to be a number but got '" +
                        import::escaped(flags.placementSeed) + "'");
    compile.placementSeed = seed;
  }
  if (flags.cluster.getNumOccurrences()) {
    import::DiagnosticList diagnostics;
    compile.cluster = place::ClusterSpec::read(flags.cluster, diagnostics, compile.limits);
    DiagnosticPrinter(options.json, errs()).print(diagnostics);
    if (!compile.cluster)
      return static_cast<int>(diagnostics.exitCode());
  }
  compile.explainPlace = flags.explainPlace;
  if (compile.explainPlace && !place::cardOf(flags.target) && compile.lastPhase < PhaseId::kPlace)
    return usageError("--explain-place needs the phase 'place', which is not reached");
  compile.explainPartition = flags.explainPartition;
  compile.partitionSummary = flags.partitionSummary;
  bool asks = compile.explainPartition || !compile.partitionSummary.empty();
  if (asks && compile.lastPhase < PhaseId::kPartition)
    return usageError("--explain-partition and --partition-summary need the phase 'partition', "
                      "which is not reached");
  return kExitOk;
}

// The signature that tfcompile would have compiled.
int chooseByConfig(const Flags &flags, DriverOptions &options) {
  import::DiagnosticList diagnostics;
  auto config = import::readConfig(flags.config, options.compile.limits, diagnostics);
  DiagnosticPrinter(options.json, errs()).print(diagnostics);
  if (!config)
    return static_cast<int>(diagnostics.exitCode());
  config->signature.targets.assign(flags.run.begin(), flags.run.end());
  options.compile.model.direct.push_back(std::move(config->signature));
  options.compile.namedVariables = std::move(config->variables);
  return kExitOk;
}

int chooseSignatures(const Flags &flags, DriverOptions &options) {
  import::ModelRequest &model = options.compile.model;
  if (std::string problem = chooseTraining(flags, options); !problem.empty())
    return usageError(problem);
  bool gives =
      !flags.fetch.empty() || !flags.run.empty() || !flags.gradients.empty() || !flags.jvp.empty();
  // Feeds alone are those of the training step.
  bool direct = gives || (!flags.feed.empty() && !model.training);
  model.tags.assign(flags.tag.begin(), flags.tag.end());
  model.signatures.assign(flags.signature.begin(), flags.signature.end());
  model.weights = flags.weights;
  if (flags.config.getNumOccurrences())
    return chooseByConfig(flags, options);
  if (!flags.signatures.getNumOccurrences()) {
    import::SignatureRequest request;
    request.feeds.assign(flags.feed.begin(), flags.feed.end());
    request.fetches.assign(flags.fetch.begin(), flags.fetch.end());
    request.targets.assign(flags.run.begin(), flags.run.end());
    for (const std::string &text : flags.gradients) {
      std::string problem;
      auto gradients = import::parseGradientRequest(text, problem);
      if (!gradients)
        return usageError("--gradients: " + problem);
      request.gradients.push_back(std::move(*gradients));
    }
    for (const std::string &text : flags.jvp) {
      std::string problem;
      auto tangents = import::parseTangentRequest(text, problem);
      if (!tangents)
        return usageError("--jvp: " + problem);
      request.gradients.push_back(std::move(*tangents));
    }
    if (direct)
      model.direct.push_back(std::move(request));
    return kExitOk;
  }
  if (direct)
    return usageError("--signatures excludes --feed, --fetch, --run, --gradients and --jvp");
  import::DiagnosticList diagnostics;
  auto requests = readSignatureFile(flags.signatures, diagnostics, options.compile.limits);
  DiagnosticPrinter(options.json, errs()).print(diagnostics);
  if (!requests)
    return static_cast<int>(diagnostics.exitCode());
  model.direct = std::move(*requests);
  return kExitOk;
}

std::string libraryFolder(const char *argv0) {
  std::string program = sys::fs::getMainExecutable(
      argv0, reinterpret_cast<void *>(reinterpret_cast<intptr_t>(&parseOptions)));
  SmallString<128> folder(sys::path::parent_path(sys::path::parent_path(program)));
  sys::path::append(folder, "lib", "sluice");
  return std::string(folder);
}

// No flag that wants a text may have an empty one.
int checkTexts(const Flags &flags) {
  if (flags.diagnostics != "text" && flags.diagnostics != "json")
    return usageError("expected --diagnostics-format to be text or json but got '" +
                      flags.diagnostics + "'");
  for (const cl::opt<std::string> *flag :
       {&flags.output, &flags.dumpPhases, &flags.signatures, &flags.march, &flags.triple,
        &flags.cluster, &flags.partitionSummary, &flags.report, &flags.weights, &flags.config,
        &flags.cppClass})
    if (flag->getNumOccurrences() && flag->empty())
      return usageError("-" + Twine(flag->ArgStr.size() > 1 ? "-" : "") + flag->ArgStr +
                        ": expected " + flag->ValueStr + " but got an empty string");
  return kExitOk;
}

int chooseInput(const Flags &flags, DriverOptions &options) {
  if (flags.input.empty())
    return usageError("expected a graph file");
  if (flags.input.size() > 1)
    return usageError("expected one graph file but got '" + import::escaped(flags.input[0]) +
                      "' and '" + import::escaped(flags.input[1]) + "'");
  options.compile.input = flags.input[0];
  return kExitOk;
}

void takeOver(const Flags &flags, CompileOptions &compile) {
  compile.output = flags.output;
  compile.emit = flags.emit;
  // Whoever names a phase wants to see the IR after it, also after the last one.
  if (flags.stopAfter.getNumOccurrences() && !flags.emit.getNumOccurrences())
    compile.emit = EmitKind::kMlir;
  compile.cppClass = flags.cppClass;
  compile.dumpFolder = flags.dumpPhases;
  compile.verifyEachPass = flags.verifyEach;
  compile.verbose = flags.verbose;
  compile.optimize.prune = !flags.noPrune && !flags.o0;
  compile.optimize.inferShapes = !flags.noShapes && !flags.o0;
  compile.optimize.foldConstants = !flags.noFold && !flags.o0;
  compile.optimize.mergeDuplicates = !flags.noMerge && !flags.o0;
  compile.optimize.hoistInvariants = !flags.noHoist && !flags.o0;
  compile.raise = !flags.noRaise;
  compile.explainRaise = flags.explainRaise;
  compile.explainGradients = flags.explainGradient;
  compile.timePhases = flags.timePhases;
  compile.codelets = !flags.noCodelets;
  if (!flags.codeletCache.getNumOccurrences())
    compile.codeletCache = codegen::CodeletCache::usualFolder();
  else if (flags.codeletCache != "off")
    compile.codeletCache = flags.codeletCache;
  compile.collapse = !flags.noCollapse;
  compile.explainLoops = flags.explainLoops;
  compile.explainCodelets = flags.explainCodelets;
  compile.report = flags.report;
  compile.device = flags.target;
  compile.cardIsOptional = !flags.cardOnly;
  compile.cardLoops = flags.cardLoops;
  if (int64_t work; !StringRef(flags.leastCardWork).getAsInteger(10, work))
    compile.leastCardWork = work;
  compile.target.march = flags.march;
  compile.target.triple = flags.triple;
  compile.target.contract = flags.contract;
  compile.target.level = flags.o0 ? 0 : 1;
}

int fill(const Flags &flags, DriverOptions &options) {
  if (int code = checkTexts(flags))
    return code;
  options.json = flags.diagnostics == "json";
  options.describes = flags.describe;
  options.describesAsJson = flags.asJson;
  if (flags.asJson && !flags.describe)
    return usageError("--json needs --describe; --diagnostics-format=json is for errors");
  if (int code = checkConflicts(flags))
    return code;
  if (auto problem = flags.limit.apply(options.compile.limits))
    return usageError(*problem);
  takeOver(flags, options.compile);
  options.compile.version = version();
  options.compile.progress = sys::Process::StandardErrIsDisplayed();
  if (flags.execute.getNumOccurrences())
    options.execute = flags.execute;
  for (auto choose : {chooseInput, choosePhases, checkTarget, checkDevice, checkCpu, chooseDevices,
                      chooseSignatures})
    if (int code = choose(flags, options))
      return code;
  return checkOutput(flags, options);
}

} // namespace

std::optional<DriverOptions> parseOptions(int argc, char **argv, int &exitCode) {
  // LLVM's own options, a thousand of them, mean nothing to users of this tool.
  cl::ResetCommandLineParser();
  Flags flags;
  DriverOptions options;
  cl::SetVersionPrinter([](raw_ostream &out) { out << version() << '\n'; });
  std::vector<const char *> arguments =
      takeProgramArguments({argv, argv + argc}, flags.categories(), options.programArguments);
  if (asksForHelp(arguments)) {
    exitCode = printHelp(compilerManual(flags)) ? kExitOk : kExitInputOutput;
    return std::nullopt;
  }
  exitCode = kExitUsage;
  if (!parseCommandLine(arguments, sys::path::filename(argv[0]), ""))
    return std::nullopt;
  exitCode = fill(flags, options);
  if (exitCode != kExitOk)
    return std::nullopt;
  options.compile.libraryFolder = libraryFolder(argv[0]);
  return options;
}

} // namespace sluice
