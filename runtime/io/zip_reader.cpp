// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads members of zip archives with zlib.
#include "runtime/io/zip.h"

#include <algorithm>
#include <cstring>

#define ZLIB_CONST
#include <zlib.h>

namespace sluice::rt {

struct ZipReader::Stream {
  z_stream z = {};
  bool ready = false;
  ~Stream() {
    if (ready)
      inflateEnd(&z);
  }
};

ZipReader::ZipReader(const ZipMember &member) : member_(member) {
  if (!member.deflated)
    return;
  stream_ = std::make_unique<Stream>();
  stream_->z.next_in = reinterpret_cast<const Bytef *>(member.stored.data());
  stream_->z.avail_in = static_cast<uInt>(member.stored.size());
  stream_->ready = inflateInit2(&stream_->z, -MAX_WBITS) == Z_OK; // no header of zlib's own
}

ZipReader::ZipReader(ZipReader &&) noexcept = default;
ZipReader::~ZipReader() = default;

static Status noMemory() { return resourceExhausted("not enough memory to inflate it"); }

// zlib counts what it makes in 32 bits.
static uInt piece(size_t size) { return static_cast<uInt>(std::min(size, size_t{1} << 30)); }

Status ZipReader::inflateInto(void *data, size_t size) {
  if (!stream_->ready)
    return noMemory();
  z_stream &z = stream_->z;
  auto *out = static_cast<Bytef *>(data);
  while (size > 0) {
    z.next_out = out;
    z.avail_out = piece(size);
    int code = inflate(&z, Z_NO_FLUSH);
    auto made = static_cast<size_t>(z.next_out - out);
    out += made;
    size -= made;
    if (size > 0 && (code != Z_OK || made == 0))
      return invalidArgument("its data is not deflated, or is cut short");
  }
  return {};
}

Status ZipReader::read(void *data, size_t size) {
  if (size > member_.size - used_)
    return invalidArgument(format("expected %zu bytes more but got %llu", size,
                                  static_cast<unsigned long long>(member_.size - used_)));
  if (size == 0)
    return {};
  if (member_.deflated)
    SLUICE_RETURN_IF_ERROR(inflateInto(data, size));
  else
    std::memcpy(data, member_.stored.data() + used_, size);
  used_ += size;
  const auto *bytes = static_cast<const Bytef *>(data);
  for (uInt part; size > 0; size -= part, bytes += part) {
    part = piece(size);
    crc_ = static_cast<uint32_t>(crc32(crc_, bytes, part));
  }
  return {};
}

Status ZipReader::finish() {
  if (used_ != member_.size)
    return invalidArgument(format("expected %llu bytes but got %llu",
                                  static_cast<unsigned long long>(used_),
                                  static_cast<unsigned long long>(member_.size)));
  if (member_.deflated) {
    if (!stream_->ready)
      return noMemory();
    Bytef more;
    stream_->z.next_out = &more;
    stream_->z.avail_out = 1;
    int code = inflate(&stream_->z, Z_NO_FLUSH);
    if (code != Z_STREAM_END || stream_->z.avail_out == 0 || stream_->z.avail_in != 0)
      return invalidArgument("its data is longer than the zip directory says");
  }
  if (crc_ != member_.crc)
    return invalidArgument(
        format("expected checksum %08x but got %08x: the file is damaged", member_.crc, crc_));
  return {};
}

} // namespace sluice::rt
