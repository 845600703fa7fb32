// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects are made one after the other; linking takes longer and goes in parallel. Nothing gets its
// name before all is there, and the manifest comes last: a folder with a manifest has all of its
// executables, and none of another program.
#include "compiler/pipeline/WritePrograms.h"

#include "compiler/emit/LinkExecutable.h"
#include "compiler/emit/WriteManifest.h"
#include "compiler/emit/WriteObject.h"
#include "compiler/emit/WriteOutput.h"
#include "compiler/pipeline/WriteLibrary.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <mutex>
#include <optional>

using namespace mlir;

namespace sluice {

int printFailure(const std::optional<emit::LinkFailure> &failure, DiagnosticPrinter &printer) {
  if (!failure)
    return kExitOk;
  int exitCode = static_cast<int>(failure->exitCode);
  printer.error(failure->message, exitCode);
  return exitCode;
}

int printFailure(const rt::Status &status, DiagnosticPrinter &printer) {
  if (status.ok())
    return kExitOk;
  printer.error(status.message(), kExitInputOutput);
  return kExitInputOutput;
}

int writeFile(StringRef bytes, StringRef path, DiagnosticPrinter &printer) {
  emit::FileFailure failure = emit::writeOutput(bytes, path.empty() ? "-" : path);
  if (failure)
    printer.error(*failure, kExitInputOutput);
  return failure ? kExitInputOutput : kExitOk;
}

int makeObjects(const emit::DescribedProgram &program, DiagnosticPrinter &printer,
                std::vector<std::string> &objects) {
  rt::Result<std::string> tables = emit::writeObject(program);
  if (!tables.ok()) {
    bool isTooLarge = tables.status().code() == rt::Code::kResourceExhausted;
    int code = isTooLarge ? static_cast<int>(rt::ExitCode::kUnsupported) : kExitInternalError;
    printer.error(isTooLarge ? tables.status().message() : tables.status().toString(), code);
    return code;
  }
  objects.push_back(std::move(*tables));
  llvm::append_range(objects, program.codeletObjects);
  return kExitOk;
}

namespace {

class ProgramWriter {
public:
  ProgramWriter(const CompileOptions &options, DiagnosticPrinter &printer)
      : options_(options), printer_(printer) {}

  // Where the programs are.
  const std::vector<std::string> &paths() const { return paths_; }

  int writeAlone(const emit::DescribedProgram &program) {
    paths_.push_back(options_.output);
    std::vector<std::string> objects;
    if (int code = makeObjects(program, printer_, objects))
      return code;
    if (options_.emit == EmitKind::kObject)
      return writeObject(objects, options_.output);
    auto executable = emit::PendingOutput::create(options_.output);
    if (!executable.ok())
      return printFailure(executable.status(), printer_);
    if (auto failure = link(objects, *executable, emit::ProgramRole::kAlone))
      return printFailure(failure, printer_);
    return printFailure(executable->moveIntoPlace(), printer_);
  }

