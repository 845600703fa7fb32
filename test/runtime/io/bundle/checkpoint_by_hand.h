// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes checkpoints byte by byte, also such as no program would write.
#pragma once

#include "runtime/base/crc32c.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/bundle/message.h"
#include "runtime/io/bundle/tensor_messages.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt::by_hand {

template <typename Number> void addFixed(std::string &out, Number number) {
  out.append(reinterpret_cast<const char *>(&number), sizeof number);
}

// A sorted table, in one block or several.
class TableByHand {
public:
  size_t entriesInBlock = 1000;
  size_t entriesToRestart = 2;
  bool indexIsGood = true; // else its keys come before those of their blocks

  void add(const std::string &key, const std::string &value) {
    if (count_ == entriesInBlock)
      endBlock();
    bool restarts = count_ % entriesToRestart == 0;
    if (restarts)
      restarts_.push_back(static_cast<uint32_t>(block_.size()));
    size_t shared = 0;
    while (!restarts && shared < std::min(last_.size(), key.size()) && last_[shared] == key[shared])
      ++shared;
    addEntry(shared, key.substr(shared), value);
    last_ = key;
  }

  // An entry as it is told.
  void addEntry(uint64_t shared, const std::string &rest, const std::string &value) {
    if (restarts_.empty())
      restarts_.push_back(0);
    appendVarint(block_, shared);
    appendVarint(block_, rest.size());
    appendVarint(block_, value.size());
    block_ += rest + value;
    ++count_;
  }

  void endBlock() {
    std::string handle = writeBlock(std::exchange(block_, ""), restarts_);
    index_.emplace_back(indexIsGood ? last_ : "", handle);
    restarts_.clear();
    count_ = 0;
  }
  void addHandle(uint64_t offset, uint64_t size) {
    std::string handle;
    appendVarint(handle, offset);
    appendVarint(handle, size);
    addHandle(last_, handle);
  }
  // Of a block with keys up to this one.
  void addHandle(const std::string &last, const std::string &handle) {
    index_.emplace_back(last, handle);
  }

  std::string finish() {
    if (count_ > 0 || index_.empty())
      endBlock();
    std::string meta = writeBlock("", {0}), footer = meta;
    TableByHand inner;
    inner.entriesToRestart = 1;
    for (const auto &[key, handle] : index_)
      inner.add(key, handle);
    footer += writeBlock(inner.block_, inner.restarts_);
    footer.resize(40);
    addFixed(footer, uint64_t{0xdb4775248b80fb57});
    return file_ + footer;
  }

  // The bytes of a block with its restarts; where it is.
  std::string writeBlock(std::string content, const std::vector<uint32_t> &restarts,
                         char compression = 0) {
    for (uint32_t restart : restarts)
      addFixed(content, restart);
    addFixed(content, static_cast<uint32_t>(restarts.size()));
    std::string handle;
    appendVarint(handle, file_.size());
    appendVarint(handle, content.size());
    content += compression;
    uint32_t checksum = maskedChecksum(crc32c(content));
    file_ += content;
    addFixed(file_, checksum);
    return handle;
  }

private:
  std::string file_, block_, last_;
  std::vector<uint32_t> restarts_;
  std::vector<std::pair<std::string, std::string>> index_;
  size_t count_ = 0;
};

// A checkpoint of one data file.
class BundleByHand {
public:
  BundleHeader header;
  std::map<std::string, BundleEntry> entries; // to be damaged at will
  std::string data;

  BundleByHand() {
    header.shards = 1;
    header.producer = 1;
  }

  BundleEntry &add(const std::string &key, int64_t type, const std::vector<int64_t> &shape,
                   const std::string &bytes) {
    BundleEntry &entry = entries[key];
    entry.type = type;
    entry.shape = shape;
    entry.offset = static_cast<int64_t>(data.size());
    entry.size = static_cast<int64_t>(bytes.size());
    entry.checksum = maskedChecksum(crc32c(bytes));
    data += bytes;
    return entry;
  }

  static constexpr int64_t kFloat = 1, kString = 7, kBool = 10, kVariant = 21;
  BundleEntry &addFloats(const std::string &key, const std::vector<int64_t> &shape,
                         const std::vector<float> &values) {
    return add(key, kFloat, shape,
               {reinterpret_cast<const char *>(values.data()), 4 * values.size()});
  }

  BundleEntry &addStrings(const std::string &key, const std::vector<int64_t> &shape,
                          const std::vector<std::string> &values) {
    std::string lengths, fixed, all;
    for (const std::string &value : values) {
      appendVarint(lengths, value.size());
      addFixed(fixed, static_cast<uint32_t>(value.size()));
      all += value;
    }
    uint32_t checksum = crc32c(fixed);
    std::string masked;
    addFixed(masked, maskedChecksum(checksum));
    BundleEntry &entry = add(key, kString, shape, lengths + masked + all);
    entry.checksum = maskedChecksum(crc32c(masked + all, checksum));
    return entry;
  }

  std::string index() const {
    TableByHand table;
    table.add("", messageOf(header));
    for (const auto &[key, entry] : entries)
      table.add(key, messageOf(entry));
    return table.finish();
  }
};

} // namespace sluice::rt::by_hand
