// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of sluicec. The parser, --help, the man page, the table of the reference page and the
// completion scripts come from here. The first line of a description is the help text; what follows
// it is for the man page and the reference.
#pragma once

#include "compiler/pipeline/Compile.h"
#include "tools/flags/LimitFlag.h"
#include "tools/sluicec/Options.h"

#include "llvm/Support/CommandLine.h"

namespace sluice {

namespace cl = llvm::cl;

struct Flags {
  // Members, because they must come into being after LLVM's own have been dropped.
  cl::OptionCategory inputs{"Input"}, outputs{"Output"}, devices{"Devices"}, phases{"Phases"},
      reports{"Reports"};
  std::vector<const cl::OptionCategory *> categories() const {
    return {&inputs, &outputs, &devices, &phases, &reports};
  }

  // A list, so that superfluous ones can be named.
  cl::list<std::string> input{cl::Positional, cl::cat(inputs)};
  cl::list<std::string> feed{"feed", cl::value_desc("tensor"), cl::cat(inputs), cl::CommaSeparated,
                             cl::desc("a tensor that the caller gives, for example x or x:0\n"
                                      "Anything outside loops can be fed. Several: x,y, or the "
                                      "flag again.")};
  cl::list<std::string> fetch{"fetch", cl::value_desc("tensor"), cl::cat(inputs),
                              cl::CommaSeparated, cl::desc("a tensor that the caller receives")};
  cl::list<std::string> run{"run", cl::value_desc("node"), cl::cat(inputs), cl::CommaSeparated,
                            cl::desc("a node that is run for its effect")};
  cl::list<std::string> gradients{
      "gradients", cl::value_desc("y=x,…"), cl::cat(inputs),
      cl::desc(
          "derivatives that the caller receives: of the sum of all elements of y with respect to "
          "each x, a tensor or a variable, as fetch gradients/x\n"
          "Y may be a sum, y+z=x. A seed is a vector for the Jacobian, y*seed=x. Constants are "
          "named last, y=x!s,t. With the flag again, fetches are called gradients_1/x and so on. "
          "What y does not depend on has zeros.")};
  cl::list<std::string> jvp{
      "jvp", cl::value_desc("y=x*v,…"), cl::cat(inputs),
      cl::desc("how y changes where each x moves along v, a tensor like it: the Jacobian times a "
               "vector, as fetch jvp/y\n"
               "Several: y,z=x*v,w*u. With the flag again, fetches are called jvp_1/y and so on.")};
  cl::opt<std::string> train{
      "train", cl::value_desc("loss"), cl::cat(inputs),
      cl::desc(
          "add a signature 'train' that takes the same feeds, gives this tensor and changes the "
          "variables that it depends on, so that it becomes smaller")};
  cl::opt<std::string> optimizer{
      "optimizer", cl::value_desc("name(…)"), cl::cat(inputs), cl::init("sgd"),
      cl::desc(
          "how variables are changed: sgd, momentum, adam, adagrad, rmsprop, ftrl and others, with "
          "numbers in brackets, as adam(lr=1e-3,beta1=0.9) (default: sgd)")};
  cl::list<std::string> variables{"variables", cl::value_desc("node"), cl::cat(inputs),
                                  cl::CommaSeparated,
                                  cl::desc("train only these (default: all variables of floats "
                                           "that the loss depends on, but what the "
                                           "model says is not trainable)")};
  cl::opt<std::string> clipNorm{
      "clip-norm", cl::value_desc("x"), cl::cat(inputs),
      cl::desc("make derivatives smaller, all by the same factor, if the norm of all together is "
               "above x")};
  cl::opt<std::string> gradientMemory{
      "gradient-memory", cl::value_desc("mode"), cl::cat(inputs), cl::init("fast"),
      cl::desc(
          "what derivatives may compute again to save less of each iteration: fast (what moves "
          "elements), balanced (also what computes element by element), min (also products and "
          "reductions), segments (whole iterations: saves what a loop carries, of about the square "
          "root of its iterations), or a number of bytes, as 512K, 64M or 2G: the least that fits; "
          "derivatives have the same bits (default: fast)")};
  cl::opt<std::string> gradientProducts{
      "gradient-products", cl::value_desc("how"), cl::cat(inputs), cl::init("joined"),
      cl::desc("how products are summed that the iterations of a loop add to one matrix, as to the "
               "derivative of its weights, built here or in the graph file: each (each is "
               "computed, then added), joined (one product of all iterations, which is faster "
               "and rounds in another order) (default: joined)")};
  cl::opt<std::string> signatures{
      "signatures", cl::value_desc("file.json"), cl::cat(inputs),
      cl::desc("several signatures in one program, in place of the four flags above\n"
               "The file holds {\"signatures\": [{\"name\", \"feeds\", \"fetches\", "
               "\"targets\", \"gradients\", \"jvp\"}]}. In place of the name of a feed or fetch "
               "may stand "
               "{\"tensor\", "
               "\"name\"}, with what callers call it.")};
  cl::list<std::string> signature{
      "signature", cl::value_desc("name"), cl::cat(inputs), cl::CommaSeparated,
      cl::desc("of a SavedModel or MetaGraphDef: only this signature (default: all)\n"
               "Feeds and fetches have the names that it gives them.")};
  cl::list<std::string> tag{
      "tag", cl::value_desc("name"), cl::cat(inputs), cl::CommaSeparated,
      cl::desc("of a SavedModel: the graph with these tags (default: the only one, or serve)")};
  cl::opt<std::string> weights{
      "weights", cl::value_desc("checkpoint"), cl::cat(inputs),
      cl::desc("give variables the values of a checkpoint (what its files begin with) or a "
               ".safetensors file\n"
               "A SavedModel has its own; this replaces them. The values go into the executable.")};
  cl::opt<std::string> config{
      "config", cl::value_desc("file.pbtxt"), cl::cat(inputs),
      cl::desc(
          "feeds and fetches as a configuration of tfcompile has them, in place of --feed and "
          "--fetch\n"
          "The file is a tf2xla.Config. Its names are what callers call tensors and variables, "
          "and feeds have its shapes.")};
  cl::opt<bool> describe{
      "describe", cl::cat(inputs),
      cl::desc("compile nothing: print signatures, placeholders, outputs, variables, functions and "
               "ops that are not supported\n"
               "With --interpret or --execute it is the flag of executables.")};
  cl::opt<bool> asJson{"json", cl::cat(inputs), cl::desc("with --describe: print it as JSON")};
  LimitFlag limit{inputs};

