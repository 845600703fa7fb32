// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-conformance: replays folders of recorded graph runs and compares every result.
#include "tools/sluice-conformance/replay.h"
#include "tools/sluice-conformance/report.h"
#include "tools/sluice-conformance/work_folder.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace sluice::conformance;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

enum class CompilerSwitch { kNoRaise, kNoCodelets, kNoCollapse };

StringRef flagOf(CompilerSwitch which) {
  switch (which) {
  case CompilerSwitch::kNoRaise:
    return "--no-raise";
  case CompilerSwitch::kNoCodelets:
    return "--no-codelets";
  case CompilerSwitch::kNoCollapse:
    return "--no-collapse";
  }
  llvm_unreachable("all cases return");
}

enum ExitCode { kGood = 0, kSomeFailed = 1, kUsage = 2, kInputOutput = 3 };

cl::OptionCategory options("Options");
cl::list<std::string> folders(cl::Positional, cl::OneOrMore, cl::desc("DIR..."), cl::cat(options));
cl::opt<std::string> interpret("interpret", cl::ValueOptional, cl::value_desc("PHASE"),
                               cl::desc("run with the reference interpreter what the compiler "
                                        "made up to PHASE, instead of building executables"),
                               cl::cat(options));
cl::opt<std::string> scheduleSeed("schedule-seed", cl::value_desc("S"),
                                  cl::desc("draw a random legal order of ready tokens"),
                                  cl::cat(options));
cl::opt<unsigned> devices("devices", cl::value_desc("K"),
                          cl::desc("run every test on K devices (1 to 64)"), cl::cat(options));
cl::opt<std::string> placementSeeds("placement-seed", cl::value_desc("S"),
                                    cl::desc("place at random, once for each of these seeds: 3, "
                                             "1-5 or 1,2,7-9; tests are then named NAME@K/S"),
                                    cl::cat(options));
cl::opt<Transport> transport(
    "transport", cl::init(Transport::kLocal), cl::desc("how devices talk to each other:"),
    cl::values(clEnumValN(Transport::kLocal, "local", "in one process (default)"),
               clEnumValN(Transport::kSimulated, "sim", "in one process, with simulated delays"),
               clEnumValN(Transport::kTcp, "tcp", "as processes, over TCP")),
    cl::cat(options));
cl::opt<unsigned> leastCutInLoops("least-cut-in-loops", cl::value_desc("N"),
                                  cl::desc("fail unless so many of the tests that pass send values "
                                           "inside loops"),
                                  cl::cat(options));
cl::opt<bool> gradients("gradients",
                        cl::desc("drop what TensorFlow's gradient function added to each graph, "
                                 "and compare the compiler's own gradients with the recorded "
                                 "ones"),
                        cl::cat(options));
cl::opt<bool> train("train",
                    cl::desc("drop the gradients and optimizer of each training graph, ask the "
                             "compiler for the same training of what is left, and compare the "
                             "recorded losses and variables of all steps"),
                    cl::cat(options));
cl::opt<std::string> gradientMemory("gradient-memory", cl::value_desc("HOW"),
                                    cl::desc("what loops save for their derivatives: fast, "
                                             "balanced or min (with --gradients or --train)"),
                                    cl::cat(options));
cl::opt<std::string> parallelIterations("parallel-iterations", cl::value_desc("N"),
                                        cl::desc("iterations of a loop that may be live at once"),
                                        cl::cat(options));
cl::opt<std::string> workers("workers", cl::value_desc("N"),
                             cl::desc("threads that get all work that can be given to them"),
                             cl::cat(options));
cl::opt<std::string> guardPages("guard-pages", cl::value_desc("SIDE"),
                                cl::desc("let tensors end (behind) or begin (before) at a page "
                                         "that nobody may touch"),
                                cl::cat(options));
cl::opt<std::string>
    cardLibrary("card-library", cl::value_desc("WHEN"),
                cl::desc("auto or never: whether a library does products on a card"),
                cl::cat(options));
cl::opt<std::string> target("target", cl::value_desc("DEVICE"),
                            cl::desc("what programs run on: sim is a simulated card"),
                            cl::cat(options));
