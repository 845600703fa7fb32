// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// safetensors: u64 length of the header, a JSON header, the elements.
#include "runtime/io/safetensors.h"

#include "runtime/base/held_memory.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/element_bytes.h"
#include "runtime/io/json.h"
#include "runtime/io/number_text.h"
#include "runtime/io/safetensors_seal.h"
#include "runtime/io/tensor_json.h"

#include <algorithm>
#include <tuple>

namespace sluice::rt {

namespace {

using Kind = Json::Kind;

struct Entry {
  std::string name;
  DType dtype;
  Shape shape;
  uint64_t begin, end;
};

bool readNaturals(const Json *json, std::vector<int64_t> &values) {
  if (!json || !json->is(Kind::kArray))
    return false;
  for (const Json &item : json->items) {
    if (!item.is(Kind::kInteger) || item.integer < 0)
      return false;
    values.push_back(item.integer);
  }
  return true;
}

Result<Entry> parseEntry(const std::string &name, const Json &json) {
  std::string where = "tensor " + quoted(name, 100) + ": ";
  for (const std::string &key : json.keys)
    if (key != "dtype" && key != "shape" && key != "data_offsets")
      return invalidArgument(where + "unknown member " + quoted(key, 40));
  const Json *dtypeJson = json.find("dtype");
  if (!dtypeJson || !dtypeJson->is(Kind::kString))
    return invalidArgument(where + "expected a string 'dtype'");
  std::optional<DType> dtype = dtypeFromSafetensorsName(dtypeJson->string);
  if (!dtype)
    return unimplemented(where + "dtype " + quoted(dtypeJson->string, 40) + " is not supported");
  std::vector<int64_t> dims, offsets;
  if (!readNaturals(json.find("shape"), dims) || dims.size() > static_cast<size_t>(Shape::kMaxRank))
    return invalidArgument(
        where + format("expected 'shape' to be at most %d dims of at least 0", Shape::kMaxRank));
  if (!readNaturals(json.find("data_offsets"), offsets) || offsets.size() != 2 ||
      offsets[0] > offsets[1])
    return invalidArgument(where + "expected 'data_offsets' to be [begin, end]");
  Entry entry{name, *dtype, Shape(std::span<const int64_t>(dims)),
              static_cast<uint64_t>(offsets[0]), static_cast<uint64_t>(offsets[1])};
  Status fits = checkByteCount(entry.dtype, entry.shape, entry.end - entry.begin);
  if (!fits.ok())
    return Status(fits.code(), where + fits.message());
  return entry;
}

// Sorted by place, the tensors must cover the data exactly.
Status checkCover(std::vector<Entry> &entries, uint64_t dataSize) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t at = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != at)
      return invalidArgument("tensor " + quoted(entry.name, 100) + ": expected data at byte " +
                             std::to_string(at) + " but got " + std::to_string(entry.begin) +
                             ": the file has a gap or an overlap");
    at = entry.end;
  }
  if (at != dataSize)
    return invalidArgument("expected " + std::to_string(at) + " bytes of data but got " +
                           std::to_string(dataSize));
  return {};
}

Result<std::vector<Entry>> parseHeader(std::string_view file, std::string_view text,
                                       uint64_t dataSize, const Limits &limits) {
  SLUICE_ASSIGN_OR_RETURN(Json json, parseJson(text, limits));
  if (!json.is(Kind::kObject))
    return invalidArgument("expected an object as safetensors header");
  const Json *metadata = json.find("__metadata__");
  if (metadata && !metadata->is(Kind::kObject))
    return invalidArgument("expected an object as '__metadata__'");
  SLUICE_RETURN_IF_ERROR(checkSeal(file, metadata));
  std::vector<Entry> entries;
  for (size_t i = 0; i < json.keys.size(); ++i) {
    if (json.keys[i] == "__metadata__")
      continue;
    SLUICE_ASSIGN_OR_RETURN(Entry entry, parseEntry(json.keys[i], json.items[i]));
    entries.push_back(std::move(entry));
  }
  SLUICE_RETURN_IF_ERROR(checkCover(entries, dataSize));
  return entries;
}

} // namespace

Result<std::vector<NamedTensor>> decodeSafetensors(std::string_view bytes, const Limits &limits) {
  if (bytes.size() < 8)
    return invalidArgument("expected a safetensors file, which starts with 8 bytes of length");
  uint64_t length;
  std::memcpy(&length, bytes.data(), 8);
  uint64_t most = limits[Limit::kVariablesHeaderBytes];
  if (length > most || length > bytes.size() - 8)
    return invalidArgument("safetensors header of " + std::to_string(length) +
                           " bytes goes beyond the end of the file or the limit of " +
                           std::to_string(most) + seeLimit(Limit::kVariablesHeaderBytes));
  std::string_view data = bytes.substr(8 + length);
  SLUICE_ASSIGN_OR_RETURN(std::vector<Entry> entries,
                          parseHeader(bytes, bytes.substr(8, length), data.size(), limits));
  std::vector<NamedTensor> tensors;
  for (Entry &entry : entries) {
    SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(entry.dtype, entry.shape));
    std::memcpy(tensor.raw(), data.data() + entry.begin, entry.end - entry.begin);
    Status bools = checkBools(tensor);
    if (!bools.ok())
      return Status(bools.code(), "tensor " + quoted(entry.name, 100) + ": " + bools.message());
    tensors.emplace_back(std::move(entry.name), std::move(tensor));
  }
  return tensors;
}

Result<std::string> encodeSafetensors(std::vector<NamedTensor> tensors) {
  // Large elements first, so that all data is aligned.
  std::sort(tensors.begin(), tensors.end(), [](const NamedTensor &a, const NamedTensor &b) {
    size_t sizeA = sizeOf(a.second.dtype()), sizeB = sizeOf(b.second.dtype());
    return sizeA != sizeB ? sizeA > sizeB : a.first < b.first;
  });
  std::string header = "{" + std::string(openSeal());
  uint64_t at = 0;
  for (const auto &[name, tensor] : tensors) {
    if (safetensorsName(tensor.dtype()).empty())
      return unimplemented("tensor '" + name + "': safetensors files cannot hold " +
                           std::string(dtypeName(tensor.dtype())) + " tensors");
    header += ',';
    appendJsonString(name, header);
    header += ":{\"dtype\":\"" + std::string(safetensorsName(tensor.dtype())) + "\",\"shape\":";
    appendShapeJson(tensor.shape(), header);
    header += ",\"data_offsets\":[" + std::to_string(at) + ',';
    at += tensor.bytes();
    header += std::to_string(at) + "]}";
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string out(8, '\0');
  uint64_t length = header.size();
  std::memcpy(out.data(), &length, 8);
  if (!memoryAllows(8 + length + at))
    return resourceExhausted("no memory for a file of " + std::to_string(8 + length + at) +
                             " bytes");
  out.reserve(8 + length + at);
  out += header;
  for (const auto &[name, tensor] : tensors)
    out.append(tensor.data<char>(), tensor.bytes());
  closeSeal(out);
  return out;
}

} // namespace sluice::rt
