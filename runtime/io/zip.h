// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of a zip archive in memory: stored or deflated, not encrypted, on one disk, below 4 GiB.
//
// The whole directory is checked before anything is inflated: names occur once, and the members lie
// apart from each other, so that no byte of the file counts for two of them. Names are only compared;
// no file is ever written.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct ZipMember {
  std::string_view name;
  std::string_view stored; // bytes in the archive
  bool deflated = false;
  uint32_t crc = 0;
  uint32_t size = 0; // after inflating
};

// In the directory's order. INVALID_ARGUMENT, or UNIMPLEMENTED for what no .npz file needs.
Result<std::vector<ZipMember>> readZipDirectory(std::string_view archive);

// The bytes of one member, from front to back. Never makes more of them than its size says.
class ZipReader {
public:
  explicit ZipReader(const ZipMember &member);
  ZipReader(ZipReader &&) noexcept;
  ~ZipReader();
  // Exactly `size` bytes; INVALID_ARGUMENT when the member has fewer or is no deflated data.
  Status read(void *data, size_t size);
  // After the last byte: the member ends here too, and its checksum is that of what was read.
  Status finish();

private:
  struct Stream;
  Status inflateInto(void *data, size_t size);

  ZipMember member_;
  std::unique_ptr<Stream> stream_; // of a deflated member
  uint64_t used_ = 0;              // bytes read so far
  uint32_t crc_ = 0;
};

} // namespace sluice::rt
