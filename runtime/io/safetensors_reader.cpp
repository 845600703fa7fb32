// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// safetensors: u64 length of the header, a JSON header, the elements. They are read to where they
// stay, and their checksum is taken while they are in the caches.
#include "runtime/base/cancellation.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/element_bytes.h"
#include "runtime/io/json.h"
#include "runtime/io/number_text.h"
#include "runtime/io/safetensors.h"
#include "runtime/io/safetensors_seal.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace sluice::rt {

namespace {

using Kind = Json::Kind;

constexpr uint64_t kLengthBytes = 8;

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

Result<std::vector<Entry>> parseEntries(const Json &header, uint64_t dataSize) {
  std::vector<Entry> entries;
  for (size_t i = 0; i < header.keys.size(); ++i) {
    if (header.keys[i] == "__metadata__")
      continue;
    SLUICE_ASSIGN_OR_RETURN(Entry entry, parseEntry(header.keys[i], header.items[i]));
    entries.push_back(std::move(entry));
  }
  SLUICE_RETURN_IF_ERROR(checkCover(entries, dataSize));
  return entries;
}

// The length of the header, and the header.
Result<std::string> readHead(FileParts &file, const Limits &limits) {
  if (file.size() < kLengthBytes)
    return invalidArgument("expected a safetensors file, which starts with 8 bytes of length");
  uint64_t length;
  SLUICE_RETURN_IF_ERROR(file.read(0, reinterpret_cast<char *>(&length), kLengthBytes));
  uint64_t most = limits[Limit::kVariablesHeaderBytes];
  if (length > most || length > file.size() - kLengthBytes)
    return invalidArgument("safetensors header of " + std::to_string(length) +
                           " bytes goes beyond the end of the file or the limit of " +
                           std::to_string(most) + seeLimit(Limit::kVariablesHeaderBytes));
  std::string head(kLengthBytes + length, '\0');
  SLUICE_RETURN_IF_ERROR(file.read(0, head.data(), head.size()));
  return head;
}

// Of the data, which is read from its beginning to its end.
class DataReader {
public:
  DataReader(FileParts &file, uint64_t begin, std::optional<Seal> seal)
      : file_(file), at_(begin), seal_(std::move(seal)) {}

  Status read(char *to, uint64_t size) {
    while (size > 0) {
      if (Cancellation::requestedHere())
        return cancelledWork();
      size_t piece = std::min<uint64_t>(size, kPiece);
      SLUICE_RETURN_IF_ERROR(file_.read(at_, to, piece));
      if (seal_)
        seal_->see({to, piece});
      at_ += piece;
      to += piece;
      size -= piece;
    }
    return {};
  }
  // Once all of it has been read.
  Status checkSeal() const { return seal_ ? seal_->check() : okStatus(); }
  // Reads what is left. Nobody wants it.
  Status checkSealOfRest() {
    std::string piece(seal_ ? kPiece : 0, '\0');
    while (seal_ && at_ < file_.size())
      SLUICE_RETURN_IF_ERROR(read(piece.data(), std::min<uint64_t>(kPiece, file_.size() - at_)));
    return checkSeal();
  }

private:
  static constexpr size_t kPiece = 1 << 20;

  FileParts &file_;
  uint64_t at_;
  std::optional<Seal> seal_;
};

Result<std::vector<NamedTensor>> readTensors(std::vector<Entry> entries, DataReader &data) {
  std::vector<NamedTensor> tensors;
  for (Entry &entry : entries) {
    SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(entry.dtype, entry.shape));
    SLUICE_RETURN_IF_ERROR(data.read(static_cast<char *>(tensor.raw()), tensor.bytes()));
    tensors.emplace_back(std::move(entry.name), std::move(tensor));
  }
  SLUICE_RETURN_IF_ERROR(data.checkSeal());
  for (const auto &[name, tensor] : tensors)
    if (Status bools = checkBools(tensor); !bools.ok())
      return Status(bools.code(), "tensor " + quoted(name, 100) + ": " + bools.message());
  return tensors;
}

class BytesInMemory final : public FileParts {
public:
  explicit BytesInMemory(std::string_view bytes) : bytes_(bytes) {}
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, char *data, size_t size) override {
    bytes_.copy(data, size, offset);
    return {};
  }

private:
  std::string_view bytes_;
};

} // namespace

Result<std::vector<NamedTensor>> readSafetensors(FileParts &file, const Limits &limits) {
  SLUICE_ASSIGN_OR_RETURN(std::string head, readHead(file, limits));
  SLUICE_ASSIGN_OR_RETURN(Json header,
                          parseJson(std::string_view(head).substr(kLengthBytes), limits));
  if (!header.is(Kind::kObject))
    return invalidArgument("expected an object as safetensors header");
  const Json *metadata = header.find("__metadata__");
  if (metadata && !metadata->is(Kind::kObject))
    return invalidArgument("expected an object as '__metadata__'");
  SLUICE_ASSIGN_OR_RETURN(std::optional<Seal> seal, Seal::find(head, metadata));
  DataReader data(file, head.size(), std::move(seal));
  auto entries = parseEntries(header, file.size() - head.size());
  if (entries.ok())
    return readTensors(std::move(*entries), data);
  // What makes no sense may have been damaged, and that is what helps to know.
  SLUICE_RETURN_IF_ERROR(data.checkSealOfRest());
  return entries.status();
}

Result<std::vector<NamedTensor>> decodeSafetensors(std::string_view bytes, const Limits &limits) {
  BytesInMemory file(bytes);
  return readSafetensors(file, limits);
}

} // namespace sluice::rt
