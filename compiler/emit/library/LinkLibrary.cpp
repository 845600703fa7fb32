// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A version script hides what a shared library has; in a static one symbols become local.
#include "compiler/emit/library/LinkLibrary.h"

#include "compiler/emit/WriteObject.h"

#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/Binary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sluice::emit {

std::optional<LinkFailure> linkSharedLibrary(const LinkRequest &request,
                                             const PendingOutput &output, StringRef entry,
                                             StringRef file) {
  const std::string script = output.files().add();
  auto written = [&]() -> rt::Status {
    SLUICE_ASSIGN_OR_RETURN(rt::NewFile text, rt::NewFile::create(script, 0600, output.name()));
    SLUICE_RETURN_IF_ERROR(
        text.write(("{ global: " + entry + "; " + kLibraryEntry + "; local: *; };\n").str()));
    return text.close();
  }();
  if (!written.ok())
    return LinkFailure{rt::ExitCode::kInputOutput, written.message()};
  return linkExecutable(request, output,
                        {"--version-script=" + script, "-soname", file.str(), "-z", "defs"});
}

static LinkFailure failure(Error error) {
  return {rt::ExitCode::kInternalError,
          "cannot make the static library: " + toString(std::move(error))};
}

// All symbols but `entry` and what the object needs of others.
static Expected<std::string> hideSymbols(StringRef object, StringRef entry) {
  auto binary = object::createBinary(MemoryBufferRef(object, "object"));
  if (!binary)
    return binary.takeError();
  objcopy::ConfigManager config;
  if (Error error = config.Common.SymbolsToKeepGlobal.addMatcher(objcopy::NameOrPattern::create(
          entry, objcopy::MatchStyle::Literal, [](Error error) { return error; })))
    return std::move(error);
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  if (Error error = objcopy::executeObjcopyOnBinary(config, **binary, stream))
    return std::move(error);
  return std::string(bytes.begin(), bytes.end());
}

std::optional<LinkFailure> makeStaticLibrary(const LinkRequest &request, StringRef entry,
                                             StringRef member, std::string &archive) {
  std::string merged;
  if (auto problem = mergeObjects(request, merged, entry))
    return problem;
  Expected<std::string> hidden = hideSymbols(merged, entry);
  if (!hidden)
    return failure(hidden.takeError());
  NewArchiveMember object(MemoryBufferRef(*hidden, member));
  auto made = writeArchiveToBuffer(object, SymtabWritingMode::NormalSymtab, object::Archive::K_GNU,
                                   /*Deterministic=*/true, /*Thin=*/false);
  if (!made)
    return failure(made.takeError());
  archive = (*made)->getBuffer().str();
  return std::nullopt;
}

} // namespace sluice::emit