  int writeCluster(ArrayRef<emit::DescribedProgram> ranks) {
    std::vector<std::vector<std::string>> objects(ranks.size());
    for (auto [rank, ofRank] : llvm::zip_equal(ranks, objects))
      if (int code = makeObjects(rank, printer_, ofRank))
        return code;
    if (int code = createFolder())
      return code;
    std::vector<std::string> names;
    bool isObject = options_.emit == EmitKind::kObject;
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      names.push_back(ranks[rank].program.name + ".rank" + std::to_string(rank) +
                      (isObject ? ".o" : ""));
    for (const std::string &name : names)
      paths_.push_back(pathOf(name));
    if (isObject)
      return writeObjects(objects);
    return writeExecutables(objects, emit::manifestJson(ranks.front().program, names));
  }

private:
  std::string pathOf(StringRef name) const {
    llvm::SmallString<256> path(options_.output);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  int createFolder() {
    namespace fs = llvm::sys::fs;
    std::error_code error =
        fs::create_directories(options_.output, /*IgnoreExisting=*/true, fs::all_all);
    if (!error && !fs::is_directory(options_.output))
      error = std::make_error_code(std::errc::not_a_directory);
    if (!error)
      return kExitOk;
    printer_.error("cannot create folder '" + options_.output + "': " + error.message(),
                   kExitInputOutput);
    return kExitInputOutput;
  }

  std::optional<emit::LinkFailure> link(ArrayRef<std::string> objects,
                                        const emit::PendingOutput &output,
                                        emit::ProgramRole role) const {
    SmallVector<StringRef> bytes(objects.begin(), objects.end());
    return emit::linkExecutable({bytes, options_.libraryFolder, role, options_.verbose}, output);
  }

  int writeObject(ArrayRef<std::string> objects, StringRef output) {
    if (objects.size() == 1)
      return writeFile(objects.front(), output, printer_);
    SmallVector<StringRef> bytes(objects.begin(), objects.end());
    std::string merged;
    if (auto failure = emit::mergeObjects(
            {.objects = bytes, .libraryDir = options_.libraryFolder, .verbose = options_.verbose},
            merged))
      return printFailure(failure, printer_);
    return writeFile(merged, output, printer_);
  }

  int writeObjects(ArrayRef<std::vector<std::string>> objects) {
    for (auto [ofRank, path] : llvm::zip_equal(objects, paths_))
      if (int code = writeObject(ofRank, path))
        return code;
    return kExitOk;
  }

  int writeExecutables(ArrayRef<std::vector<std::string>> objects, StringRef manifestText) {
    std::vector<emit::PendingOutput> outputs;
    paths_.push_back(pathOf("manifest.json"));
    for (const std::string &path : paths_) {
      auto output = emit::PendingOutput::create(
          path, outputs.empty() ? nullptr : outputs.front().sharedFiles());
      if (!output.ok())
        return printFailure(output.status(), printer_);
      outputs.push_back(std::move(*output));
    }
    paths_.pop_back();
    if (int code = linkAll(objects, outputs))
      return code;
    if (rt::Status status = outputs.back().write(manifestText); !status.ok())
      return printFailure(status, printer_);
    if (rt::Status status = outputs.back().removeOld(); !status.ok())
      return printFailure(status, printer_);
    for (const emit::PendingOutput &output : outputs)
      if (rt::Status status = output.moveIntoPlace(); !status.ok())
        return printFailure(status, printer_);
    return kExitOk;
  }

  // After a failure no further link is begun; the first one in order is reported.
  int linkAll(ArrayRef<std::vector<std::string>> objects, ArrayRef<emit::PendingOutput> outputs) {
    std::vector<std::optional<emit::LinkFailure>> failures(objects.size());
    std::atomic<bool> failed = false;
    std::mutex progress; // for the count and its line, so that they come in order
    size_t done = 0;
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
    for (size_t rank = 0; rank < objects.size(); ++rank)
      pool.async([&, rank] {
        if (failed)
          return;
        failures[rank] = link(objects[rank], outputs[rank], emit::ProgramRole::kMember);
        if (failures[rank])
          failed = true;
        if (!options_.progress)
          return;
        std::lock_guard<std::mutex> lock(progress);
        llvm::errs() << "\rlinked " << ++done << " of " << objects.size();
      });
    pool.wait();
    if (options_.progress)
      llvm::errs() << '\n';
    for (const auto &failure : failures)
      if (int code = printFailure(failure, printer_))
        return code;
    return kExitOk;
  }

  const CompileOptions &options_;
  DiagnosticPrinter &printer_;
  std::vector<std::string> paths_;
};

} // namespace

int writePrograms(ArrayRef<emit::DescribedProgram> programs, const CompileOptions &options,
                  DiagnosticPrinter &printer, std::vector<std::string> &written) {
  ProgramWriter writer(options, printer);
  if (options.emit == EmitKind::kLibrary)
    return writeLibrary(programs.front(), options, printer, written);
  bool alone = programs.front().program.devices.empty();
  int code = alone ? writer.writeAlone(programs.front()) : writer.writeCluster(programs);
  written = writer.paths();
  return code;
}

} // namespace sluice
