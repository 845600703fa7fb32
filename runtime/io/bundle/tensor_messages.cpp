// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields by their numbers.
#include "runtime/io/bundle/tensor_messages.h"

#include "runtime/memory/shape.h"

namespace sluice::rt {

namespace {

Status damaged(const std::string &what) {
  return {Code::kDataLoss, "expected " + what + " but its bytes are none"};
}

// Of a message of versions.
struct VersionField {
  static constexpr uint32_t kProducer = 1, kMinConsumer = 2;
};

Status parseVersion(std::string_view bytes, BundleHeader &header) {
  MessageReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == VersionField::kProducer)
      header.producer = static_cast<int32_t>(reader.number());
    else if (reader.field() == VersionField::kMinConsumer)
      header.minConsumer = static_cast<int32_t>(reader.number());
  }
  return reader.failed() ? damaged("a version") : okStatus();
}

Status parseDim(std::string_view bytes, std::vector<int64_t> &shape) {
  int64_t size = 0;
  MessageReader reader(bytes);
  while (reader.next())
    if (reader.field() == 1)
      size = static_cast<int64_t>(reader.number());
  if (reader.failed())
    return damaged("a dim");
  if (size < 0)
    return {Code::kDataLoss, size == -1
                                 ? "expected all dims but some are unknown"
                                 : "expected dims of at least 0 but got " + std::to_string(size)};
  if (shape.size() == static_cast<size_t>(Shape::kMaxRank))
    return {Code::kDataLoss, format("expected at most %d dims", Shape::kMaxRank)};
  shape.push_back(size);
  return okStatus();
}

Status parseExtent(std::string_view bytes, TensorSlice &slice) {
  int64_t start = 0, size = -1;
  MessageReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == 1)
      start = static_cast<int64_t>(reader.number());
    else if (reader.field() == 2)
      size = static_cast<int64_t>(reader.number());
  }
  if (reader.failed())
    return damaged("a range");
  slice.starts.push_back(start);
  slice.sizes.push_back(size);
  return okStatus();
}

} // namespace

Result<BundleHeader> parseBundleHeader(std::string_view bytes) {
  BundleHeader header;
  MessageReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == 1)
      header.shards = static_cast<int32_t>(reader.number());
    else if (reader.field() == 2)
      header.endianness = static_cast<int32_t>(reader.number());
    else if (reader.field() == 3)
      SLUICE_RETURN_IF_ERROR(parseVersion(reader.bytes(), header));
  }
  if (reader.failed())
    return damaged("a header");
  return header;
}

Result<std::vector<int64_t>> parseShape(std::string_view bytes) {
  std::vector<int64_t> shape;
  bool isUnknown = false;
  MessageReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == 2)
      SLUICE_RETURN_IF_ERROR(parseDim(reader.bytes(), shape));
    else if (reader.field() == 3)
      isUnknown = reader.number() != 0;
  }
  if (reader.failed())
    return damaged("a shape");
  if (isUnknown)
    return Status(Code::kDataLoss, "expected all dims but some are unknown");
  // A size that overflows belongs to no tensor.
  Result<int64_t> elements = Shape(std::span<const int64_t>(shape)).checkedElements();
  if (!elements.ok())
    return Status(Code::kDataLoss, elements.status().message());
  return shape;
}

Result<TensorSlice> parseSlice(std::string_view bytes) {
  TensorSlice slice;
  MessageReader reader(bytes);
  while (reader.next())
    if (reader.field() == 1)
      SLUICE_RETURN_IF_ERROR(parseExtent(reader.bytes(), slice));
  if (reader.failed())
    return damaged("a slice");
  return slice;
}

Result<BundleEntry> parseBundleEntry(std::string_view bytes) {
  BundleEntry entry;
  MessageReader reader(bytes);
  while (reader.next()) {
    switch (reader.field()) {
    case 1:
      entry.type = static_cast<int32_t>(reader.number());
      break;
    case 2: {
      SLUICE_ASSIGN_OR_RETURN(entry.shape, parseShape(reader.bytes()));
      break;
    }
    case 3:
      entry.shard = static_cast<int32_t>(reader.number());
      break;
    case 4:
      entry.offset = static_cast<int64_t>(reader.number());
      break;
    case 5:
      entry.size = static_cast<int64_t>(reader.number());
      break;
    case 6:
      entry.checksum = reader.fixed32();
      break;
    case 7: {
      SLUICE_ASSIGN_OR_RETURN(TensorSlice slice, parseSlice(reader.bytes()));
      entry.slices.push_back(std::move(slice));
      break;
    }
    default:
      break;
    }
  }
  if (reader.failed())
    return damaged("a row");
  return entry;
}

// ---- Writing

static uint64_t unsignedOf(int64_t number) { return static_cast<uint64_t>(number); }

std::string messageOf(const BundleHeader &header) {
  MessageWriter version, writer;
  version.number(VersionField::kProducer, unsignedOf(header.producer));
  version.number(VersionField::kMinConsumer, unsignedOf(header.minConsumer));
  writer.number(1, unsignedOf(header.shards));
  writer.number(2, unsignedOf(header.endianness));
  writer.bytes(3, version.text());
  return writer.take();
}

std::string messageOfShape(std::span<const int64_t> shape) {
  MessageWriter writer;
  for (int64_t size : shape) {
    MessageWriter dim;
    dim.number(1, unsignedOf(size));
    writer.bytes(2, dim.text());
  }
  return writer.take();
}

std::string messageOf(const TensorSlice &slice) {
  MessageWriter writer;
  for (size_t i = 0; i < slice.starts.size(); ++i) {
    MessageWriter extent;
    if (slice.sizes[i] != -1) {
      extent.number(1, unsignedOf(slice.starts[i]));
      extent.numberAlways(2, unsignedOf(slice.sizes[i]));
    }
    writer.bytes(1, extent.text());
  }
  return writer.take();
}

std::string messageOf(const BundleEntry &entry) {
  MessageWriter writer;
  writer.number(1, unsignedOf(entry.type));
  writer.bytes(2, messageOfShape(entry.shape));
  writer.number(3, unsignedOf(entry.shard));
  writer.number(4, unsignedOf(entry.offset));
  writer.number(5, unsignedOf(entry.size));
  if (entry.checksum != 0)
    writer.fixed32(6, entry.checksum);
  for (const TensorSlice &slice : entry.slices)
    writer.bytes(7, messageOf(slice));
  return writer.take();
}

} // namespace sluice::rt
