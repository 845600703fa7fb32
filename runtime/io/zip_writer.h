// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zip archives in memory, without compression, as numpy.savez writes them.
#pragma once

#include "runtime/base/byte_stream.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::rt {

class ZipWriter {
public:
  // UNIMPLEMENTED where the archive would need the form for 4 GiB and more. Names must differ.
  Status add(std::string_view name, std::string_view content);
  // The whole archive; nothing can be added afterwards.
  std::string finish() &&;

private:
  ByteWriter archive_, directory_;
  uint16_t members_ = 0;
};

} // namespace sluice::rt
