// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of outputs before anything is compiled.
#include "tools/sluicec/OutputCheck.h"

#include "compiler/emit/library/Identifiers.h"
#include "compiler/pipeline/WriteLibrary.h"
#include "runtime/io/new_file.h"
#include "tools/sluicec/UsageError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;

namespace sluice {

int checkLibraryFlags(const Flags &flags) {
  if (flags.emit == EmitKind::kLibrary &&
      (flags.cluster.getNumOccurrences() || flags.deviceCount.getNumOccurrences()))
    return usageError("--emit=lib excludes --devices and --cluster: ranks of a cluster are "
                      "processes of their own, so they are executables");
  if (!flags.cppClass.getNumOccurrences())
    return kExitOk;
  if (flags.emit != EmitKind::kLibrary)
    return usageError("--cpp-class needs --emit=lib");
  if (!emit::isQualifiedName(flags.cppClass))
    return usageError("expected --cpp-class to be a name of C++, as ns::Model, but got '" +
                      import::escaped(flags.cppClass) + "'");
  return kExitOk;
}

// Programs include the headers of models and Sluice's own by their names.
static int checkHeaderNames(const CompileOptions &compile) {
  if (compile.emit != EmitKind::kLibrary || compile.output.empty())
    return kExitOk;
  for (const std::string &path : filesOfLibrary(compile.output)) {
    StringRef file = sys::path::filename(path);
    if (file == "sluice.h" || file == "sluice_abi.h" || file == "sluice.hpp")
      return usageError("-o " + import::escaped(compile.output) + " would write " + file +
                        ", which is what a header of Sluice is called: give the model another "
                        "name, as -o model");
  }
  return kExitOk;
}

static std::vector<std::string> outputFiles(const CompileOptions &compile) {
  if (compile.emit == EmitKind::kLibrary && !compile.output.empty())
    return filesOfLibrary(compile.output);
  return {compile.output};
}

// Files are compared, not names.
static int checkWrittenTwice(const CompileOptions &compile, bool folder) {
  std::map<std::string, std::string> writers; // by identity: the flag that asks for the file
  auto add = [&](const std::string &path, const char *flag) -> int {
    bool isDevice = sys::fs::exists(path) && !sys::fs::is_regular_file(path);
    if (path.empty() || path == "-" || isDevice)
      return kExitOk;
    auto [other, isNew] = writers.emplace(rt::fileIdentity(path), flag);
    if (isNew)
      return kExitOk;
    return usageError(Twine(flag) + " and " + other->second + " name the same file");
  };
  std::string name = programName(compile.input);
  size_t ranks = folder ? compile.cluster->devices().size() : 0;
  StringRef suffix = compile.emit == EmitKind::kObject ? ".o" : "";
  for (size_t rank = 0; rank < ranks; ++rank)
    (void)add((compile.output + "/" + name + ".rank" + Twine(rank) + suffix).str(), "-o");
  if (folder)
    (void)add(compile.output + "/manifest.json", "-o");
  for (size_t id = 0; !compile.dumpFolder.empty() && id <= static_cast<size_t>(compile.lastPhase);
       ++id)
    if (int code =
            add(compile.dumpFolder + "/" + dumpName(static_cast<PhaseId>(id)), "--dump-phases"))
      return code;
  for (const std::string &path : outputFiles(compile))
    if (int code = add(path, "-o"))
      return code;
  if (int code = add(compile.partitionSummary, "--partition-summary"))
    return code;
  return add(compile.report, "--report");
}

// Whether a file is given and nothing is said of what to do with it.
static bool asksNothing(const Flags &flags) {
  return flags.feed.empty() && flags.fetch.empty() && flags.run.empty() &&
         flags.gradients.empty() && flags.jvp.empty() && flags.signature.empty() &&
         flags.train.empty() && flags.signatures.empty() && flags.config.empty() &&
         !flags.emit.getNumOccurrences();
}

int checkOutput(const Flags &flags, DriverOptions &options) {
  const CompileOptions &compile = options.compile;
  bool binary = compile.emit == EmitKind::kBytecode ||
                (isProgram(compile.emit) && compile.lastPhase == PhaseId::kEmit);
  bool folder = compile.cluster && isProgram(compile.emit);
  bool isLacking = binary && compile.output.empty() && !options.execute && !options.describes;
  if (isLacking && asksNothing(flags)) {
    options.asksNothing = options.describes = true;
    return kExitOk;
  }
  if (isLacking)
    return usageError(std::string(folder ? "expected -o FOLDER" : "expected -o FILE") +
                      ", or --describe to see what there is to feed and fetch");
  if (int code = checkHeaderNames(compile))
    return code;
  if (int code = checkWrittenTwice(compile, folder))
    return code;
  std::vector<std::string> outputs = outputFiles(compile);
  outputs.insert(outputs.end(), {compile.partitionSummary, compile.report});
  for (const std::string &written : outputs)
    for (const std::string &read :
         {compile.input, std::string(flags.signatures), std::string(flags.config),
          std::string(flags.cluster), std::string(flags.weights)})
      if (!written.empty() && sys::fs::equivalent(written, read))
        return usageError("the output would overwrite the input '" + read + "'");
  return kExitOk;
}

} // namespace sluice
