// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file for each batch of codelets, under the hash of what its code follows from. It holds that
// too, so that no two can be taken for each other, and ends with a hash of itself.
#include "compiler/codegen/CodeletCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>

using namespace llvm;

namespace sluice::codegen {

namespace {

constexpr StringLiteral kMagic = "sluice codelets 1\n";
constexpr uint64_t kNoCode = UINT64_MAX;

// Numbers and strings one after the other.
class Writer {
public:
  void number(uint64_t value) {
    char bytes[8];
    support::endian::write64le(bytes, value);
    text_.append(bytes, 8);
  }
  void string(StringRef value) {
    number(value.size());
    text_ += value;
  }
  void raw(StringRef value) { text_ += value; }
  const std::string &text() const { return text_; }

private:
  std::string text_;
};

class Reader {
public:
  explicit Reader(StringRef text) : left_(text) {}
  uint64_t number() {
    if (left_.size() < 8)
      return fail();
    uint64_t value = support::endian::read64le(left_.data());
    left_ = left_.drop_front(8);
    return value;
  }
  StringRef string() {
    uint64_t size = number();
    if (size > left_.size())
      return fail(), StringRef();
    StringRef value = left_.take_front(size);
    left_ = left_.drop_front(size);
    return value;
  }
  // How many entries follow, each of eight bytes or more.
  uint64_t count() {
    uint64_t count = number();
    return count <= left_.size() / 8 ? count : fail();
  }
  bool isAtEnd() const { return !hasFailed_ && left_.empty(); }

private:
  uint64_t fail() {
    hasFailed_ = true;
    left_ = {};
    return 0;
  }
  StringRef left_;
  bool hasFailed_ = false;
};

} // namespace

std::string CodeletCache::usualFolder() {
  SmallString<128> folder;
  if (const char *given = std::getenv("XDG_CACHE_HOME"); given && sys::path::is_absolute(given))
    folder = given;
  else if (const char *home = std::getenv("HOME"); home && sys::path::is_absolute(home))
    sys::path::append(folder, home, ".cache");
  else
    return {};
  sys::path::append(folder, "sluice");
  return std::string(folder);
}

CodeletCache::~CodeletCache() {
  if (folder_.empty() || !sys::fs::is_directory(folder_))
    return;
  CachePruningPolicy policy;
  policy.MaxSizeBytes = uint64_t{256} << 20;
  pruneCache(folder_, policy);
}

FailureOr<BatchCode> CodeletCache::get(StringRef key,
                                       function_ref<FailureOr<BatchCode>()> compile) {
  if (folder_.empty())
    return compile();
  SHA256 hash;
  hash.update(key);
  SmallString<128> path(folder_);
  // Files of other names are not pruned.
  sys::path::append(path, "llvmcache-" + toHex(ArrayRef(hash.final()).take_front(16), true));
  if (std::optional<BatchCode> kept = read(std::string(path), key))
    return std::move(*kept);
  FailureOr<BatchCode> made = compile();
  if (succeeded(made))
    write(std::string(path), key, *made);
  return made;
}

std::optional<BatchCode> CodeletCache::read(const std::string &path, StringRef key) const {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  StringRef text = (*file)->getBuffer();
  if (text.size() < 8 ||
      xxh3_64bits(text.drop_back(8)) != support::endian::read64le(text.take_back(8).data()))
    return std::nullopt;
  text = text.drop_back(8);
  if (!text.consume_front(kMagic))
    return std::nullopt;
  Reader reader(text);
  if (reader.string() != key)
    return std::nullopt;
  BatchCode code;
  for (uint64_t left = reader.count(); left > 0; --left)
    code.objects.push_back(reader.string().str());
  for (uint64_t left = reader.count(); left > 0; --left) {
    uint64_t bytes = reader.number();
    code.codeBytes.push_back(bytes == kNoCode ? std::nullopt : std::optional(bytes));
  }
  return reader.isAtEnd() ? std::optional(std::move(code)) : std::nullopt;
}

// Under another name first, so that nobody reads half of it.
void CodeletCache::write(const std::string &path, StringRef key, const BatchCode &code) const {
  Writer writer;
  writer.raw(kMagic);
  writer.string(key);
  writer.number(code.objects.size());
  for (const std::string &object : code.objects)
    writer.string(object);
  writer.number(code.codeBytes.size());
  for (std::optional<uint64_t> bytes : code.codeBytes)
    writer.number(bytes.value_or(kNoCode));
  writer.number(xxh3_64bits(writer.text()));
  if (sys::fs::create_directories(folder_, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return;
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(path + ".%%%%%%%%");
  if (!file)
    return consumeError(file.takeError());
  raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << writer.text();
  stream.flush();
  bool isWhole = !stream.has_error();
  stream.clear_error();
  consumeError(isWhole ? file->keep(path) : file->discard());
}

} // namespace sluice::codegen
