// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking: the recipe (one argument a line, learned from the C++ compiler when Sluice was built) is
// filled in and handed to lld as a process, so that a crash there cannot take the compiler down.
#include "compiler/emit/LinkExecutable.h"

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

// A file beside the output that vanishes unless it is kept.
class Temporary {
public:
  static Expected<Temporary> create(StringRef output, StringRef suffix) {
    SmallString<128> path;
    int fd;
    if (std::error_code error = sys::fs::createUniqueFile(output + ".%%%%%%%%" + suffix, fd, path,
                                                          sys::fs::OF_None, 0700))
      return createStringError(error, "cannot write '%s': %s", output.str().c_str(),
                               error.message().c_str());
    return Temporary(std::string(path), fd);
  }
  Temporary(Temporary &&other) : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {
    other.path_.clear();
  }
  ~Temporary() {
    close();
    if (!path_.empty())
      sys::fs::remove(path_);
  }
  StringRef path() const { return path_; }
  bool write(StringRef bytes) {
    raw_fd_ostream stream(fd_, /*shouldClose=*/false);
    stream << bytes;
    stream.flush();
    bool good = !stream.has_error();
    stream.clear_error();
    return good;
  }
  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }
  std::error_code keepAs(StringRef output) {
    std::error_code error = sys::fs::rename(path_, output);
    if (!error)
      path_.clear();
    return error;
  }

private:
  Temporary(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::string path_;
  int fd_;
};

LinkFailure ioFailure(StringRef output, std::error_code error) {
  return {3, ("cannot write '" + output + "': " + error.message()).str()};
}

// Renaming onto a folder, a device or the like must not be tried.
std::optional<LinkFailure> checkTarget(StringRef output) {
  sys::fs::file_status status;
  if (!sys::fs::status(output, status) && sys::fs::exists(status) &&
      !sys::fs::is_regular_file(status))
    return LinkFailure{3, ("cannot write '" + output + "': it is no regular file").str()};
  return std::nullopt;
}

std::string replaceAll(std::string text, StringRef from, StringRef to) {
  for (size_t at = text.find(from.str()); at != std::string::npos;
       at = text.find(from.str(), at + to.size()))
    text.replace(at, from.size(), to.str());
  return text;
}

std::optional<LinkFailure> readRecipe(StringRef libraryDir, SmallVector<std::string> &words) {
  SmallString<128> path(libraryDir);
  sys::path::append(path, "sluice-link-recipe");
  auto recipe = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!recipe)
    return LinkFailure{6, ("cannot read the link recipe '" + path.str() +
                           "'; is this a complete installation of Sluice?").str()};
  SmallVector<StringRef> lines;
  (*recipe)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty())
    return LinkFailure{6, ("the link recipe '" + path.str() + "' is empty").str()};
  for (StringRef line : lines)
    words.push_back(line.str());
  return std::nullopt;
}

void fillIn(SmallVector<std::string> &words, const LinkRequest &request,
            ArrayRef<Temporary> objects, StringRef executable) {
  bool member = request.role == ProgramRole::kMember;
  StringRef main = member ? "@LIBRARY_DIR@/libsluice_member_main.a"
                          : "@LIBRARY_DIR@/libsluice_main.a";
  const std::pair<StringRef, StringRef> places[] = {
      {"@OUTPUT@", executable},
      {"@MAIN@", main},
      {"@MEMBER_LIBRARIES@", member ? "-l:libsodium.a" : ""},
      {"@LIBRARY_DIR@", request.libraryDir}};
  SmallVector<std::string> filled;
  for (const std::string &word : words) {
    if (word == "@OBJECT@") {
      for (const Temporary &object : objects)
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
    return LinkFailure{6, ("cannot find the linker '" + arguments[0] + "'; install lld-22").str()};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""), errorFile};
  std::string problem;
  int code = sys::ExecuteAndWait(arguments[0], arguments, std::nullopt, redirects,
                                 /*SecondsToWait=*/120, 0, &problem);
  if (code == 0)
    return std::nullopt;
  auto said = MemoryBuffer::getFile(errorFile);
  StringRef text = said ? (*said)->getBuffer().take_front(2000) : StringRef();
  return LinkFailure{6, ("the linker failed (" + Twine(code) + "): " + problem + text).str()};
}

} // namespace

std::optional<LinkFailure> writeFileAtomically(StringRef bytes, StringRef output) {
  if (auto failure = checkTarget(output))
    return failure;
  auto file = Temporary::create(output, ".tmp");
  if (!file)
    return LinkFailure{3, toString(file.takeError())};
  if (!file->write(bytes))
    return LinkFailure{3, ("cannot write '" + output + "'").str()};
  file->close();
  sys::fs::setPermissions(file->path(), static_cast<sys::fs::perms>(0644));
  if (std::error_code error = file->keepAs(output))
    return ioFailure(output, error);
  return std::nullopt;
}

// Turns the words of the recipe into the command, given the objects' files and the path to write to.
using CompleteCommand = function_ref<void(SmallVector<std::string> &words,
                                          ArrayRef<Temporary> objects, StringRef result)>;

// Runs the linker on files beside `place`; the result is one of them.
static std::optional<LinkFailure> link(const LinkRequest &request, StringRef place,
                                       CompleteCommand complete, std::optional<Temporary> &result) {
  SmallVector<std::string> words;
  if (auto failure = readRecipe(request.libraryDir, words))
    return failure;
  std::vector<Temporary> objects;
  for (StringRef bytes : request.objects) {
    auto file = Temporary::create(place, ".o");
    if (!file)
      return LinkFailure{3, toString(file.takeError())};
    if (!file->write(bytes))
      return LinkFailure{3, ("cannot write '" + file->path() + "'").str()};
    file->close();
    objects.push_back(std::move(*file));
  }
  auto made = Temporary::create(place, ".tmp"), errors = Temporary::create(place, ".err");
  if (!made || !errors)
    return LinkFailure{3, toString(joinErrors(made.takeError(), errors.takeError()))};
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
  if (auto failure = checkTarget(request.output))
    return failure;
  auto complete = [&](auto &words, ArrayRef<Temporary> objects, StringRef result) {
    fillIn(words, request, objects, result);
  };
  std::optional<Temporary> executable;
  if (auto failure = link(request, request.output, complete, executable))
    return failure;
  sys::fs::setPermissions(executable->path(), static_cast<sys::fs::perms>(0755));
  if (std::error_code error = executable->keepAs(request.output))
    return ioFailure(request.output, error);
  return std::nullopt;
}

std::optional<LinkFailure> mergeObjects(const LinkRequest &request, std::string &merged) {
  auto complete = [&](auto &words, ArrayRef<Temporary> objects, StringRef result) {
    words = {words.front(), "-r", "-o", result.str()}; // the recipe's linker
    for (const Temporary &object : objects)
      words.push_back(object.path().str());
  };
  SmallString<128> place;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, place);
  sys::path::append(place, "sluice-object");
  std::optional<Temporary> object;
  if (auto failure = link(request, place, complete, object))
    return failure;
  auto bytes = MemoryBuffer::getFile(object->path());
  if (!bytes)
    return LinkFailure{3, ("cannot read '" + object->path() + "'").str()};
  merged = (*bytes)->getBuffer().str();
  return std::nullopt;
}

} // namespace sluice::emit