  cl::opt<std::string> output{
      "o", cl::value_desc("file"), cl::cat(outputs),
      cl::desc("the output; with devices a folder; IR goes to standard output by default\n"
               "It is replaced when everything has succeeded, else left alone.")};
  cl::opt<EmitKind> emit{
      "emit",
      cl::value_desc("kind"),
      cl::init(EmitKind::kExecutable),
      cl::cat(outputs),
      cl::desc("what to write"),
      cl::values(clEnumValN(EmitKind::kExecutable, "exe", "an executable (default)"),
                 clEnumValN(EmitKind::kObject, "obj", "its object file, not linked"),
                 clEnumValN(EmitKind::kLibrary, "lib",
                            "a library for other programs: for -o model libmodel.so, libmodel.a, "
                            "model.h and model.hpp"),
                 clEnumValN(EmitKind::kMlir, "mlir", "IR after the last phase"),
                 clEnumValN(EmitKind::kBytecode, "mlirbc", "the same as bytecode"),
                 clEnumValN(EmitKind::kHtml, "html", "a report alone"))};
  cl::opt<std::string> cppClass{
      "cpp-class", cl::value_desc("name"), cl::cat(outputs),
      cl::desc("with --emit=lib: what the class of the header for C++ is called, as ns::Model "
               "(default: made of the name of the output)")};
  cl::opt<std::string> march{
      "march", cl::value_desc("cpu"), cl::init("x86-64-v3"), cl::cat(outputs),
      cl::desc(
          "what codelets are compiled for: x86-64, x86-64-v2, -v3 (default), -v4, a CPU's name, "
          "or native\n"
          "The executable checks at its start that it may run. Devices of a cluster that name a "
          "target have their own.")};
  cl::opt<std::string> triple{
      "triple", cl::value_desc("triple"), cl::cat(outputs),
      cl::desc(
          "with --emit=obj: the machine that the object is for, as aarch64-linux-gnu (default: "
          "this one)\n"
          "It is to be linked with a runtime that was built there.")};
  cl::opt<bool> contract{
      "contract", cl::cat(outputs),
      cl::desc("round products and sums in codelets once; results lose their fixed bits\n"
               "Faster by a little; results then depend on which ops were compiled together.")};
  cl::opt<std::string> codeletCache{
      "codelet-cache", cl::value_desc("folder"), cl::cat(outputs),
      cl::desc(
          "where machine code of codelets is kept for the next compilation, at most 256 MiB of "
          "it for a week, or off (default: $XDG_CACHE_HOME/sluice or ~/.cache/sluice)\n"
          "Code for cards is not kept.")};
  cl::opt<std::string> diagnostics{"diagnostics-format", cl::value_desc("text|json"),
                                   cl::init("text"), cl::cat(outputs),
                                   cl::desc("form of errors and warnings, one a line on standard "
                                            "error")};
  cl::opt<bool> verbose{"v", cl::desc("print the target and the link command"), cl::cat(outputs)};

