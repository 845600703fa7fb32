// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking: the recipe (one argument a line, learned from the C++ compiler when Sluice was built) is
// filled in and handed to lld.
#include "compiler/emit/LinkExecutable.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sluice::emit {

namespace {

// The linker writes to a pipe.
constexpr char kStandardOutput[] = "/dev/stdout";

LinkFailure ioFailure(const rt::Status &status) {
  return {rt::ExitCode::kInputOutput, status.message()};
}

std::string replaceAll(std::string text, StringRef from, StringRef to) {
  for (size_t at = text.find(from.str()); at != std::string::npos;
       at = text.find(from.str(), at + to.size()))
    text.replace(at, from.size(), to.str());
  return text;
}

std::optional<LinkFailure> readRecipe(const LinkRequest &request, SmallVector<std::string> &words) {
  SmallString<128> path(request.libraryDir);
  sys::path::append(path, request.role == ProgramRole::kLibrary ? "library-recipe" : "link-recipe");
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

StringRef mainOf(ProgramRole role) {
  switch (role) {
  case ProgramRole::kAlone:
    return "@LIBRARY_DIR@/libsluice_main.a";
  case ProgramRole::kMember:
    return "@LIBRARY_DIR@/libsluice_member_main.a";
  case ProgramRole::kLibrary:
    return "@LIBRARY_DIR@/libsluice_library_main.a";
  }
  llvm_unreachable("a role");
}

void fillIn(SmallVector<std::string> &words, const LinkRequest &request,
            ArrayRef<std::string> objects) {
  bool member = request.role == ProgramRole::kMember;
  StringRef main = mainOf(request.role);
  const std::pair<StringRef, StringRef> places[] = {
      {"@OUTPUT@", kStandardOutput},
      {"@MAIN@", main},
      {"@MEMBER_LIBRARIES@", member ? "-l:libsodium.a" : ""},
      {"@LIBRARY_DIR@", request.libraryDir}};
  SmallVector<std::string> filled;
  for (const std::string &word : words) {
    if (word == "@OBJECT@") {
      filled.append(objects.begin(), objects.end());
      continue;
    }
    filled.push_back(word);
    for (auto [place, text] : places)
      filled.back() = replaceAll(filled.back(), place, text);
  }
  erase_if(filled, [](const std::string &word) { return word.empty(); });
  words = std::move(filled);
}

rt::Status writeNew(StringRef bytes, const std::string &path, const std::string &name) {
  SLUICE_ASSIGN_OR_RETURN(rt::NewFile file, rt::NewFile::create(path, 0600, name));
  SLUICE_RETURN_IF_ERROR(file.write(bytes));
  return file.close();
}

// Turns the words of the recipe into the command, given the objects' files.
using CompleteCommand =
    function_ref<void(SmallVector<std::string> &words, ArrayRef<std::string> objects)>;

// Messages about files that cannot be written call them by `name`.
std::optional<LinkFailure> link(const LinkRequest &request, TemporaryFiles &files,
                                const std::string &name, CompleteCommand complete,
                                TakeLinked take) {
  SmallVector<std::string> words;
  if (auto failure = readRecipe(request, words))
    return failure;
  std::vector<std::string> objects;
  for (StringRef bytes : request.objects) {
    objects.push_back(files.add());
    if (rt::Status status = writeNew(bytes, objects.back(), name); !status.ok())
      return ioFailure(status);
  }
  std::string errorFile = files.add();
  if (rt::Status status = writeNew({}, errorFile, name); !status.ok())
    return ioFailure(status);
  complete(words, objects);
  if (request.verbose)
    errs() << join(words, " ") + "\n";
  return runLinker(words, errorFile, take);
}

} // namespace

std::optional<LinkFailure> linkExecutable(const LinkRequest &request, const PendingOutput &output,
                                          ArrayRef<std::string> further) {
  auto complete = [&](auto &words, ArrayRef<std::string> objects) {
    fillIn(words, request, objects);
    words.append(further.begin(), further.end());
  };
  std::optional<rt::NewFile> file; // opened late, as there may be few descriptors
  auto take = [&](StringRef piece) -> rt::Status {
    if (!file) {
      SLUICE_ASSIGN_OR_RETURN(file, output.open(0777));
    }
    return file->write(piece);
  };
  if (auto failure = link(request, output.files(), output.name(), complete, take))
    return failure;
  if (!file)
    return LinkFailure{rt::ExitCode::kExternalTool, "the linker failed: it has made nothing"};
  if (rt::Status status = output.finish(*file); !status.ok())
    return ioFailure(status);
  return std::nullopt;
}

// Of the recipe of a library what is left in an object that is to be linked again: our archives and
// the C++ library, which callers in C may not have. Groups of sections would make two such objects
// one: each has its own copy of everything.
static void keepForObject(SmallVector<std::string> &words, ArrayRef<std::string> objects,
                          StringRef root) {
  SmallVector<std::string> kept{
      words.front(), "-r",      "-o", kStandardOutput, "--gc-sections", "--force-group-allocation",
      "-u",          root.str()};
  const size_t fixed = kept.size();
  for (const std::string &word : words) {
    StringRef text(word);
    if (text.ends_with(".a") || text.starts_with("-L") || text == "-lstdc++" ||
        is_contained(objects, word))
      kept.push_back(word);
  }
  if (is_contained(words, "-lstdc++"))
    kept.insert(kept.begin() + fixed, "-Bstatic");
  words = std::move(kept);
}

std::optional<LinkFailure> mergeObjects(const LinkRequest &request, std::string &merged,
                                        StringRef root) {
  auto complete = [&](auto &words, ArrayRef<std::string> objects) {
    if (request.role == ProgramRole::kLibrary) {
      fillIn(words, request, objects);
      keepForObject(words, objects, root);
      return;
    }
    words = {words.front(), "-r", "-o", kStandardOutput}; // the recipe's linker
    words.append(objects.begin(), objects.end());
  };
  auto take = [&](StringRef piece) {
    merged += piece;
    return rt::Status();
  };
  SmallString<128> folder;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  std::string name(folder);
  auto files = TemporaryFiles::in(name, name);
  if (!files.ok())
    return ioFailure(files.status());
  return link(request, **files, name, complete, take);
}

} // namespace sluice::emit
