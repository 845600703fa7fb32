// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the index, and the elements that they describe.
#include "runtime/io/bundle/bundle.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/crc32c.h"
#include "runtime/base/held_memory.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/bundle/stored_strings.h"
#include "runtime/io/bundle/tensor_types.h"
#include "runtime/io/number_text.h"

#include <algorithm>

namespace sluice::rt {

static Status damaged(std::string message) { return {Code::kDataLoss, std::move(message)}; }

std::string shardPath(const std::string &prefix, int64_t number, int64_t shards) {
  return prefix + format(".data-%05lld-of-%05lld", static_cast<long long>(number),
                         static_cast<long long>(shards));
}

Result<std::unique_ptr<Bundle>> Bundle::open(const std::string &prefix,
                                             const CheckpointLimits &limits, Disk &disk) {
  Result<std::string> index = disk.read(prefix + ".index", limits.indexBytes.most);
  if (!index.ok() && index.status().code() == Code::kOutOfRange)
    return resourceExhausted(index.status().message() + limits.indexBytes.remedy);
  if (!index.ok())
    return index.status();
  return parse(prefix, std::move(*index), limits, disk);
}

Result<std::unique_ptr<Bundle>> Bundle::parse(const std::string &prefix, std::string index,
                                              const CheckpointLimits &limits, Disk &disk) {
  std::unique_ptr<Bundle> bundle(new Bundle(prefix, std::move(index), limits, disk));
  SLUICE_ASSIGN_OR_RETURN(bundle->table_, readSortedTable(bundle->index_, bundle->limits_));
  SLUICE_RETURN_IF_ERROR(bundle->readHeader());
  return bundle;
}

Status Bundle::readHeader() {
  constexpr int64_t kMostShards = 99999; // names have five digits
  constexpr int64_t kOurVersion = 1;
  if (table_.empty() || !table_.front().key.empty())
    return damaged("expected a header, under the empty key, but there is none");
  Result<BundleHeader> header = parseBundleHeader(table_.front().value);
  if (!header.ok())
    return damaged("header: " + header.status().message());
  header_ = *header;
  if (header_.shards < 1 || header_.shards > kMostShards)
    return damaged("header: expected 1 to " + std::to_string(kMostShards) + " data files but got " +
                   std::to_string(header_.shards));
  if (header_.endianness != BundleHeader::kLittleEndian)
    return unimplemented("header: the numbers of this checkpoint have their high bytes first, "
                         "which is not supported");
  if (header_.minConsumer > kOurVersion)
    return unimplemented("header: the checkpoint needs a reader of version " +
                         std::to_string(header_.minConsumer) + " but this one has version " +
                         std::to_string(kOurVersion));
  return okStatus();
}

std::vector<std::string_view> Bundle::names() const {
  std::vector<std::string_view> names;
  for (const TableEntry &entry : table_)
    if (!entry.key.empty() && entry.key.front() != '\0') // slices have keys that begin so
      names.push_back(entry.key);
  return names;
}

Result<BundleEntry> Bundle::row(std::string_view key) const {
  const TableEntry *found = findEntry(table_, key);
  if (!found || key.empty())
    return Status(Code::kNotFound, "the checkpoint has no such tensor");
  return parseBundleEntry(found->value);
}

Result<Checkpoint::Description> Bundle::describe(std::string_view name) {
  Result<BundleEntry> entry = row(name);
  if (!entry.ok())
    return atTensor(name, entry.status());
  return Description{entry->type, std::move(entry->shape)};
}

// ---- Finding

Result<FoundTensor> Bundle::find(std::string_view name, std::string_view part) {
  Result<FoundTensor> found = locate(name, part);
  return found.ok() ? std::move(found) : atTensor(name, found.status());
}

Result<FoundTensor> Bundle::locate(std::string_view name, std::string_view part) {
  SLUICE_ASSIGN_OR_RETURN(BundleEntry entry, row(name));
  SLUICE_ASSIGN_OR_RETURN(FoundTensor found,
                          askedTensor(name, {entry.type, entry.shape}, part, limits_));
  if (found.dtype == DType::kString && (!part.empty() || !entry.slices.empty()))
    return invalidArgument("parts of tensors of strings are not supported");
  if (entry.slices.empty())
    SLUICE_RETURN_IF_ERROR(addPiece(found, entry, Region::whole(entry.shape)));
  for (size_t i = 0; i < entry.slices.size(); ++i)
    SLUICE_RETURN_IF_ERROR(addSlice(found, entry, i));
  SLUICE_RETURN_IF_ERROR(checkPieces(found));
  // Memory only for what the files could fill, though many slices may lie at one place.
  uint64_t stored = 0;
  for (const auto &[number, file] : open_)
    stored += file->size();
  if (found.dtype != DType::kString && stored < found.bytes())
    return damaged("expected " + std::to_string(found.bytes()) +
                   " bytes but the data files have fewer");
  return found;
}

Status Bundle::addSlice(FoundTensor &found, const BundleEntry &entry, size_t number) {
  std::string what = "part " + std::to_string(number);
  std::optional<Region> region = Region::of(entry.slices[number], entry.shape);
  if (!region)
    return damaged(what + " does not lie within the tensor");
  if (region->intersection(found.region).elements() == 0)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(BundleEntry part, row(keyOfSlice(found.name, entry.slices[number])));
  if (part.shape != region->sizes || part.type != entry.type || !part.slices.empty())
    return damaged(what + " has another type or shape than expected");
  return addPiece(found, part, std::move(*region));
}

Status Bundle::checkPlace(const BundleEntry &entry) {
  if (entry.offset < 0 || entry.size < 0 || entry.shard < 0 || entry.shard >= header_.shards)
    return damaged("expected a place in one of " + std::to_string(header_.shards) +
                   " data files but got byte " + std::to_string(entry.offset) + ", size " +
                   std::to_string(entry.size) + " in file " + std::to_string(entry.shard));
  auto size = static_cast<uint64_t>(entry.size), offset = static_cast<uint64_t>(entry.offset);
  if (!limits_.tensorBytes.allows(size))
    return limits_.tensorBytes.excess("bytes", size);
  SLUICE_ASSIGN_OR_RETURN(FileParts * file, shard(entry.shard));
  if (offset > file->size() || size > file->size() - offset)
    return outOfRange("bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                      " lie beyond the end of " +
                      quoted(shardPath(prefix_, entry.shard, header_.shards), 4096, '\'') +
                      ", which has " + std::to_string(file->size()) + ": was it cut off?");
  return okStatus();
}

Status Bundle::addPiece(FoundTensor &found, const BundleEntry &entry, Region region) {
  SLUICE_RETURN_IF_ERROR(checkPlace(entry));
  auto size = static_cast<uint64_t>(entry.size);
  int64_t elements = region.elements();
  if (found.dtype == DType::kString) {
    SLUICE_RETURN_IF_ERROR(checkStoredStrings(size, elements));
  } else if (uint64_t wanted; __builtin_mul_overflow(static_cast<uint64_t>(elements),
                                                     sizeOf(found.dtype), &wanted) ||
                              wanted != size) {
    return damaged("expected " + std::to_string(wanted) + " bytes for " + std::to_string(elements) +
                   " elements of " + std::string(dtypeName(found.dtype)) + " but got " +
                   std::to_string(size));
  }
  found.pieces.push_back({std::move(region), static_cast<uint64_t>(entry.shard),
                          static_cast<uint64_t>(entry.offset), size, entry.checksum});
  return okStatus();
}

Result<FileParts *> Bundle::shard(int64_t number) {
  std::unique_ptr<FileParts> &file = open_[number];
  if (!file) {
    Result<std::unique_ptr<FileParts>> opened =
        disk_.openParts(shardPath(prefix_, number, header_.shards));
    if (!opened.ok())
      return Status(opened.status().code(),
                    opened.status().message() +
                        (opened.status().code() == Code::kNotFound
                             ? "; the index of the checkpoint says that it has this file"
                             : ""));
    file = std::move(*opened);
  }
  return file.get();
}

// ---- Reading

Status Bundle::read(const FoundTensor &found, void *target) {
  for (const FoundTensor::Piece &piece : found.pieces)
    SLUICE_RETURN_IF_ERROR(atTensor(found.name, readPiece(found, piece, target)));
  return okStatus();
}

Status Bundle::compare(const FoundTensor::Piece &piece, uint32_t checksum) const {
  if (maskedChecksum(checksum) == piece.checksum)
    return okStatus();
  auto file = static_cast<int64_t>(piece.file);
  return damaged("wrong checksum of its elements: " +
                 quoted(shardPath(prefix_, file, header_.shards), 4096, '\'') +
                 " was changed after it was written, or is of another checkpoint");
}

// The checksum of so many bytes is taken while they are in the cache.
static Result<uint32_t> readAndSum(FileParts &file, uint64_t offset, char *data, uint64_t size) {
  constexpr uint64_t kAtOnce = uint64_t{1} << 20;
  uint32_t checksum = 0;
  for (uint64_t done = 0; done < size;) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    uint64_t part = std::min(size - done, kAtOnce);
    SLUICE_RETURN_IF_ERROR(file.read(offset + done, data + done, part));
    checksum = crc32c({data + done, part}, checksum);
    done += part;
  }
  return checksum;
}