cl::opt<std::string> cardLoops("card-loops", cl::value_desc("WHICH"),
                               cl::desc("which loops a card runs by itself: auto, always or never "
                                        "(with --target)"),
                               cl::cat(options));
cl::opt<std::string> filter("filter", cl::value_desc("GLOB"),
                            cl::desc("only tests whose name matches, with or without its folders"),
                            cl::cat(options));
cl::opt<unsigned> jobs("jobs", cl::value_desc("N"), cl::init(2),
                       cl::desc("tests that run at the same time (default 2)"), cl::cat(options));
cl::opt<std::string> compiler("compiler", cl::value_desc("PATH"),
                              cl::desc("sluicec to use (default: the one beside this program)"),
                              cl::cat(options));
cl::opt<std::string> keepTemps("keep-temps", cl::value_desc("DIR"),
                               cl::desc("keep executables and calls there"), cl::cat(options));
cl::opt<std::string> digest("digest", cl::value_desc("FILE"),
                            cl::desc("write a hash of all bits that each passed test gave"),
                            cl::cat(options));
cl::opt<std::string> traceDigest("trace-digest", cl::value_desc("FILE"),
                                 cl::desc("write a hash of what each passed test did, in order "
                                          "(with --transport=sim)"),
                                 cl::cat(options));
cl::list<CompilerSwitch> switches(cl::desc("switch parts of the compiler off, for comparison:"),
                                  cl::values(clEnumValN(CompilerSwitch::kNoRaise, "no-raise",
                                                        "branches and loops stay primitives"),
                                             clEnumValN(CompilerSwitch::kNoCodelets, "no-codelets",
                                                        "every op runs as a kernel"),
                                             clEnumValN(CompilerSwitch::kNoCollapse, "no-collapse",
                                                        "no loop becomes native code")),
                                  cl::cat(options));
cl::list<std::string> compilerFlags("compiler-flag", cl::value_desc("FLAG"),
                                    cl::desc("give sluicec this one as well, as "
                                             "--no-infer-shapes (may be repeated)"),
                                    cl::cat(options));
cl::opt<unsigned> timeout("timeout", cl::value_desc("SECONDS"), cl::init(20),
                          cl::desc("deadline of every process (default 20)"), cl::cat(options));
cl::opt<bool> verbose("v", cl::desc("print passed tests too"), cl::cat(options));

constexpr const char *kExamples =
    "\nExamples:\n"
    "  sluice-conformance test/conformance/fixtures\n"
    "  sluice-conformance --filter='*while*' --interpret=optimize DIR\n"
    "  sluice-conformance --schedule-seed 1 --digest one.txt DIR\n"
    "  sluice-conformance --devices 3 --placement-seed 1-5 --transport=tcp DIR\n"
    "  sluice-conformance --gradients --interpret=differentiate DIR\n"
    "  sluice-conformance --compiler-flag=--gradient-products=each --no-raise DIR\n"
    "  sluice-conformance --train --gradient-memory=min DIR\n"
    "  SLUICE_SIM_SEED=7 sluice-conformance --target=sim DIR\n\n"
    "Exit codes: 0 no test failed, 1 a test failed, 2 usage, 3 a folder cannot be read\n";

int complain(ExitCode code, const llvm::Twine &text) {
  llvm::errs() << "error: " << text << '\n';
  return code;
}

// A program in the folder of this one.
std::string beside(const char *program, StringRef name) {
  static int anchor;
  llvm::SmallString<256> file(path::parent_path(fs::getMainExecutable(program, &anchor)));
  path::append(file, name);
  return std::string(file);
}

