// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directory at the end of a zip archive, and the header in front of each member, which must
// agree.
#include "runtime/base/byte_stream.h"
#include "runtime/io/number_text.h"
#include "runtime/io/zip.h"

#include <algorithm>

namespace sluice::rt {

namespace {

constexpr std::string_view kEndMark("PK\5\6", 4), kEntryMark("PK\1\2", 4), kLocalMark("PK\3\4", 4);
constexpr size_t kEndSize = 22, kEntrySize = 46, kLocalSize = 30;
constexpr uint32_t kIsZip64 = 0xffffffff; // in place of a size or an offset
constexpr uint32_t kEncrypted = 1u << 0 | 1u << 6 | 1u << 13, kSizesFollow = 1u << 3;
constexpr uint32_t kStored = 0, kDeflated = 8;

uint32_t u16(std::string_view bytes, size_t at) {
  return ByteReader(bytes.substr(at)).number<uint16_t>();
}
uint32_t u32(std::string_view bytes, size_t at) {
  return ByteReader(bytes.substr(at)).number<uint32_t>();
}

Status zip64() {
  return unimplemented(
      "npz files in zip64 form, of 4 GiB or more, are not supported: use .npy files");
}

struct Directory {
  size_t entries;
  size_t begin;
  size_t end;
};

// A comment of any length may follow the end record, so it is looked for from the back.
Result<Directory> findDirectory(std::string_view archive) {
  size_t end =
      archive.size() < kEndSize ? archive.npos : archive.rfind(kEndMark, archive.size() - kEndSize);
  constexpr size_t kMaxComment = 65535;
  if (end == archive.npos || archive.size() - end - kEndSize > kMaxComment)
    return invalidArgument("expected a zip archive but its end record is missing: the file is cut "
                           "short or no npz file");
  std::string_view record = archive.substr(end);
  if (u16(record, 20) != record.size() - kEndSize)
    return invalidArgument(format("expected the zip archive to end at byte %zu but got %zu bytes",
                                  end + kEndSize + u16(record, 20), archive.size()));
  size_t entries = u16(record, 10), size = u32(record, 12), begin = u32(record, 16);
  if (entries == 0xffff || size == kIsZip64 || begin == kIsZip64)
    return zip64();
  if (u16(record, 4) != 0 || u16(record, 6) != 0 || u16(record, 8) != entries)
    return unimplemented("zip archives of several disks are not supported");
  if (begin + size != end)
    return invalidArgument(format("expected the zip directory to lie before its end record at byte "
                                  "%zu but got bytes %zu to %zu",
                                  end, begin, begin + size));
  return Directory{entries, begin, end};
}

struct Extent {
  size_t begin; // of the local header
  size_t end;   // of the data
  size_t member;
};

class DirectoryReader {
public:
  DirectoryReader(std::string_view archive, Directory directory)
      : archive_(archive), directory_(directory) {}

  Result<std::vector<ZipMember>> read() {
    size_t at = directory_.begin;
    for (size_t i = 0; i < directory_.entries; ++i)
      SLUICE_RETURN_IF_ERROR(readEntry(at));
    if (at != directory_.end)
      return invalidArgument(
          format("expected the zip directory to end at byte %zu but got %zu", directory_.end, at));
    SLUICE_RETURN_IF_ERROR(checkNames());
    SLUICE_RETURN_IF_ERROR(checkExtents());
    return std::move(members_);
  }

private:
  Status readEntry(size_t &at) {
    std::string_view left = archive_.substr(at, directory_.end - at);
    if (left.size() < kEntrySize || !left.starts_with(kEntryMark))
      return invalidArgument(format("expected an entry of the zip directory at byte %zu", at));
    size_t nameSize = u16(left, 28), size = kEntrySize + nameSize + u16(left, 30) + u16(left, 32);
    if (left.size() < size)
      return invalidArgument(format("the entry at byte %zu goes beyond the zip directory", at));
    ZipMember member;
    member.name = left.substr(kEntrySize, nameSize);
    member.crc = u32(left, 16);
    member.size = u32(left, 24);
    uint32_t flags = u16(left, 8), method = u16(left, 10), stored = u32(left, 20),
             local = u32(left, 42);
    std::string where = "zip member " + quoted(member.name, 100) + ": ";
    if (flags & kEncrypted)
      return unimplemented(where + "encrypted members are not supported");
    if (method != kStored && method != kDeflated)
      return unimplemented(where +
                           format("expected no compression or deflate but got method %u", method));
    if (stored == kIsZip64 || member.size == kIsZip64 || local == kIsZip64)
      return zip64();
    member.deflated = method == kDeflated;
    if (!member.deflated && stored != member.size)
      return invalidArgument(where + format("expected equal sizes of a member that is not "
                                            "compressed but got %u and %u",
                                            stored, member.size));
    Status status = readLocalHeader(local, flags, method, stored, member);
    if (!status.ok())
      return Status(status.code(), where + status.message());
    members_.push_back(member);
    at += size;
    return {};
  }

  // Finds the data, which the directory does not tell.
  Status readLocalHeader(size_t at, uint32_t flags, uint32_t method, uint32_t stored,
                         ZipMember &member) {
    if (at > directory_.begin || directory_.begin - at < kLocalSize ||
        !archive_.substr(at).starts_with(kLocalMark))
      return invalidArgument(format("expected its header at byte %zu", at));
    std::string_view header = archive_.substr(at, directory_.begin - at);
    size_t size = kLocalSize + u16(header, 26) + u16(header, 28);
    if (size > header.size() || stored > header.size() - size)
      return invalidArgument("its data goes beyond the zip directory");
    bool same = header.substr(kLocalSize, u16(header, 26)) == member.name &&
                u16(header, 6) == flags && u16(header, 8) == method;
    if (!(flags & kSizesFollow))
      same = same && u32(header, 14) == member.crc && isSize(u32(header, 18), stored) &&
             isSize(u32(header, 22), member.size);
    if (!same)
      return invalidArgument("its header differs from the zip directory");
    member.stored = header.substr(size, stored);
    extents_.push_back({at, at + size + stored, members_.size()});
    return {};
  }
  // numpy reserves room for long sizes even where short ones do.
  static bool isSize(uint32_t inHeader, uint32_t size) {
    return inHeader == size || inHeader == kIsZip64;
  }

  Status checkNames() const {
    std::vector<std::string_view> names;
    for (const ZipMember &member : members_)
      names.push_back(member.name);
    std::sort(names.begin(), names.end());
    auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice == names.end())
      return {};
    return invalidArgument("zip member " + quoted(*twice, 100) + " occurs twice");
  }

  Status checkExtents() {
    std::sort(extents_.begin(), extents_.end(),
              [](const Extent &a, const Extent &b) { return a.begin < b.begin; });
    for (size_t i = 1; i < extents_.size(); ++i)
      if (extents_[i].begin < extents_[i - 1].end)
        return invalidArgument("zip member " + quoted(members_[extents_[i].member].name, 100) +
                               ": its bytes belong to " +
                               quoted(members_[extents_[i - 1].member].name, 100) + " as well");
    return {};
  }

  std::string_view archive_;
  Directory directory_;
  std::vector<ZipMember> members_;
  std::vector<Extent> extents_;
};

} // namespace

Result<std::vector<ZipMember>> readZipDirectory(std::string_view archive) {
  SLUICE_ASSIGN_OR_RETURN(Directory directory, findDirectory(archive));
  return DirectoryReader(archive, directory).read();
}

} // namespace sluice::rt
