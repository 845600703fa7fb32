// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// zlib over byte sources.
#include "runtime/io/records/inflater.h"

#include "runtime/base/cancellation.h"
#include "runtime/memory/text_room.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace sluice::rt {

namespace {

constexpr size_t kInputAtOnce = size_t{1} << 18;
constexpr size_t kOutputAtOnce = size_t{1} << 18;
constexpr int kWithHeaderOfGzip = 16;

class ViewSource final : public ByteSource {
public:
  explicit ViewSource(std::string_view bytes) : rest_(bytes) {}
  Result<size_t> read(char *data, size_t size) override {
    size_t n = std::min(size, rest_.size());
    std::memcpy(data, rest_.data(), n);
    rest_.remove_prefix(n);
    return n;
  }

private:
  std::string_view rest_;
};

} // namespace

std::optional<Compression> compressionNamed(std::string_view name) {
  if (name.empty())
    return Compression::kNone;
  if (name == "ZLIB")
    return Compression::kZlib;
  if (name == "GZIP")
    return Compression::kGzip;
  return std::nullopt;
}

struct Inflater::Stream {
  z_stream z = {};
  bool isReady, atEnd = false;
  std::string input = std::string(kInputAtOnce, '\0');

  explicit Stream(int windowBits) : isReady(inflateInit2(&z, windowBits) == Z_OK) {}
  ~Stream() {
    if (isReady)
      inflateEnd(&z);
  }
};

Inflater::Inflater(std::unique_ptr<ByteSource> input, Compression compression)
    : input_(std::move(input)), compression_(compression),
      stream_(std::make_unique<Stream>(
          compression == Compression::kGzip ? MAX_WBITS + kWithHeaderOfGzip : MAX_WBITS)) {}
Inflater::~Inflater() = default;

Result<bool> Inflater::refill() {
  z_stream &z = stream_->z;
  if (z.avail_in > 0)
    return true;
  SLUICE_ASSIGN_OR_RETURN(size_t n, input_->read(stream_->input.data(), stream_->input.size()));
  z.next_in = reinterpret_cast<Bytef *>(stream_->input.data());
  z.avail_in = static_cast<uInt>(n);
  return n > 0;
}

Result<size_t> Inflater::read(char *data, size_t size) {
  if (!stream_->isReady)
    return resourceExhausted("not enough memory to inflate it");
  z_stream &z = stream_->z;
  z.next_out = reinterpret_cast<Bytef *>(data);
  z.avail_out = static_cast<uInt>(std::min(size, size_t{1} << 30));
  const uInt wanted = z.avail_out;
  while (z.avail_out == wanted && wanted > 0) {
    if (stream_->atEnd && compression_ == Compression::kZlib)
      return size_t{0};
    SLUICE_ASSIGN_OR_RETURN(bool hasInput, refill());
    // What is left in the stream itself may still come.
    if (!hasInput && stream_->atEnd)
      return size_t{0};
    if (std::exchange(stream_->atEnd, false))
      inflateReset(&z);
    int code = inflate(&z, Z_SYNC_FLUSH);
    stream_->atEnd = code == Z_STREAM_END;
    if (code == Z_BUF_ERROR && !hasInput)
      return size_t{0};
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return Status(Code::kDataLoss, std::string("its bytes cannot be inflated: ") +
                                         (z.msg ? z.msg : "they are damaged"));
  }
  return static_cast<size_t>(wanted - z.avail_out);
}

Result<std::string> decompress(std::string_view bytes, Compression compression) {
  if (compression == Compression::kNone)
    return std::string(bytes);
  Inflater inflater(std::make_unique<ViewSource>(bytes), compression);
  std::string out;
  for (size_t used = 0;;) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    if (used == out.size()) {
      size_t more = std::max(kOutputAtOnce, used); // doubles, so that copies do not count
      if (!textHasRoom(used + more))               // beside what there is, which moves
        return resourceExhausted("not enough memory for a string that is inflated");
      out.resize(used + more);
    }
    SLUICE_ASSIGN_OR_RETURN(size_t n, inflater.read(out.data() + used, out.size() - used));
    used += n;
    if (n == 0) {
      out.resize(used);
      return out;
    }
  }
}

} // namespace sluice::rt
