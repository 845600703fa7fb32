// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The four files of a library.
#include "compiler/pipeline/WriteLibrary.h"

#include "compiler/emit/WriteObject.h"
#include "compiler/emit/library/Interface.h"
#include "compiler/emit/library/LinkLibrary.h"
#include "compiler/pipeline/WritePrograms.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace sluice {

std::string libraryName(StringRef output) {
  StringRef name = llvm::sys::path::filename(output);
  if (name.starts_with("lib") && (name.ends_with(".so") || name.ends_with(".a")))
    name = name.drop_front(3).rsplit('.').first;
  return name.str();
}

std::vector<std::string> filesOfLibrary(StringRef output) {
  const std::string name = libraryName(output);
  std::vector<std::string> files;
  for (const std::string &file :
       {"lib" + name + ".so", "lib" + name + ".a", name + ".h", name + ".hpp"}) {
    llvm::SmallString<128> path(llvm::sys::path::parent_path(output));
    llvm::sys::path::append(path, file);
    files.push_back(std::string(path));
  }
  return files;
}

static int writeAll(ArrayRef<emit::PendingOutput> outputs, ArrayRef<std::string> contents,
                    DiagnosticPrinter &printer) {
  for (auto [output, content] : llvm::zip_equal(outputs.drop_front(), contents))
    if (int code = printFailure(output.write(content), printer))
      return code;
  for (const emit::PendingOutput &output : outputs)
    if (int code = printFailure(output.moveIntoPlace(), printer))
      return code;
  return kExitOk;
}

static int createOutputs(ArrayRef<std::string> paths, std::vector<emit::PendingOutput> &outputs,
                         DiagnosticPrinter &printer) {
  for (const std::string &path : paths) {
    auto output = emit::PendingOutput::create(
        path, outputs.empty() ? nullptr : outputs.front().sharedFiles());
    if (!output.ok())
      return printFailure(output.status(), printer);
    outputs.push_back(std::move(*output));
  }
  return kExitOk;
}

// What the configuration says of variables must be true.
static int nameVariables(ArrayRef<import::NamedVariable> named, emit::Interface &interface,
                         DiagnosticPrinter &printer) {
  for (const import::NamedVariable &variable : named) {
    if (emit::nameVariable(interface, variable.node, variable.name))
      continue;
    printer.error("variable '" + variable.node +
                      "' of the configuration: the program has none of "
                      "this name that it uses",
                  kExitUsage);
    return kExitUsage;
  }
  return kExitOk;
}

int writeLibrary(const emit::DescribedProgram &program, const CompileOptions &options,
                 DiagnosticPrinter &printer, std::vector<std::string> &written) {
  const std::string name = libraryName(options.output);
  emit::Interface interface = emit::describeInterface(program.program, name, options.cppClass);
  if (int code = nameVariables(options.namedVariables, interface, printer))
    return code;
  emit::DescribedProgram library = program;
  library.libraryName = interface.name;
  std::vector<std::string> objects;
  if (int code = makeObjects(library, printer, objects))
    return code;
  written = filesOfLibrary(options.output);
  std::vector<emit::PendingOutput> outputs;
  if (int code = createOutputs(written, outputs, printer))
    return code;
  SmallVector<StringRef> bytes(objects.begin(), objects.end());
  const emit::LinkRequest request{bytes, options.libraryFolder, emit::ProgramRole::kLibrary,
                                  options.verbose};
  const std::string entry = emit::entryOfLibrary(interface.name);
  if (int code = printFailure(
          emit::linkSharedLibrary(request, outputs.front(), entry, "lib" + name + ".so"), printer))
    return code;
  std::string archive;
  if (int code =
          printFailure(emit::makeStaticLibrary(request, entry, name + ".o", archive), printer))
    return code;
  return writeAll(
      outputs, {archive, emit::writeCHeader(interface), emit::writeCppHeader(interface)}, printer);
}

} // namespace sluice
