// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over the blocks of a table: footer, block of blocks, blocks of entries.
#include "runtime/io/bundle/sorted_table.h"

#include "runtime/base/crc32c.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/bundle/message.h"
#include "runtime/io/number_text.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

namespace {

constexpr uint64_t kMagic = TableFormat::kMagic;
constexpr size_t kFooterBytes = TableFormat::kFooterBytes;
constexpr size_t kTrailerBytes = TableFormat::kTrailerBytes;

template <typename Number> Number numberAt(const char *bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}
uint32_t read32le(const char *bytes) { return numberAt<uint32_t>(bytes); }
uint64_t read64le(const char *bytes) { return numberAt<uint64_t>(bytes); }

std::string quotedKey(std::string_view key) { return quoted(key, 200, '\''); }

struct Extent {
  uint64_t offset = 0, size = 0;
};

class Reader {
public:
  Reader(std::string_view bytes, const CheckpointLimits &limits) : bytes_(bytes), limits_(limits) {}

  Result<SortedTable> run() {
    Extent index;
    std::string_view blocks;
    if (!readFooter(index) || !checkedBlock(index, "index block", blocks))
      return std::move(problem_);
    bool good = eachEntry(blocks, index.offset, [&](std::string_view last, std::string_view value) {
      return readBlock(last, value);
    });
    if (!good)
      return std::move(problem_);
    return std::move(table_);
  }

private:
  bool fail(uint64_t at, const std::string &message) {
    return fail(at, Status(Code::kDataLoss, message));
  }
  bool fail(uint64_t at, const Status &status) {
    if (problem_.ok())
      problem_ = Status(status.code(), "byte " + std::to_string(at) + ": " + status.message());
    return false;
  }

  static bool takeExtent(std::string_view &bytes, Extent &extent) {
    return takeVarint(bytes, extent.offset) && takeVarint(bytes, extent.size);
  }

  bool readFooter(Extent &index) {
    if (bytes_.size() < kFooterBytes)
      return fail(0, "expected a footer of 48 bytes but the file has " +
                         std::to_string(bytes_.size()));
    uint64_t start = bytes_.size() - kFooterBytes;
    std::string_view footer = bytes_.substr(start);
    if (read64le(footer.data() + kFooterBytes - 8) != kMagic)
      return fail(bytes_.size() - 8, "the file is no index of a checkpoint, or it was cut off: its "
                                     "last bytes are not those of a table");
    Extent metaIndex;
    footer = footer.substr(0, kFooterBytes - 8);
    return (takeExtent(footer, metaIndex) && takeExtent(footer, index)) ||
           fail(start, "the footer does not say where the index block is");
  }

  // What is in a block, without the checksum of it and the array of restarts, which is checked.
  bool checkedBlock(Extent extent, const char *what, std::string_view &content) {
    uint64_t end = bytes_.size() - kFooterBytes;
    if (extent.offset > end || extent.size > end - extent.offset ||
        end - extent.offset - extent.size < kTrailerBytes)
      return fail(extent.offset, std::string(what) + " of " + std::to_string(extent.size) +
                                     " bytes goes beyond the end of the file");
    std::string_view block = bytes_.substr(extent.offset, extent.size + 1);
    const char *trailer = bytes_.data() + extent.offset + extent.size;
    if (read32le(trailer + 1) != maskedChecksum(crc32c(block)))
      return fail(extent.offset, std::string("wrong checksum of the ") + what +
                                     ": the file was changed after it was written");
    if (*trailer != 0)
      return fail(extent.offset,
                  unimplemented(std::string(what) +
                                (*trailer == 1 ? " is compressed (snappy)" : " is compressed") +
                                ", which TensorFlow does not do and is not supported"));
    content = block.substr(0, extent.size);
    if (content.size() < 4)
      return fail(extent.offset, std::string(what) + " has no restarts");
    uint64_t restarts = read32le(content.data() + content.size() - 4);
    if (restarts == 0 || restarts > (content.size() - 4) / 4)
      return fail(extent.offset, std::string(what) + " says to have " + std::to_string(restarts) +
                                     " restarts, which is too much or too little");
    restarts_ = content.substr(content.size() - 4 - 4 * restarts, 4 * restarts);
    content.remove_suffix(4 + 4 * restarts);
    return true;
  }