  cl::opt<std::string> cluster{"cluster", cl::value_desc("file.json"), cl::cat(devices),
                               cl::desc("make one executable for each device of the file\n"
                                        "The file holds {\"devices\": [{\"name\", \"host\", "
                                        "\"port\"}]}.")};
  cl::opt<std::string> deviceCount{"devices", cl::value_desc("K"), cl::cat(devices),
                                   cl::desc("the same for K devices of this machine, 1 to 64")};
  cl::opt<std::string> target{
      "target", cl::value_desc("device"), cl::cat(devices),
      cl::desc(
          "what the program runs on: cpu (default), cuda, cuda:sm_90,… for the cards named, or "
          "sim, a card that is simulated\n"
          "On a card is what it is quicker at; the rest runs on the host's CPU, which --march is "
          "for. Code for cards of CUDA needs ptxas of the CUDA Toolkit here, and a driver there. "
          "2xcuda or 2xsim have two cards, and so on: then what nodes ask for says which one they "
          "are on. With --devices each of them is one; in a cluster's file each has its own.")};
  cl::opt<std::string> placementSeed{
      "placement-seed", cl::value_desc("S"), cl::cat(devices),
      cl::desc("put what is free to be anywhere on a device drawn from the seed: with --devices "
               "on one of them, with a card there or on its host\n"
               "This is for tests. Results keep their bits, but for sums that a card computes in "
               "an order of its own.")};
  cl::opt<bool> cardOnly{"card-only", cl::cat(devices),
                         cl::desc("with a card: leave out the code for runs with --device=cpu\n"
                                  "Ranks of a cluster have none.")};
  cl::opt<std::string> leastCardWork{
      "least-card-work", cl::value_desc("N"), cl::cat(devices),
      cl::desc("with a card: what it has to compute by itself to go there, in elements of an op's "
               "largest value, or sixteenths of a product's multiplications (default: 16384; 0 "
               "for a card that is simulated)\n"
               "What is computed of a value on the card is there as well, however little it is.")};
  cl::opt<std::string> cardLoops{
      "card-loops", cl::value_desc("WHICH"), cl::cat(devices), cl::init("auto"),
      cl::desc("with a card: which loops it runs by itself, without the host: auto, those that are "
               "quicker so; always, all that can; never (default: auto)\n"
               "--explain-loops tells what keeps a loop from it.")};
  cl::opt<bool> explainPlace{
      "explain-place", cl::cat(devices),
      cl::desc("print the device of each node, and why it is there; with a card, "
               "what is on it, and each copy\n"
               "It goes where --explain-partition does.")};
  cl::opt<bool> explainPartition{
      "explain-partition", cl::cat(devices),
      cl::desc("print what the devices send to each other, in a call and in an iteration of each "
               "loop\n"
               "It goes to standard output, or to standard error where IR goes to standard "
               "output.")};
  cl::opt<std::string> partitionSummary{
      "partition-summary", cl::value_desc("file"), cl::cat(devices),
      cl::desc("write the number of edges between devices as JSON\n"
               "The keys are edges, edges_in_loops and edges_in_nested_loops.")};
  cl::opt<Execution> execute{
      "execute", cl::value_desc("how"), cl::cat(devices),
      cl::desc("run the program inside the compiler; further flags are those of executables"),
      cl::values(clEnumValN(Execution::kLocal, "local", "a thread for each device"),
                 clEnumValN(Execution::kSimulated, "sim",
                            "one thread and simulated messages, in an order drawn from "
                            "--schedule-seed"))};

