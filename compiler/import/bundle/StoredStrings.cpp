// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lengths are numbers of variable size in the file, and count in the checksum as 32 bits, or as 64
// where they need them.
#include "compiler/import/bundle/StoredStrings.h"

#include "compiler/import/bundle/SortedTable.h"
#include "runtime/base/crc32c.h"

#include "llvm/Support/Endian.h"

namespace sluice::import {

static bool takeLength(std::string_view &bytes, uint64_t &length) {
  length = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    length |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

static uint32_t addLength(uint64_t length, uint32_t checksum) {
  char bytes[8];
  llvm::support::endian::write64le(bytes, length);
  return rt::crc32c({bytes, length > UINT32_MAX ? sizeof bytes : sizeof bytes / 2}, checksum);
}

std::string decodeStoredStrings(std::string_view bytes, int64_t count,
                                std::vector<std::string> &strings, uint32_t &checksum) {
  constexpr size_t kChecksumBytes = 4;
  checksum = 0;
  if (static_cast<uint64_t>(count) > bytes.size())
    return "expected " + std::to_string(count) + " strings but there are only " +
           std::to_string(bytes.size()) + " bytes";
  std::vector<uint64_t> lengths;
  uint64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t length;
    if (!takeLength(bytes, length) || length > bytes.size() || (total += length) > bytes.size())
      return "the lengths of its strings are damaged";
    checksum = addLength(length, checksum);
    lengths.push_back(length);
  }
  if (bytes.size() < kChecksumBytes || bytes.size() - kChecksumBytes != total)
    return "expected " + std::to_string(total) + " bytes of strings behind their lengths but got " +
           std::to_string(bytes.size() - std::min(bytes.size(), kChecksumBytes));
  if (llvm::support::endian::read32le(bytes.data()) != maskedChecksum(checksum))
    return "wrong checksum of the lengths of its strings: the file was changed after it was "
           "written";
  checksum = rt::crc32c(bytes, checksum);
  bytes.remove_prefix(kChecksumBytes);
  for (uint64_t length : lengths) {
    strings.emplace_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return "";
}

} // namespace sluice::import
