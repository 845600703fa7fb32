// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas, the assembler of the CUDA Toolkit.
#include "compiler/codegen/cuda/Assembler.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace mlir;

namespace sluice::codegen {

static constexpr unsigned kMostSeconds = 300;

std::string findAssembler() {
  if (const char *given = std::getenv("PTXAS"))
    return given;
  if (const char *home = std::getenv("CUDA_HOME")) {
    llvm::SmallString<128> path(home);
    llvm::sys::path::append(path, "bin", "ptxas");
    if (llvm::sys::fs::can_execute(path))
      return std::string(path);
  }
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  constexpr StringLiteral usual = "/usr/local/cuda/bin/ptxas";
  return llvm::sys::fs::can_execute(usual) ? usual.str() : std::string();
}

static std::string contentOf(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

FailureOr<std::string> assemble(StringRef assembler, StringRef text, StringRef architecture,
                                Location location) {
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("sluice-ptx", folder))
    return emitError(location) << "cannot make a folder for ptxas: " << error.message();
  auto remove = llvm::scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  auto within = [&](StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  };
  std::string source = within("kernels.ptx"), result = within("kernels.cubin"),
              said = within("messages");
  std::error_code error;
  llvm::raw_fd_ostream stream(source, error);
  stream << text;
  stream.close();
  if (error || stream.has_error())
    return emitError(location) << "cannot write the input of ptxas to '" << source << "'";
  std::string chip = ("-arch=" + architecture).str(), problem;
  StringRef arguments[] = {assembler, chip, source, "-o", result};
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(said), StringRef(said)};
  int code = llvm::sys::ExecuteAndWait(assembler, arguments, std::nullopt, redirects, kMostSeconds,
                                       0, &problem);
  if (code != 0)
    return emitError(location) << "'" << assembler << "' failed with " << code << ": "
                               << (problem.empty() ? contentOf(said) : problem);
  std::string image = contentOf(result);
  if (image.empty())
    return emitError(location) << "'" << assembler << "' made nothing of kernels for "
                               << architecture;
  return image;
}

} // namespace sluice::codegen