  cl::opt<std::string> stopAfter{"stop-after", cl::value_desc("phase"), cl::cat(phases),
                                 cl::desc("print the IR after this phase")};
  cl::opt<std::string> dumpPhases{
      "dump-phases", cl::value_desc("folder"), cl::cat(phases),
      cl::desc("write the IR after each phase into the folder\n"
               "The files are 1-import.mlir, 2-optimize.mlir and so on.")};
  cl::opt<std::string> interpret{
      "interpret", cl::value_desc("phase"), cl::ValueOptional, cl::cat(phases),
      cl::desc("run the IR as it is after a phase (default import) in the reference interpreter; "
               "further flags are those of executables")};
  cl::opt<bool> verifyEach{"verify-each",
                           cl::desc("check the IR after each pass, not only after each phase\n"
                                    "This is for tests of passes."),
                           cl::cat(phases)};
  cl::opt<bool> noPrune{"no-prune",
                        cl::desc("optimize: keep what nobody needs; it is computed, and may fail"),
                        cl::cat(phases)};
  cl::opt<bool> noShapes{"no-infer-shapes", cl::desc("optimize: do not infer shapes"),
                         cl::cat(phases)};
  cl::opt<bool> noFold{"no-fold-constants", cl::desc("optimize: do not fold constants"),
                       cl::cat(phases)};
  cl::opt<bool> noMerge{"no-merge-duplicates", cl::desc("optimize: do not merge duplicates"),
                        cl::cat(phases)};
  cl::opt<bool> noHoist{"no-hoist-invariants",
                        cl::desc("raise: compute in loops what is the same in all iterations"),
                        cl::cat(phases)};
  cl::opt<bool> o0{"O0", cl::desc("optimize: do nothing"), cl::cat(phases)};
  cl::opt<bool> noRaise{
      "no-raise", cl::cat(phases),
      cl::desc("raise: leave branches and loops as primitives, and collapse none")};
  cl::opt<bool> noCodelets{"no-codelets", cl::cat(phases),
                           cl::desc("codegen: run every op as a kernel, and collapse no loop")};
  cl::opt<bool> noCollapse{"no-collapse", cl::cat(phases),
                           cl::desc("codegen: leave all loops to the executor\n"
                                    "Results keep their bits, whatever of these is given.")};

  cl::opt<std::string> report{
      "report", cl::value_desc("file"), cl::cat(reports),
      cl::desc("also write a report: a page of HTML, or JSON if the name ends with .json")};
  cl::opt<bool> explainRaise{"explain-raise", cl::cat(reports),
                             cl::desc("print which branches, loops and arrays stay as they were, "
                                      "and why")};
  cl::opt<bool> explainGradient{
      "explain-gradient", cl::cat(reports),
      cl::desc("print what is saved of each loop and branch for derivatives, in bytes, and what is "
               "computed again instead")};
  cl::opt<bool> explainLoops{
      "explain-loops", cl::cat(reports),
      cl::desc("print which loops become machine code, and which node keeps another one from it")};
  cl::opt<bool> explainCodelets{
      "explain-codelets", cl::cat(reports),
      cl::desc("print the codelets: size of the code, compile time, ops, and the nodes that each "
               "stands for")};
  cl::opt<bool> timePhases{
      "time-phases", cl::cat(reports),
      cl::desc("print how long each phase takes, and writing and linking, on standard error")};
};

} // namespace sluice