static Result<std::string> bytesInMemory(uint64_t size) {
  if (!memoryAllows(size))
    return resourceExhausted("no memory for its " + std::to_string(size) + " bytes");
  return std::string(size, '\0');
}

Status Bundle::readStrings(const FoundTensor::Piece &piece, std::span<std::string> strings) {
  SLUICE_ASSIGN_OR_RETURN(FileParts * file, shard(static_cast<int64_t>(piece.file)));
  SLUICE_ASSIGN_OR_RETURN(std::string bytes, bytesInMemory(piece.size));
  SLUICE_ASSIGN_OR_RETURN(uint32_t ofBytes,
                          readAndSum(*file, piece.offset, bytes.data(), piece.size));
  (void)ofBytes; // that of strings is another
  if (!memoryAllows(piece.size))
    return resourceExhausted("no memory for its " + std::to_string(piece.size) + " bytes");
  SLUICE_ASSIGN_OR_RETURN(uint32_t checksum, decodeStoredStrings(bytes, strings));
  return compare(piece, checksum);
}

Status Bundle::readPiece(const FoundTensor &found, const FoundTensor::Piece &piece, void *target) {
  if (found.dtype == DType::kString)
    return readStrings(piece,
                       {static_cast<std::string *>(target), static_cast<size_t>(found.elements)});
  SLUICE_ASSIGN_OR_RETURN(FileParts * file, shard(static_cast<int64_t>(piece.file)));
  bool isAll = piece.region == found.region;
  std::string apart;
  if (!isAll) {
    SLUICE_ASSIGN_OR_RETURN(apart, bytesInMemory(piece.size));
  }
  char *bytes = isAll ? static_cast<char *>(target) : apart.data();
  SLUICE_ASSIGN_OR_RETURN(uint32_t checksum, readAndSum(*file, piece.offset, bytes, piece.size));
  SLUICE_RETURN_IF_ERROR(compare(piece, checksum));
  if (found.dtype == DType::kBool &&
      std::any_of(bytes, bytes + piece.size, [](char c) { return c != 0 && c != 1; }))
    return damaged("expected 0 or 1 as bool");
  if (!isAll)
    copyShared(piece.region, bytes, found.region, target, found.dtype);
  return okStatus();
}

} // namespace sluice::rt
