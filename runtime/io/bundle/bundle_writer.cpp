// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements, rows, index.
#include "runtime/io/bundle/bundle_writer.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/crc32c.h"
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/bundle/sorted_table_writer.h"
#include "runtime/io/bundle/stored_strings.h"
#include "runtime/io/bundle/tensor_types.h"
#include "runtime/io/number_text.h"

#include <algorithm>

namespace sluice::rt {

static std::string shown(std::string_view name) { return quoted(name, 200, '\''); }

Result<std::unique_ptr<BundleWriter>> BundleWriter::begin(const std::string &prefix, Disk &disk) {
  // Before anything is written, whether the index can be.
  SLUICE_RETURN_IF_ERROR(disk.checkWritable(prefix + ".index"));
  std::unique_ptr<NewFiles> files = disk.writeSeveral();
  SLUICE_RETURN_IF_ERROR(files->begin(shardPath(prefix, 0, 1)));
  return std::unique_ptr<BundleWriter>(new BundleWriter(prefix, std::move(files)));
}

// Takes the checksum of each part of the bytes while it is in the cache.
Status BundleWriter::write(std::string_view bytes, uint32_t &checksum) {
  constexpr size_t kAtOnce = size_t{1} << 20;
  while (!bytes.empty()) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    std::string_view part = bytes.substr(0, kAtOnce);
    checksum = crc32c(part, checksum);
    SLUICE_RETURN_IF_ERROR(files_->write(part));
    written_ += part.size();
    bytes.remove_prefix(part.size());
  }
  return okStatus();
}

// Small strings go to the disk together.
template <typename Write> static Status writeTexts(const Tensor &tensor, const Write &write) {
  constexpr size_t kAtOnce = size_t{1} << 16;
  std::string some;
  for (const std::string &text : tensor.values<std::string>()) {
    if (some.size() + text.size() > kAtOnce) {
      SLUICE_RETURN_IF_ERROR(write(some));
      some.clear();
    }
    if (text.size() > kAtOnce)
      SLUICE_RETURN_IF_ERROR(write(text));
    else
      some += text;
  }
  return write(some);
}

Result<BundleEntry> BundleWriter::writeElements(const Tensor &tensor) {
  BundleEntry entry;
  entry.type = numberOfType(tensor.dtype());
  if (entry.type == 0)
    return unimplemented("checkpoints cannot hold " + std::string(dtypeName(tensor.dtype())) +
                         " tensors");
  entry.shape.assign(tensor.shape().dims().begin(), tensor.shape().dims().end());
  uint64_t begin = written_;
  uint32_t checksum = 0;
  if (tensor.dtype() == DType::kString) {
    StoredStringsHead head = encodeLengths(tensor.values<std::string>());
    uint32_t ofHead = 0;
    SLUICE_RETURN_IF_ERROR(write(head.bytes, ofHead));
    checksum = head.checksum;
    SLUICE_RETURN_IF_ERROR(
        writeTexts(tensor, [&](std::string_view bytes) { return write(bytes, checksum); }));
  } else {
    SLUICE_RETURN_IF_ERROR(write({tensor.data<char>(), tensor.bytes()}, checksum));
  }
  entry.offset = static_cast<int64_t>(begin);
  entry.size = static_cast<int64_t>(written_ - begin);
  entry.checksum = maskedChecksum(checksum);
  return entry;
}

Status BundleWriter::add(std::string_view name, const Tensor &tensor) {
  if (name.empty() || name.front() == '\0')
    return invalidArgument("expected the name of a tensor but got " + shown(name));
  if (rows_.contains(name))
    return invalidArgument("the name " + shown(name) + " is there twice");
  Result<BundleEntry> entry = writeElements(tensor);
  if (!entry.ok())
    return atTensor(name, entry.status());
  rows_.emplace(name, std::move(*entry));
  return okStatus();
}

Status BundleWriter::addPart(std::string_view name, const PartOfTensor &part,
                             const Tensor &tensor) {
  if (name.empty() || name.front() == '\0')
    return invalidArgument("expected the name of a tensor but got " + shown(name));
  if (!std::ranges::equal(part.region.sizes, tensor.shape().dims()))
    return invalidArgument("Slice in shape_and_slice specification does not match the shape of the "
                           "tensor to save: tensor " +
                           shown(name) + " has the shape " + tensor.shape().toString());
  std::string key = keyOfSlice(name, part.slice);
  auto [row, isNew] = rows_.try_emplace(std::string(name));
  BundleEntry &whole = row->second;
  if (isNew) {
    whole.type = numberOfType(tensor.dtype());
    whole.shape = part.shape;
  } else if (whole.slices.empty() || rows_.contains(key)) {
    return invalidArgument("the name " + shown(name) + " is there twice, with the same slice");
  } else if (whole.type != numberOfType(tensor.dtype()) || whole.shape != part.shape) {
    return invalidArgument("the slices of tensor " + shown(name) +
                           " differ in their types or in the shape of the whole");
  }
  whole.slices.push_back(part.slice);
  Result<BundleEntry> entry = writeElements(tensor);
  if (!entry.ok())
    return atTensor(name, entry.status());
  rows_.emplace(std::move(key), std::move(*entry));
  return okStatus();
}

Status BundleWriter::commit() {
  std::map<std::string, std::string, std::less<>> rows;
  for (const auto &[key, entry] : rows_)
    rows.emplace_hint(rows.end(), key, messageOf(entry));
  SLUICE_RETURN_IF_ERROR(writeIndex(*files_, prefix_, 1, rows));
  return files_->commit();
}

Status writeIndex(NewFiles &files, const std::string &prefix, int64_t shards,
                  const std::map<std::string, std::string, std::less<>> &rows) {
  SLUICE_RETURN_IF_ERROR(files.begin(prefix + ".index"));
  SortedTableWriter table([&](std::string_view bytes) { return files.write(bytes); });
  BundleHeader header;
  header.shards = shards;
  header.producer = 1;
  SLUICE_RETURN_IF_ERROR(table.add("", messageOf(header)));
  for (const auto &[key, row] : rows)
    SLUICE_RETURN_IF_ERROR(table.add(key, row));
  return table.finish();
}

} // namespace sluice::rt
