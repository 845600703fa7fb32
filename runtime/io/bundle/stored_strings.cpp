// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lengths are numbers of variable size in the file, and count in the checksum as 32 bits, or as 64
// where they need them.
#include "runtime/io/bundle/stored_strings.h"

#include "runtime/base/crc32c.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/bundle/message.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sluice::rt {

static uint32_t addLength(uint64_t length, uint32_t checksum) {
  char bytes[sizeof length];
  std::memcpy(bytes, &length, sizeof length);
  return crc32c({bytes, length > UINT32_MAX ? sizeof bytes : sizeof bytes / 2}, checksum);
}

Status checkStoredStrings(uint64_t bytes, int64_t count) {
  if (static_cast<uint64_t>(count) <= bytes)
    return okStatus();
  return {Code::kDataLoss, "expected " + std::to_string(count) + " strings but there are only " +
                               std::to_string(bytes) + " bytes"};
}

Result<uint32_t> decodeStoredStrings(std::string_view bytes, std::span<std::string> strings) {
  constexpr size_t kChecksumBytes = 4;
  auto damaged = [](std::string message) { return Status(Code::kDataLoss, std::move(message)); };
  SLUICE_RETURN_IF_ERROR(checkStoredStrings(bytes.size(), static_cast<int64_t>(strings.size())));
  uint32_t checksum = 0;
  std::vector<uint64_t> lengths;
  uint64_t total = 0;
  for (size_t i = 0; i < strings.size(); ++i) {
    uint64_t length;
    if (!takeVarint(bytes, length) || length > bytes.size() || (total += length) > bytes.size())
      return damaged("the lengths of its strings are damaged");
    checksum = addLength(length, checksum);
    lengths.push_back(length);
  }
  if (bytes.size() < kChecksumBytes || bytes.size() - kChecksumBytes != total)
    return damaged("expected " + std::to_string(total) +
                   " bytes of strings behind their lengths but got " +
                   std::to_string(bytes.size() - std::min(bytes.size(), kChecksumBytes)));
  uint32_t stored;
  std::memcpy(&stored, bytes.data(), sizeof stored);
  if (stored != maskedChecksum(checksum))
    return damaged(
        "wrong checksum of the lengths of its strings: the file was changed after it was "
        "written");
  checksum = crc32c(bytes, checksum);
  bytes.remove_prefix(kChecksumBytes);
  for (size_t i = 0; i < strings.size(); ++i) {
    strings[i] = bytes.substr(0, lengths[i]);
    bytes.remove_prefix(lengths[i]);
  }
  return checksum;
}

StoredStringsHead encodeLengths(std::span<const std::string> strings) {
  StoredStringsHead head{{}, 0};
  for (const std::string &text : strings) {
    appendVarint(head.bytes, text.size());
    head.checksum = addLength(text.size(), head.checksum);
  }
  uint32_t masked = maskedChecksum(head.checksum);
  char bytes[sizeof masked];
  std::memcpy(bytes, &masked, sizeof masked);
  head.bytes.append(bytes, sizeof bytes);
  head.checksum = crc32c({bytes, sizeof bytes}, head.checksum);
  return head;
}

} // namespace sluice::rt
