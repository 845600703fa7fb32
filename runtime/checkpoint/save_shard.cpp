// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One object after the other. Contents are references to what the program holds; nothing is copied
// but small tensors and strings.
#include "runtime/checkpoint/save_shard.h"

#include "runtime/checkpoint/fingerprint.h"
#include "runtime/checkpoint/shard_directory.h"
#include "runtime/checkpoint/shard_writer.h"

namespace sluice::rt {

namespace {

// So that whoever looks at the file sees what it is.
constexpr std::string_view kTitle = "a shard of a checkpoint of a Sluice program\n";

Status appendElements(const Tensor &tensor, ShardWriter &out) {
  if (tensor.dtype() != DType::kString)
    return out.append({static_cast<const char *>(tensor.raw()), tensor.bytes()});
  for (const std::string &text : tensor.values<std::string>()) {
    uint64_t size = text.size();
    SLUICE_RETURN_IF_ERROR(out.append({reinterpret_cast<const char *>(&size), sizeof size}));
    SLUICE_RETURN_IF_ERROR(out.append(text));
  }
  return {};
}

uint64_t storedBytes(const Tensor &tensor) {
  if (tensor.dtype() != DType::kString)
    return tensor.bytes();
  uint64_t bytes = 0;
  for (const std::string &text : tensor.values<std::string>())
    bytes += sizeof(uint64_t) + text.size();
  return bytes;
}

Result<StoredObject> saveObject(const LastingResource &resource, ShardWriter &out) {
  StoredObject object{resource.kind, resource.key, {}};
  SLUICE_ASSIGN_OR_RETURN(std::vector<NamedTensor> content, resource.object->save());
  for (const auto &[name, tensor] : content) {
    if (!tensor.valid() || tensor.dtype() == DType::kHandle)
      return unimplemented(resource.kind + " '" + resource.key + "': its '" + name +
                           "' is no tensor of elements and cannot be saved");
    StoredTensor stored{name, tensor.dtype(), tensor.shape(), 0, storedBytes(tensor)};
    SLUICE_RETURN_IF_ERROR(out.align(stored.alignment()));
    stored.offset = out.size();
    SLUICE_RETURN_IF_ERROR(appendElements(tensor, out));
    object.tensors.push_back(std::move(stored));
  }
  return object;
}

} // namespace

Result<ShardRecord> saveShard(OutputFile &file, uint64_t step, uint32_t rank,
                              std::span<const LastingResource> state) {
  ShardWriter out(file);
  ShardDirectory directory;
  directory.step = step;
  directory.rank = rank;
  SLUICE_RETURN_IF_ERROR(out.append(kTitle));
  for (const LastingResource &resource : state) {
    SLUICE_ASSIGN_OR_RETURN(StoredObject object, saveObject(resource, out));
    directory.objects.push_back(std::move(object));
  }
  SLUICE_RETURN_IF_ERROR(out.align(kShardAlignment));
  directory.dataBytes = out.size();
  SLUICE_ASSIGN_OR_RETURN(directory.checksums, out.finish());
  std::string bytes = encodeShardDirectory(directory);
  SLUICE_RETURN_IF_ERROR(file.write(bytes));
  SLUICE_RETURN_IF_ERROR(file.sync());
  return ShardRecord{directory.dataBytes + bytes.size(), bytes.size(), fingerprintOf(bytes)};
}

} // namespace sluice::rt