Settings readSettings(const char *program) {
  Settings settings;
  settings.compiler = compiler.empty() ? beside(program, "sluicec") : compiler;
  settings.asking = gradients ? Asking::kGradients : train ? Asking::kTraining : Asking::kNothing;
  settings.launcher = beside(program, "sluice-run");
  if (interpret.getNumOccurrences())
    settings.interpretPhase = interpret;
  for (const auto *flag : {&scheduleSeed, &parallelIterations, &guardPages, &cardLibrary, &workers})
    if (flag->getNumOccurrences()) {
      settings.programFlags.push_back("--" + flag->ArgStr.str());
      settings.programFlags.push_back(*flag);
    }
  if (workers.getNumOccurrences())
    settings.programFlags.insert(settings.programFlags.end(), {"--limit", "inline-operations=1"});
  for (CompilerSwitch which : switches)
    settings.compilerFlags.push_back(flagOf(which).str());
  settings.compilerFlags.insert(settings.compilerFlags.end(), compilerFlags.begin(),
                                compilerFlags.end());
  for (const auto *flag : {&gradientMemory, &target, &cardLoops})
    if (flag->getNumOccurrences())
      settings.compilerFlags.push_back("--" + flag->ArgStr.str() + "=" + *flag);
  settings.deadline = std::chrono::seconds(timeout);
  return settings;
}

// What is wrong with the flags taken together, or an empty text.
StringRef conflict() {
  bool placed = devices.getNumOccurrences();
  if (placed && (devices < 1 || devices > 64))
    return "expected --devices to be from 1 to 64";
  if (placed && interpret.getNumOccurrences())
    return "--devices and --interpret exclude each other";
  if (target.getNumOccurrences() && interpret.getNumOccurrences())
    return "--target excludes --interpret";
  if (target.getNumOccurrences() && placed && transport != Transport::kTcp)
    return "--target needs programs of their own: with --devices also --transport=tcp";
  if (cardLoops.getNumOccurrences() && !target.getNumOccurrences())
    return "--card-loops needs --target";
  if (!placed && placementSeeds.getNumOccurrences())
    return "--placement-seed needs --devices";
  if (!placed && transport.getNumOccurrences())
    return "--transport needs --devices";
  if (!placed && leastCutInLoops.getNumOccurrences())
    return "--least-cut-in-loops needs --devices";
  if (!traceDigest.empty() && (!placed || transport != Transport::kSimulated))
    return "--trace-digest needs --devices and --transport=sim";
  if (gradients && train)
    return "--gradients and --train exclude each other";
  if (gradientMemory.getNumOccurrences() && !gradients && !train)
    return "--gradient-memory needs --gradients or --train";
  return "";
}

// The placements that every test is run with; one absent one without --devices.
llvm::Expected<std::vector<std::optional<Placement>>> choosePlacements() {
  if (!devices.getNumOccurrences())
    return std::vector<std::optional<Placement>>(1);
  if (!placementSeeds.getNumOccurrences())
    return std::vector<std::optional<Placement>>{Placement{devices, std::nullopt, transport}};
  llvm::Expected<std::vector<uint64_t>> seeds = parseSeeds(placementSeeds);
  if (!seeds)
    return seeds.takeError();
  std::vector<std::optional<Placement>> placements;
  for (uint64_t seed : *seeds)
    placements.push_back(Placement{devices, seed, transport});
  return placements;
}

// A test as it is run once.
struct Case {
  const TestLocation *test;
  std::string name;
  Settings settings;
};

std::vector<Case> makeCases(const std::vector<TestLocation> &tests,
                            const std::vector<std::optional<Placement>> &placements,
                            Settings settings) {
  std::vector<Case> cases;
  for (const TestLocation &test : tests)
    for (const std::optional<Placement> &placement : placements) {
      settings.placement = placement;
      cases.push_back({&test, test.name + (placement ? placement->suffix() : ""), settings});
    }
  return cases;
}

// Whether the name matches as a whole or without some of its leading folders.
bool matchesFrom(const llvm::GlobPattern &pattern, StringRef name) {
  while (!pattern.match(name)) {
    if (!name.contains('/'))
      return false;
    name = name.split('/').second;
  }
  return true;
}

llvm::Expected<std::vector<TestLocation>> collectTests() {
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(filter);
  if (!pattern)
    return pattern.takeError();
  std::vector<TestLocation> all;
  for (const std::string &folder : folders) {
    llvm::Expected<std::vector<TestLocation>> found = findTests(folder);
    if (!found)
      return found.takeError();
    for (TestLocation &test : *found)
      if (filter.empty() || matchesFrom(*pattern, test.name))
        all.push_back(std::move(test));
  }
  return all;
}

