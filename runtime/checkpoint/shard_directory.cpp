// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directories as bytes.
#include "runtime/checkpoint/shard_directory.h"

#include "runtime/base/byte_stream.h"

namespace sluice::rt {

namespace {

Status damaged(std::string_view what) {
  return {Code::kDataLoss, "the directory of a shard is damaged: " + std::string(what)};
}

void encode(const StoredTensor &tensor, ByteWriter &out) {
  out.text<uint32_t>(tensor.name);
  out.number(static_cast<uint8_t>(tensor.dtype));
  out.number(static_cast<uint8_t>(tensor.shape.rank()));
  for (int64_t dim : tensor.shape.dims())
    out.number(dim);
  out.number(tensor.offset);
  out.number(tensor.bytes);
}

Result<StoredTensor> decodeTensor(ByteReader &in) {
  StoredTensor tensor;
  tensor.name = in.text<uint32_t>();
  auto dtype = in.number<uint8_t>();
  auto rank = in.number<uint8_t>();
  if (in.failed() || dtype >= static_cast<uint8_t>(DType::kHandle) || rank > Shape::kMaxRank)
    return damaged("it has a tensor of an unknown type");
  tensor.dtype = static_cast<DType>(dtype);
  for (; rank > 0; --rank) {
    auto dim = in.number<int64_t>();
    if (dim < 0)
      return damaged("tensor '" + tensor.name + "' has a negative dim");
    tensor.shape.append(dim);
  }
  tensor.offset = in.number<uint64_t>();
  tensor.bytes = in.number<uint64_t>();
  Result<int64_t> elements = tensor.shape.checkedElements();
  uint64_t count = elements.ok() ? static_cast<uint64_t>(*elements) : 0;
  // The least that strings take is the length of each.
  uint64_t each = tensor.dtype == DType::kString ? sizeof(uint64_t) : sizeOf(tensor.dtype);
  bool fits = elements.ok() && tensor.bytes / each >= count &&
              (tensor.dtype == DType::kString || tensor.bytes == count * each);
  return fits ? Result<StoredTensor>(std::move(tensor))
              : damaged("tensor '" + tensor.name + "' has not the bytes that its shape needs");
}

Result<StoredObject> decodeObject(ByteReader &in) {
  StoredObject object;
  object.kind = in.text<uint32_t>();
  object.key = in.text<uint32_t>();
  for (auto count = in.number<uint32_t>(); count > 0 && !in.failed(); --count) {
    SLUICE_ASSIGN_OR_RETURN(StoredTensor tensor, decodeTensor(in));
    object.tensors.push_back(std::move(tensor));
  }
  return object;
}

// One behind the other, in the order of the directory.
Status checkPlaces(const ShardDirectory &directory) {
  uint64_t end = 0;
  for (const StoredObject &object : directory.objects)
    for (const StoredTensor &tensor : object.tensors) {
      if (tensor.offset < end || tensor.offset % tensor.alignment() != 0 ||
          tensor.offset > directory.dataBytes || tensor.bytes > directory.dataBytes - tensor.offset)
        return damaged("tensor '" + tensor.name + "' of " + object.kind + " '" + object.key +
                       "' is not in a place of its own");
      end = tensor.offset + tensor.bytes;
    }
  return {};
}

} // namespace

std::string encodeShardDirectory(const ShardDirectory &directory) {
  ByteWriter out;
  out.number(directory.step);
  out.number(directory.rank);
  out.number(directory.dataBytes);
  out.number(static_cast<uint32_t>(directory.objects.size()));
  for (const StoredObject &object : directory.objects) {
    out.text<uint32_t>(object.kind);
    out.text<uint32_t>(object.key);
    out.number(static_cast<uint32_t>(object.tensors.size()));
    for (const StoredTensor &tensor : object.tensors)
      encode(tensor, out);
  }
  for (uint32_t checksum : directory.checksums)
    out.number(checksum);
  return out.take();
}

Result<ShardDirectory> decodeShardDirectory(std::string_view bytes) {
  ByteReader in(bytes);
  ShardDirectory directory;
  directory.step = in.number<uint64_t>();
  directory.rank = in.number<uint32_t>();
  directory.dataBytes = in.number<uint64_t>();
  for (auto count = in.number<uint32_t>(); count > 0 && !in.failed(); --count) {
    SLUICE_ASSIGN_OR_RETURN(StoredObject object, decodeObject(in));
    directory.objects.push_back(std::move(object));
  }
  SLUICE_RETURN_IF_ERROR(checkPlaces(directory));
  uint64_t blocks =
      directory.dataBytes / kShardBlockBytes + (directory.dataBytes % kShardBlockBytes != 0);
  for (; blocks > 0 && !in.failed(); --blocks)
    directory.checksums.push_back(in.number<uint32_t>());
  if (in.failed() || !in.atEnd())
    return damaged("it ends too early or too late");
  return directory;
}

} // namespace sluice::rt
