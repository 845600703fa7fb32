// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members one after the other, each behind its header, and the directory at the end.
#include "runtime/io/zip_writer.h"

#include <zlib.h>

namespace sluice::rt {

namespace {

constexpr uint64_t kMostBytes = 0xfffffffe, kMostMembers = 0xfffe;
constexpr uint16_t kVersion = 20, kNamesAreUtf8 = 1 << 11, kStored = 0;
constexpr uint16_t kMidnight = 0, kFirstDay = 0x21; // of 1980: equal tensors give equal files

void u16(ByteWriter &out, uint64_t value) { out.number(static_cast<uint16_t>(value)); }
void u32(ByteWriter &out, uint64_t value) { out.number(static_cast<uint32_t>(value)); }

uint64_t checksum(std::string_view content) {
  return crc32_z(0, reinterpret_cast<const Bytef *>(content.data()), content.size());
}

// What stands in a member's header as well as in the directory, from the version on.
std::string description(std::string_view name, std::string_view content) {
  ByteWriter out;
  for (uint16_t word : {kVersion, kNamesAreUtf8, kStored, kMidnight, kFirstDay})
    u16(out, word);
  u32(out, checksum(content));
  u32(out, content.size());
  u32(out, content.size());
  u16(out, name.size());
  u16(out, 0); // bytes of further fields
  return out.take();
}

} // namespace

Status ZipWriter::add(std::string_view name, std::string_view content) {
  constexpr size_t kHeaders = 128; // those of a member, its name aside, and the end record
  uint64_t size = archive_.size() + directory_.size() + content.size() + 2 * name.size() + kHeaders;
  if (size > kMostBytes || members_ >= kMostMembers || name.size() > UINT16_MAX)
    return unimplemented("npz files of 4 GiB or more are not written: use .npy files");
  size_t begin = archive_.size();
  std::string common = description(name, content);
  archive_.raw("PK\3\4", 4);
  archive_.raw(common);
  archive_.raw(name);
  archive_.raw(content);
  directory_.raw("PK\1\2", 4);
  u16(directory_, kVersion); // of the writer
  directory_.raw(common);
  u16(directory_, 0); // bytes of a comment
  u16(directory_, 0); // disk
  u16(directory_, 0); // internal attributes
  u32(directory_, 0); // external attributes
  u32(directory_, begin);
  directory_.raw(name);
  ++members_;
  return {};
}

std::string ZipWriter::finish() && {
  size_t begin = archive_.size();
  archive_.raw(directory_.bytes());
  archive_.raw("PK\5\6", 4);
  u32(archive_, 0); // this disk, and that of the directory
  u16(archive_, members_);
  u16(archive_, members_);
  u32(archive_, directory_.size());
  u32(archive_, begin);
  u16(archive_, 0); // bytes of a comment
  return archive_.take();
}

} // namespace sluice::rt