// A filter leaves out what would count.
llvm::Expected<std::vector<Minimum>> collectMinima() {
  std::vector<Minimum> all;
  for (const std::string &folder : folders) {
    // Before this phase the interpreter finds gradients, but for those of functions.
    bool byTape = gradients && (interpret == "optimize" || interpret == "raise");
    llvm::Expected<std::vector<Minimum>> found =
        findMinima(folder, byTape      ? "minimum-gradients-by-tape.txt"
                           : gradients ? "minimum-gradients.txt"
                           : train     ? "minimum-training.txt"
                                       : "minimum.txt");
    if (!found)
      return found.takeError();
    if (filter.empty())
      llvm::append_range(all, *found);
  }
  return all;
}

void replayAll(const std::vector<Case> &cases, const WorkFolder &work, Report &report) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(std::max(1u, unsigned(jobs))));
  for (size_t i = 0; i < cases.size(); ++i)
    pool.async([&, i] {
      std::string folder = work.childFor(cases[i].name);
      report.add(i, replay(*cases[i].test, cases[i].settings, folder));
      work.finished(folder);
    });
  pool.wait();
}

// A file of digests, if one is asked for.
class DigestFile {
public:
  // False, after a complaint, when it cannot be written.
  bool open(const std::string &name) {
    if (name.empty())
      return true;
    std::error_code code;
    stream_.emplace(name, code);
    if (code)
      complain(kInputOutput, "cannot write '" + name + "': " + code.message());
    return !code;
  }
  llvm::raw_ostream *stream() { return stream_ ? &*stream_ : nullptr; }

private:
  std::optional<llvm::raw_fd_ostream> stream_;
};

int run(const std::vector<Case> &cases, const std::vector<Minimum> &minima, size_t times) {
  WorkFolder work;
  if (std::error_code code = work.create(keepTemps))
    return complain(kInputOutput, "cannot create a working folder: " + code.message());
  DigestFile digests, traceDigests;
  if (!digests.open(digest) || !traceDigests.open(traceDigest))
    return kInputOutput;
  std::vector<std::string> names;
  for (const Case &one : cases)
    names.push_back(one.name);
  Report::Style style{.verbose = verbose,
                      .countsCuts = devices.getNumOccurrences() > 0,
                      .leastCutInLoops = leastCutInLoops,
                      .digests = digests.stream(),
                      .traceDigests = traceDigests.stream()};
  Report report(std::move(names), style);
  replayAll(cases, work, report);
  bool good = report.finish(minima, times);
  if (!report.counted())
    return complain(kInputOutput, train ? "no test with training steps and their derivatives found"
                                        : "no test with gradients found");
  return good ? kGood : kSomeFailed;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(options);
  cl::extrahelp examples(kExamples);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Replays recorded graph runs and compares every result.\n", &llvm::errs()))
    return kUsage;
  if (StringRef text = conflict(); !text.empty())
    return complain(kUsage, text);
  llvm::Expected<std::vector<std::optional<Placement>>> placements = choosePlacements();
  if (!placements)
    return complain(kUsage, "--placement-seed: " + llvm::toString(placements.takeError()));
  llvm::Expected<std::vector<TestLocation>> tests = collectTests();
  if (!tests)
    return complain(kInputOutput, llvm::toString(tests.takeError()));
  if (tests->empty())
    return complain(kInputOutput, "no test found; expected folders with graph1.pb and runs.json, "
                                  "or pairs of .pb and .json");
  Settings settings = readSettings(argv[0]);
  if (!fs::can_execute(settings.compiler))
    return complain(kInputOutput, "cannot execute the compiler '" + settings.compiler + "'");
  llvm::Expected<std::vector<Minimum>> minima = collectMinima();
  if (!minima)
    return complain(kInputOutput, llvm::toString(minima.takeError()));
  return run(makeCases(*tests, *placements, settings), *minima, placements->size());
}
