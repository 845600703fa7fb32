// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members one after the other, each behind its header, and the directory at the end.
#include "runtime/io/zip_writer.h"

#include <zlib.h>

namespace sluice::rt {

namespace {

constexpr uint64_t kMostBytes = 0xfffffffe, kMostMembers = 0xfffe;
constexpr uint16_t kVersion = 20, kNamesAreUtf8 = 1 << 11, kStored = 0;
constexpr uint16_t kMidnight = 0, kFirstDay = 0x21; // of 1980: equal tensors give equal files

void append(std::string &out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> 8 * i & 0xff);
}
void u16(std::string &out, uint64_t value) { append(out, value, 2); }
void u32(std::string &out, uint64_t value) { append(out, value, 4); }

uint64_t checksum(std::string_view content) {
  return crc32_z(0, reinterpret_cast<const Bytef *>(content.data()), content.size());
}

// What stands in a member's header as well as in the directory, from the version on.
std::string description(std::string_view name, std::string_view content) {
  std::string out;
  for (uint16_t word : {kVersion, kNamesAreUtf8, kStored, kMidnight, kFirstDay})
    u16(out, word);
  u32(out, checksum(content));
  u32(out, content.size());
  u32(out, content.size());
  u16(out, name.size());
  u16(out, 0); // bytes of further fields
  return out;
}

} // namespace

Status ZipWriter::add(std::string_view name, std::string_view content) {
  constexpr size_t kHeaders = 128; // those of a member, its name aside, and the end record
  uint64_t size = archive_.size() + directory_.size() + content.size() + 2 * name.size() + kHeaders;
  if (size > kMostBytes || members_ >= kMostMembers || name.size() > UINT16_MAX)
    return unimplemented("npz files of 4 GiB or more are not written: use .npy files");
  size_t begin = archive_.size();
  std::string common = description(name, content);
  archive_.append("PK\3\4", 4).append(common).append(name).append(content);
  directory_.append("PK\1\2", 4);
  u16(directory_, kVersion); // of the writer
  directory_ += common;
  u16(directory_, 0); // bytes of a comment
  u16(directory_, 0); // disk
  u16(directory_, 0); // internal attributes
  u32(directory_, 0); // external attributes
  u32(directory_, begin);
  directory_ += name;
  ++members_;
  return {};
}

std::string ZipWriter::finish() && {
  size_t begin = archive_.size();
  archive_ += directory_;
  archive_.append("PK\5\6", 4);
  u32(archive_, 0); // this disk, and that of the directory
  u16(archive_, members_);
  u16(archive_, members_);
  u32(archive_, directory_.size());
  u32(archive_, begin);
  u16(archive_, 0); // bytes of a comment
  return std::move(archive_);
}

} // namespace sluice::rt
