// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and strings that were compressed with deflate.
#pragma once

#include "runtime/io/disk.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::rt {

enum class Compression : uint8_t { kNone, kZlib, kGzip };

// "", "ZLIB" or "GZIP".
std::optional<Compression> compressionNamed(std::string_view name);

// What another source had before it was compressed. What comes behind the end of a stream of zlib
// does not count; several of gzip are one behind the other. A stream that was cut off ends where
// its bytes end. DATA_LOSS where it is damaged.
class Inflater final : public ByteSource {
public:
  Inflater(std::unique_ptr<ByteSource> input, Compression compression);
  ~Inflater() override;
  Result<size_t> read(char *data, size_t size) override;

private:
  struct Stream;
  // Whether there are bytes to go on with.
  Result<bool> refill();

  std::unique_ptr<ByteSource> input_;
  Compression compression_;
  std::unique_ptr<Stream> stream_;
};

// RESOURCE_EXHAUSTED if memory does not suffice, CANCELLED once the call is to end.
Result<std::string> decompress(std::string_view bytes, Compression compression);

} // namespace sluice::rt
