// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds an array in an archive and reads it like a file of its own.
#include "runtime/io/npz.h"

#include "runtime/base/short_list.h"
#include "runtime/io/element_bytes.h"
#include "runtime/io/number_text.h"

namespace sluice::rt {

namespace {

constexpr std::string_view kSuffix = ".npy";

std::string arrayList(const std::vector<ZipMember> &members) {
  ShortList list(10);
  for (const ZipMember &member : members)
    if (member.name.ends_with(kSuffix))
      list.add(quoted(member.name.substr(0, member.name.size() - kSuffix.size()), 60, '\''));
  return list.empty() ? "it has no arrays" : "its arrays are " + list.text();
}

Status named(std::string_view key, const Status &status) {
  return Status(status.code(), "array " + quoted(key, 100, '\'') + ": " + status.message());
}

// The .npy header tells its own length in the first bytes: they are read first, then the rest.
Result<NpyHeader> readHeader(ZipReader &reader, uint32_t size) {
  std::string bytes(std::min<size_t>(size, kNpyPrefix), '\0');
  SLUICE_RETURN_IF_ERROR(reader.read(bytes.data(), bytes.size()));
  SLUICE_ASSIGN_OR_RETURN(size_t length, npyHeaderLength(bytes));
  if (length > size)
    return invalidArgument("npy header goes beyond the end of the zip member");
  size_t known = bytes.size();
  if (length > known) { // else its dict is too short to be one, which the parser tells
    bytes.resize(length);
    SLUICE_RETURN_IF_ERROR(reader.read(bytes.data() + known, length - known));
  }
  SLUICE_ASSIGN_OR_RETURN(NpyHeader header, parseNpyHeader(bytes));
  SLUICE_RETURN_IF_ERROR(checkByteCount(header.dtype, header.shape, size - header.dataOffset));
  return header;
}

} // namespace

Result<NpzArray> NpzArray::open(std::string_view archive, std::string_view key) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<ZipMember> members, readZipDirectory(archive));
  for (const ZipMember &member : members) {
    if (!member.name.ends_with(kSuffix) ||
        member.name.substr(0, member.name.size() - kSuffix.size()) != key)
      continue;
    ZipReader reader(member);
    Result<NpyHeader> header = readHeader(reader, member.size);
    if (!header.ok())
      return named(key, header.status());
    return NpzArray(std::string(key), std::move(reader), std::move(*header));
  }
  return Status(Code::kNotFound,
                "no array " + quoted(key, 100, '\'') + " in the npz file: " + arrayList(members));
}

Result<Tensor> NpzArray::read() {
  Result<Tensor> stored = Tensor::allocate(header_.dtype, header_.shape);
  Status status = stored.status();
  if (status.ok())
    status = reader_.read(stored->raw(), stored->bytes());
  if (status.ok())
    status = reader_.finish();
  if (!status.ok())
    return named(key_, status);
  Result<Tensor> tensor = tensorFromNpy(header_, std::move(*stored));
  return tensor.ok() ? std::move(tensor) : named(key_, tensor.status());
}

} // namespace sluice::rt
