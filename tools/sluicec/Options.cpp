// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of sluicec's command line with LLVM's library.
#include "tools/sluicec/Options.h"

#include "tools/ParseCommandLine.h"
#include "tools/sluicec/ProgramArguments.h"
#include "tools/sluicec/SignatureFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace sluice {

namespace {

struct Flags {
  // Members, because they must come into being after LLVM's own have been dropped.
  cl::OptionCategory inputs{"Input"}, outputs{"Output"}, devices{"Devices"}, phases{"Phases"};

  // A list, so that superfluous ones can be named.
  cl::list<std::string> input{cl::Positional, cl::desc("<graph.pb | graph.pbtxt | module.mlir>"),
                              cl::cat(inputs)};
  cl::list<std::string> feed{"feed", cl::value_desc("tensor"), cl::cat(inputs),
                             cl::desc("a tensor that the caller gives, for example x or x:0")};
  cl::list<std::string> fetch{"fetch", cl::value_desc("tensor"), cl::cat(inputs),
                              cl::desc("a tensor that the caller receives")};
  cl::list<std::string> run{"run", cl::value_desc("node"), cl::cat(inputs),
                            cl::desc("a node that is run for its effect")};
  cl::opt<std::string> signatures{
      "signatures", cl::value_desc("file.json"), cl::cat(inputs),
      cl::desc("several signatures: {\"signatures\": [{\"name\", \"feeds\", \"fetches\", \"targets\"}]}")};
  cl::opt<std::string> output{"o", cl::value_desc("file"), cl::cat(outputs),
                              cl::desc("output file (IR: default stdout); with devices a folder")};
  cl::opt<EmitKind> emit{
      "emit", cl::desc("what to write"), cl::init(EmitKind::kExecutable), cl::cat(outputs),
      cl::values(clEnumValN(EmitKind::kExecutable, "exe", "an executable (default)"),
                 clEnumValN(EmitKind::kObject, "obj", "its object file, not linked"),
                 clEnumValN(EmitKind::kMlir, "mlir", "IR after the last phase"))};
  cl::opt<std::string> cluster{"cluster", cl::value_desc("file.json"), cl::cat(devices),
                               cl::desc("one executable for each device of the file: {\"devices\": "
                                        "[{\"name\", \"host\", \"port\"}]}")};
  cl::opt<std::string> deviceCount{"devices", cl::value_desc("K"), cl::cat(devices),
                                   cl::desc("the same for K devices of this machine (1 to 64)")};
  cl::opt<std::string> placementSeed{
      "placement-seed", cl::value_desc("S"), cl::cat(devices),
      cl::desc("with --devices: put what is free to be anywhere on devices at random")};
  cl::opt<bool> explainPartition{"explain-partition", cl::cat(devices),
                                 cl::desc("print a table of devices and of what they send")};
  cl::opt<std::string> partitionSummary{
      "partition-summary", cl::value_desc("file"), cl::cat(devices),
      cl::desc("write the number of edges between devices as JSON")};
  cl::opt<Execution> execute{
      "execute", cl::cat(devices),
      cl::desc("run the program inside the compiler; further flags are those of executables:"),
      cl::values(clEnumValN(Execution::kLocal, "local", "a thread for each device"),
                 clEnumValN(Execution::kSimulated, "sim",
                            "one thread and simulated messages, in an order drawn from "
                            "--schedule-seed"))};
  cl::opt<std::string> stopAfter{"stop-after", cl::value_desc("phase"), cl::cat(phases),
                                 cl::desc("print the IR after this phase")};
  cl::opt<std::string> dumpPhases{"dump-phases", cl::value_desc("folder"), cl::cat(phases),
                                  cl::desc("write the IR after each phase into the folder")};
  cl::opt<std::string> interpret{
      "interpret", cl::value_desc("phase"), cl::ValueOptional, cl::cat(phases),
      cl::desc("run the IR as it is after a phase (default import) in the reference interpreter; "
               "further flags are those of executables")};
  cl::opt<bool> noPrune{"no-prune", cl::desc("optimize: do not prune"), cl::cat(phases)};
  cl::opt<bool> noShapes{"no-infer-shapes", cl::desc("optimize: do not infer shapes"),
                         cl::cat(phases)};
  cl::opt<bool> noFold{"no-fold-constants", cl::desc("optimize: do not fold constants"),
                       cl::cat(phases)};
  cl::opt<bool> noMerge{"no-merge-duplicates", cl::desc("optimize: do not merge duplicates"),
                        cl::cat(phases)};
  cl::opt<bool> o0{"O0", cl::desc("optimize: do nothing"), cl::cat(phases)};
  cl::opt<bool> noRaise{"no-raise", cl::desc("raise: leave branches and loops as primitives"),
                        cl::cat(phases)};
  cl::opt<bool> explainRaise{"explain-raise", cl::cat(phases),
                             cl::desc("print which branches and loops stay primitives, and why")};
  cl::opt<bool> timePhases{"time-phases", cl::desc("print how long each phase takes"),
                           cl::cat(phases)};
  cl::opt<bool> noCodelets{"no-codelets", cl::desc("codegen: run every op as a kernel"),
                           cl::cat(phases)};
  cl::opt<bool> noCollapse{"no-collapse", cl::cat(phases),
                           cl::desc("codegen: leave all loops to the executor")};
  cl::opt<bool> explainLoops{
      "explain-loops", cl::cat(phases),
      cl::desc("print which loops become machine code, and what keeps others from it")};
  cl::opt<bool> report{"report", cl::desc("print the codelets with their ops and sizes"),
                       cl::cat(phases)};
  cl::opt<std::string> march{"march", cl::value_desc("cpu"), cl::init("x86-64-v3"), cl::cat(outputs),
                             cl::desc("CPU that codelets are compiled for: x86-64-v2 to v4, a name, "
                                      "or native (default x86-64-v3)")};
  cl::opt<std::string> target{"target", cl::value_desc("triple"), cl::cat(outputs),
                              cl::desc("with --emit=obj: machine that the object is for, as "
                                       "aarch64-linux-gnu (default: this one)")};
  cl::opt<bool> contract{"contract", cl::cat(outputs),
                         cl::desc("round products and sums once; results lose their fixed bits")};
  cl::opt<std::string> diagnostics{"diagnostics-format", cl::value_desc("text|json"),
                                   cl::init("text"), cl::cat(outputs),
                                   cl::desc("form of errors and warnings")};
  cl::opt<bool> verbose{"v", cl::desc("print the target and the link command"), cl::cat(outputs)};
};

std::string helpEnd() {
  std::string text = "PHASES:\n\n";
  for (const Phase &p : phaseTable())
    text += ("  " + p.name + std::string(12 - p.name.size(), ' ') + p.summary + "\n").str();
  return text + "\nEXIT CODES:\n\n"
                "  0 ok, 1 bad graph, 2 usage, 3 file trouble, 4 unsupported op or dtype,\n"
                "  6 linker missing or failed, 70 a bug of the compiler\n"
                "\nEXAMPLES:\n\n"
                "  sluicec model.pb --feed x --fetch y -o model && ./model --input x=f32=3\n"
                "  sluicec model.pb --fetch y --stop-after=optimize\n"
                "  sluicec model.pb --feed x --fetch y --interpret --input x=f32=3\n"
                "  sluicec model.pb --feed x --fetch y --devices 2 -o model && \\\n"
                "    sluice-run model/manifest.json --input x=f32=3\n";
}

std::string version() {
  return std::string("sluicec " SLUICE_VERSION ", target ") + sys::getDefaultTargetTriple();
}

int usageError(const Twine &message) {
  errs() << "sluicec: error: " << message << "; see sluicec --help\n";
  return kExitUsage;
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
  PhaseId id = PhaseId::kImport;
  if (!flags.interpret.empty())
    if (int code = find("interpret", flags.interpret, id))
      return code;
  if (!phase(id).interpretable)
    return usageError("the reference interpreter cannot run what phase '" + phase(id).name +
                      "' makes");
  options.interpret = options.compile.lastPhase = id;
  return kExitOk;
}

// Checks flags that take others' place or need them.
int checkConflicts(const Flags &flags) {
  const cl::Option *clashes[][2] = {{&flags.cluster, &flags.deviceCount},
                                    {&flags.cluster, &flags.placementSeed},
                                    {&flags.execute, &flags.interpret},
                                    {&flags.execute, &flags.stopAfter},
                                    {&flags.execute, &flags.emit},
                                    {&flags.execute, &flags.output}};
  for (auto [one, other] : clashes)
    if (one->getNumOccurrences() && other->getNumOccurrences())
      return usageError("--" + Twine(one->ArgStr) + " excludes " +
                        (other->ArgStr.size() > 1 ? "--" : "-") + other->ArgStr);
  if (flags.target.getNumOccurrences() && flags.emit != EmitKind::kObject)
    return usageError("--target needs --emit=obj: the runtime beside this compiler is for this "
                      "machine");
  if (flags.explainRaise && flags.noRaise)
    return usageError("--explain-raise excludes --no-raise");
  if (flags.placementSeed.getNumOccurrences() && !flags.deviceCount.getNumOccurrences())
    return usageError("--placement-seed needs --devices");
  bool placed = flags.cluster.getNumOccurrences() || flags.deviceCount.getNumOccurrences();
  bool asks =
      flags.explainPartition.getNumOccurrences() || flags.partitionSummary.getNumOccurrences();
  if (asks && !placed)
    return usageError("--explain-partition and --partition-summary need --devices or --cluster");
  return kExitOk;
}

// Only names of x86-64 CPUs are known here; LLVM judges those of other machines.
int checkCpu(const Flags &flags, DriverOptions &) {
  bool isX86 = flags.target.empty() ? Triple(sys::getDefaultTargetTriple()).isX86()
                                    : Triple(flags.target).isX86();
  bool known = !isX86 || flags.march == "native" ||
               X86::parseArchX86(flags.march, /*Only64Bit=*/true) != X86::CK_None;
  return known ? static_cast<int>(kExitOk)
               : usageError("expected --march to be native, a level such as x86-64-v3, or a 64-bit "
                            "x86 CPU, but got '" +
                            import::escaped(flags.march) + "'");
}

int chooseDevices(const Flags &flags, DriverOptions &options) {
  CompileOptions &compile = options.compile;
  constexpr unsigned kMostDevices = 64;
  if (flags.deviceCount.getNumOccurrences()) {
    unsigned count;
    if (flags.deviceCount.getValue().empty() ||
        StringRef(flags.deviceCount).getAsInteger(10, count) || count < 1 || count > kMostDevices)
      return usageError("expected --devices to be a number from 1 to 64 but got '" +
                        import::escaped(flags.deviceCount) + "'");
    compile.cluster = place::ClusterSpec::ofLocalDevices(count);
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
    compile.cluster = place::ClusterSpec::read(flags.cluster, diagnostics);
    DiagnosticPrinter(options.json, errs()).print(diagnostics);
    if (!compile.cluster)
      return static_cast<int>(diagnostics.exitCode());
  }
  compile.explainPartition = flags.explainPartition;
  compile.partitionSummary = flags.partitionSummary;
  bool asks = compile.explainPartition || !compile.partitionSummary.empty();
  if (asks && compile.lastPhase < PhaseId::kPartition)
    return usageError("--explain-partition and --partition-summary need the phase 'partition', "
                      "which is not reached");
  return kExitOk;
}

int chooseSignatures(const Flags &flags, DriverOptions &options) {
  bool direct = !flags.feed.empty() || !flags.fetch.empty() || !flags.run.empty();
  if (!flags.signatures.getNumOccurrences()) {
    import::SignatureRequest request;
    request.feeds.assign(flags.feed.begin(), flags.feed.end());
    request.fetches.assign(flags.fetch.begin(), flags.fetch.end());
    request.targets.assign(flags.run.begin(), flags.run.end());
    options.compile.signatures.push_back(std::move(request));
    return kExitOk;
  }
  if (direct)
    return usageError("--signatures excludes --feed, --fetch and --run");
  import::DiagnosticList diagnostics;
  auto requests = readSignatureFile(flags.signatures, diagnostics);
  DiagnosticPrinter(options.json, errs()).print(diagnostics);
  if (!requests)
    return static_cast<int>(diagnostics.exitCode());
  options.compile.signatures = std::move(*requests);
  return kExitOk;
}

std::string libraryFolder(const char *argv0) {
  std::string program = sys::fs::getMainExecutable(
      argv0, reinterpret_cast<void *>(reinterpret_cast<intptr_t>(&usageError)));
  SmallString<128> folder(sys::path::parent_path(sys::path::parent_path(program)));
  sys::path::append(folder, "lib", "sluice");
  return std::string(folder);
}

int checkOutput(const Flags &flags, const DriverOptions &options) {
  const CompileOptions &compile = options.compile;
  bool binary = compile.emit != EmitKind::kMlir && compile.lastPhase == PhaseId::kEmit;
  if (binary && compile.output.empty() && !options.execute)
    return usageError(compile.cluster ? "expected -o FOLDER" : "expected -o FILE");
  for (const std::string &written : {compile.output, compile.partitionSummary})
    for (const std::string &read :
         {compile.input, std::string(flags.signatures), std::string(flags.cluster)})
      if (!written.empty() && sys::fs::equivalent(written, read))
        return usageError("the output would overwrite the input '" + read + "'");
  return kExitOk;
}

int fill(const Flags &flags, DriverOptions &options) {
  if (flags.diagnostics != "text" && flags.diagnostics != "json")
    return usageError("expected --diagnostics-format to be text or json but got '" +
                      flags.diagnostics + "'");
  options.json = flags.diagnostics == "json";
  for (const cl::opt<std::string> *flag : {&flags.output, &flags.dumpPhases, &flags.signatures,
                                           &flags.march, &flags.target,
                                           &flags.cluster, &flags.partitionSummary})
    if (flag->getNumOccurrences() && flag->empty())
      return usageError("-" + Twine(flag->ArgStr.size() > 1 ? "-" : "") + flag->ArgStr +
                        ": expected " + flag->ValueStr + " but got an empty string");
  if (int code = checkConflicts(flags))
    return code;
  CompileOptions &compile = options.compile;
  if (flags.input.empty())
    return usageError("expected a graph file");
  if (flags.input.size() > 1)
    return usageError("expected one graph file but got '" + import::escaped(flags.input[0]) +
                      "' and '" + import::escaped(flags.input[1]) + "'");
  compile.input = flags.input[0];
  compile.output = flags.output;
  compile.emit = flags.emit;
  compile.dumpFolder = flags.dumpPhases;
  compile.verbose = flags.verbose;
  compile.optimize.prune = !flags.noPrune && !flags.o0;
  compile.optimize.inferShapes = !flags.noShapes && !flags.o0;
  compile.optimize.foldConstants = !flags.noFold && !flags.o0;
  compile.optimize.mergeDuplicates = !flags.noMerge && !flags.o0;
  compile.raise = !flags.noRaise;
  compile.explainRaise = flags.explainRaise;
  compile.timePhases = flags.timePhases;
  compile.codelets = !flags.noCodelets;
  compile.collapse = !flags.noCollapse;
  compile.explainLoops = flags.explainLoops;
  compile.report = flags.report;
  compile.target.march = flags.march;
  compile.target.triple = flags.target;
  compile.target.contract = flags.contract;
  compile.target.level = flags.o0 ? 0 : 1;
  compile.version = version();
  compile.progress = sys::Process::StandardErrIsDisplayed();
  if (flags.execute.getNumOccurrences())
    options.execute = flags.execute;
  for (auto choose : {choosePhases, checkCpu, chooseDevices, chooseSignatures})
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
  std::string help = helpEnd();
  cl::extrahelp end(help);
  std::vector<const char *> arguments = takeProgramArguments(
      {argv, argv + argc}, {&flags.inputs, &flags.outputs, &flags.devices, &flags.phases},
      options.programArguments);
  exitCode = kExitUsage;
  if (!parseCommandLine(arguments, sys::path::filename(argv[0]),
                        "Sluice: compiles dataflow graphs into native executables\n"))
    return std::nullopt;
  exitCode = fill(flags, options);
  if (exitCode != kExitOk)
    return std::nullopt;
  options.compile.libraryFolder = libraryFolder(argv[0]);
  return options;
}

} // namespace sluice
