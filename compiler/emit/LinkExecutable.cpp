// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking: the recipe (one argument a line, learned from the C++ compiler when Sluice was built) is
// filled in and handed to lld as a process, so that a crash there cannot take the compiler down.
#include "compiler/emit/LinkExecutable.h"

#include "compiler/emit/AtomicFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace llvm;

namespace sluice::emit {

namespace {

LinkFailure ioFailure(std::string message) {
  return {rt::ExitCode::kInputOutput, std::move(message)};
}

std::string replaceAll(std::string text, StringRef from, StringRef to) {
  for (size_t at = text.find(from.str()); at != std::string::npos;
       at = text.find(from.str(), at + to.size()))
    text.replace(at, from.size(), to.str());
  return text;
}

std::optional<LinkFailure> readRecipe(StringRef libraryDir, SmallVector<std::string> &words) {
  SmallString<128> path(libraryDir);
  sys::path::append(path, "link-recipe");
  auto recipe = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!recipe)
    return LinkFailure{rt::ExitCode::kExternalTool,
                       ("cannot read the link recipe '" + path.str() +
                        "'; is this a complete installation of Sluice?")
                           .str()};
  SmallVector<StringRef> lines;
  (*recipe)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty())
    return LinkFailure{rt::ExitCode::kExternalTool,
                       ("the link recipe '" + path.str() + "' is empty").str()};
  for (StringRef line : lines)
    words.push_back(line.str());
  return std::nullopt;
}

void fillIn(SmallVector<std::string> &words, const LinkRequest &request,
            ArrayRef<TemporaryFile> objects, StringRef executable) {
  bool member = request.role == ProgramRole::kMember;
  StringRef main =
      member ? "@LIBRARY_DIR@/libsluice_member_main.a" : "@LIBRARY_DIR@/libsluice_main.a";
  const std::pair<StringRef, StringRef> places[] = {
      {"@OUTPUT@", executable},
      {"@MAIN@", main},
      {"@MEMBER_LIBRARIES@", member ? "-l:libsodium.a" : ""},
      {"@LIBRARY_DIR@", request.libraryDir}};
  SmallVector<std::string> filled;
  for (const std::string &word : words) {
    if (word == "@OBJECT@") {
      for (const TemporaryFile &object : objects)
        filled.push_back(object.path().str());
      continue;
    }
    filled.push_back(word);
    for (auto [place, text] : places)
      filled.back() = replaceAll(filled.back(), place, text);
  }
  erase_if(filled, [](const std::string &word) { return word.empty(); });
  words = std::move(filled);
}

std::optional<LinkFailure> runLinker(ArrayRef<std::string> words, StringRef errorFile) {
  SmallVector<StringRef> arguments(words.begin(), words.end());
  if (!sys::fs::can_execute(arguments[0]))
    return LinkFailure{rt::ExitCode::kExternalTool,
                       ("cannot find the linker '" + arguments[0] + "'; install lld-22").str()};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""), errorFile};
  std::string problem;
  int code = sys::ExecuteAndWait(arguments[0], arguments, std::nullopt, redirects,
                                 /*SecondsToWait=*/120, 0, &problem);
  if (code == 0)
    return std::nullopt;
  auto said = MemoryBuffer::getFile(errorFile);
  StringRef text = said ? (*said)->getBuffer().take_front(2000) : StringRef();
  // What a linker that crashed says after this is for its makers.
  text = text.split("PLEASE submit a bug report").first.rtrim();
  std::string how = problem.empty() ? "exit code " + std::to_string(code) : problem;
  return LinkFailure{rt::ExitCode::kExternalTool, "the linker failed (" + how + "): " + text.str()};
}

} // namespace

// Turns the words of the recipe into the command, given the objects' files and the path to write
// to.
using CompleteCommand = function_ref<void(SmallVector<std::string> &words,
                                          ArrayRef<TemporaryFile> objects, StringRef result)>;

// Runs the linker on files beside `place`; the result is one of them.
static std::optional<LinkFailure> link(const LinkRequest &request, StringRef place,
                                       CompleteCommand complete,
                                       std::optional<TemporaryFile> &result) {
  SmallVector<std::string> words;
  if (auto failure = readRecipe(request.libraryDir, words))
    return failure;
  std::vector<TemporaryFile> objects;
  for (StringRef bytes : request.objects) {
    auto file = TemporaryFile::create(place, ".o");
    if (!file)
      return LinkFailure{rt::ExitCode::kInputOutput, toString(file.takeError())};
    if (!file->write(bytes) || !file->close())
      return LinkFailure{rt::ExitCode::kInputOutput, ("cannot write '" + file->path() + "'").str()};
    objects.push_back(std::move(*file));
  }
  auto made = TemporaryFile::create(place, ".tmp", 0777);
  auto errors = TemporaryFile::create(place, ".err");
  if (!made || !errors)
    return LinkFailure{rt::ExitCode::kInputOutput,
                       toString(joinErrors(made.takeError(), errors.takeError()))};
  made->close(); // the linker must be able to write what will be executed
  complete(words, objects, made->path());
  if (request.verbose)
    errs() << join(words, " ") + "\n";
  if (auto failure = runLinker(words, errors->path()))
    return failure;
  result.emplace(std::move(*made));
  return std::nullopt;
}

std::optional<LinkFailure> linkExecutable(const LinkRequest &request) {
  if (auto failure = checkReplaceable(request.output))
    return ioFailure(*failure);
  auto complete = [&](auto &words, ArrayRef<TemporaryFile> objects, StringRef result) {
    fillIn(words, request, objects, result);
  };
  std::string target = fileBehind(request.output);
  std::optional<TemporaryFile> executable;
  if (auto failure = link(request, target, complete, executable))
    return failure;
  if (auto failure = executable->keepAs(target))
    return ioFailure(*failure);
  return std::nullopt;
}

std::optional<LinkFailure> mergeObjects(const LinkRequest &request, std::string &merged) {
  auto complete = [&](auto &words, ArrayRef<TemporaryFile> objects, StringRef result) {
    words = {words.front(), "-r", "-o", result.str()}; // the recipe's linker
    for (const TemporaryFile &object : objects)
      words.push_back(object.path().str());
  };
  SmallString<128> place;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, place);
  sys::path::append(place, "sluice-object");
  std::optional<TemporaryFile> object;
  if (auto failure = link(request, place, complete, object))
    return failure;
  auto bytes = MemoryBuffer::getFile(object->path());
  if (!bytes)
    return LinkFailure{rt::ExitCode::kInputOutput, ("cannot read '" + object->path() + "'").str()};
  merged = (*bytes)->getBuffer().str();
  return std::nullopt;
}

} // namespace sluice::emit