  // Restarts are for those who search. Here they only must be where entries begin.
  bool checkRestart(std::string_view &restarts, uint64_t entry, uint64_t shared, uint64_t at) {
    if (restarts.empty() || read32le(restarts.data()) > entry)
      return true;
    if (read32le(restarts.data()) < entry || shared != 0)
      return fail(at, "a restart is not at the beginning of an entry with its whole key");
    restarts.remove_prefix(4);
    return true;
  }

  // Calls `each` with key and value until it says no. `start` is where the block is in the file.
  template <typename Each> bool eachEntry(std::string_view content, uint64_t start, Each each) {
    std::string key;
    std::string_view rest = content, restarts = restarts_;
    while (!rest.empty()) {
      uint64_t entry = content.size() - rest.size(), shared, own, size;
      if (!takeVarint(rest, shared, 32) || !takeVarint(rest, own, 32) ||
          !takeVarint(rest, size, 32) || own > rest.size() || size > rest.size() - own)
        return fail(start + entry, "an entry goes beyond the end of its block");
      if (shared > key.size())
        return fail(start + entry, "an entry shares more of the key before it than that has");
      if (!checkRestart(restarts, entry, shared, start + entry) ||
          !checkSizes(shared, own, start + entry))
        return false;
      key.resize(shared);
      key.append(rest.substr(0, own));
      std::string_view value = rest.substr(own, size);
      rest.remove_prefix(own + size);
      at_ = start + entry;
      if (!each(key, value))
        return false;
    }
    bool isFirst = restarts.size() == 4 && read32le(restarts.data()) == 0; // of no entries at all
    return restarts.empty() || (content.empty() && isFirst) ||
           fail(start, "a restart is behind the last entry");
  }

  // Keys that share their beginnings get longer in memory than they are in the file.
  bool checkSizes(uint64_t shared, uint64_t own, uint64_t at) {
    constexpr uint64_t kSliceBytes = 4096; // of a part of a tensor, behind the name
    uint64_t most = limits_.nameBytes.most;
    if (shared + own > most && shared + own - most > kSliceBytes)
      return fail(at, limits_.nameBytes.excess("bytes in a name", shared + own));
    grown_ += shared;
    if (!limits_.grownBytes.allows(grown_))
      return fail(at, limits_.grownBytes.excess("bytes of shared beginnings of names", grown_));
    return true;
  }

  bool readBlock(std::string_view last, std::string_view value) {
    uint64_t at = at_;
    Extent extent;
    if (!takeExtent(value, extent))
      return fail(at, "expected where a block is");
    // So a few bytes cannot ask for the same block again and again.
    if (extent.offset < after_)
      return fail(at, "expected blocks one behind the other, from byte " + std::to_string(after_) +
                          ", but got one at byte " + std::to_string(extent.offset));
    std::string_view outer = restarts_, content;
    if (!checkedBlock(extent, "block", content))
      return false;
    after_ = extent.offset + extent.size + kTrailerBytes;
    bool good = eachEntry(content, extent.offset,
                          [&](const std::string &key, std::string_view v) { return add(key, v); });
    restarts_ = outer;
    if (good && !table_.empty() && table_.back().key > last)
      return fail(at, "a block has keys beyond the last one that the index block says");
    return good;
  }

  bool add(const std::string &key, std::string_view value) {
    if (!table_.empty() && key <= table_.back().key)
      return fail(at_, key == table_.back().key
                           ? "the key " + quotedKey(key) + " is there twice"
                           : "the keys are not in order: " + quotedKey(key) + " comes after " +
                                 quotedKey(table_.back().key));
    if (!limits_.entries.allows(table_.size() + 1))
      return fail(at_, limits_.entries.excess("entries", table_.size() + 1));
    table_.push_back({key, value});
    return true;
  }

  std::string_view bytes_;
  const CheckpointLimits &limits_;
  std::string_view restarts_; // of the block that was checked last
  uint64_t at_ = 0;           // of the entry that is being read
  uint64_t after_ = 0;        // behind the last block
  uint64_t grown_ = 0;
  SortedTable table_;
  Status problem_;
};

} // namespace

Result<SortedTable> readSortedTable(std::string_view bytes, const CheckpointLimits &limits) {
  return Reader(bytes, limits).run();
}

const TableEntry *findEntry(const SortedTable &table, std::string_view key) {
  auto found = std::lower_bound(table.begin(), table.end(), key,
                                [](const TableEntry &e, std::string_view k) { return e.key < k; });
  return found != table.end() && found->key == key ? &*found : nullptr;
}

} // namespace sluice::rt
