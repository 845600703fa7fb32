// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings as zlib compresses them.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <zlib.h>

namespace sluice::rt {

inline std::string compressed(std::string text, bool gzip) {
  z_stream z = {};
  EXPECT_EQ(
      deflateInit2(&z, 9, Z_DEFLATED, gzip ? MAX_WBITS + 16 : MAX_WBITS, 9, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef *>(text.data());
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef *>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - z.avail_out);
  deflateEnd(&z);
  return out;
}

} // namespace sluice::rt
