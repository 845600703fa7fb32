// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, a block of blocks, a footer.
#include "runtime/io/bundle/sorted_table_writer.h"

#include "runtime/base/byte_stream.h"
#include "runtime/base/crc32c.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/bundle/message.h"
#include "runtime/io/bundle/sorted_table.h"

#include <algorithm>

namespace sluice::rt {

void SortedTableWriter::Block::add(std::string_view key, std::string_view value) {
  size_t shared = 0;
  if (entries++ % entriesToRestart == 0)
    restarts.push_back(static_cast<uint32_t>(bytes.size()));
  else
    shared = static_cast<size_t>(
        std::mismatch(key.begin(), key.end(), last.begin(), last.end()).first - key.begin());
  appendVarint(bytes, shared);
  appendVarint(bytes, key.size() - shared);
  appendVarint(bytes, value.size());
  bytes += key.substr(shared);
  bytes += value;
  last = key;
}

Status SortedTableWriter::add(std::string_view key, std::string_view value) {
  constexpr size_t kBlockBytes = size_t{1} << 18;
  constexpr size_t kMostBytes = UINT32_MAX / 2; // sizes and restarts have 32 bits
  if (key.size() + value.size() > kMostBytes)
    return unimplemented("a table cannot hold an entry of " +
                         std::to_string(key.size() + value.size()) + " bytes, more than " +
                         std::to_string(kMostBytes));
  if (block_.bytes.size() + key.size() + value.size() > kMostBytes)
    SLUICE_RETURN_IF_ERROR(endBlock());
  block_.add(key, value);
  return block_.bytes.size() < kBlockBytes ? okStatus() : endBlock();
}

Status SortedTableWriter::write(Block &block, std::string &place) {
  if (block.restarts.empty())
    block.restarts.push_back(0);
  ByteWriter end;
  for (uint32_t restart : block.restarts)
    end.number(restart);
  end.number(static_cast<uint32_t>(block.restarts.size()));
  uint64_t size = block.bytes.size() + end.size();
  appendVarint(place, written_);
  appendVarint(place, size);
  end.number(uint8_t{0}); // not compressed
  uint32_t checksum = crc32c(end.bytes(), crc32c(block.bytes));
  end.number(maskedChecksum(checksum));
  SLUICE_RETURN_IF_ERROR(sink_(block.bytes));
  SLUICE_RETURN_IF_ERROR(sink_(end.bytes()));
  written_ += size + TableFormat::kTrailerBytes;
  return okStatus();
}

Status SortedTableWriter::endBlock() {
  if (block_.entries == 0)
    return okStatus();
  std::string place;
  SLUICE_RETURN_IF_ERROR(write(block_, place));
  blocks_.add(block_.last, place);
  block_ = {block_.entriesToRestart, {}, {}, {}};
  return okStatus();
}

Status SortedTableWriter::finish() {
  SLUICE_RETURN_IF_ERROR(endBlock());
  Block others{1, {}, {}, {}}; // what a table may have besides, of which this one has nothing
  std::string footer;
  SLUICE_RETURN_IF_ERROR(write(others, footer));
  SLUICE_RETURN_IF_ERROR(write(blocks_, footer));
  footer.resize(TableFormat::kFooterBytes - sizeof TableFormat::kMagic);
  ByteWriter magic;
  magic.number(TableFormat::kMagic);
  return sink_(footer + magic.bytes());
}

} // namespace sluice::rt
