// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the index, and the elements that they describe.
#include "compiler/import/bundle/Bundle.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/GraphCheck.h"
#include "compiler/import/NearestNames.h"
#include "compiler/import/WireCheck.h"
#include "compiler/import/bundle/StoredStrings.h"
#include "runtime/base/crc32c.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>

namespace sluice::import {

using llvm::StringRef;

// A message in the index that is whole and nothing else, or what is wrong with it.
static std::string parseRow(std::string_view bytes, google::protobuf::Message &message,
                            const Limits &limits) {
  uint64_t unknownFields = 0;
  if (auto problem = checkWire(bytes, message.GetDescriptor(), limits, unknownFields))
    return problem->message;
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))
             ? ""
             : "the parser refuses it";
}

std::unique_ptr<Bundle> Bundle::open(const std::string &prefix, const Limits &limits,
                                     DiagnosticList &diagnostics) {
  auto index = readRegularFile(prefix + ".index", limits, LimitId::kIndexBytes, diagnostics);
  return index ? parse(prefix, std::move(*index), limits, diagnostics) : nullptr;
}

std::unique_ptr<Bundle> Bundle::parse(const std::string &prefix, std::string index,
                                      const Limits &limits, DiagnosticList &diagnostics) {
  std::unique_ptr<Bundle> bundle(new Bundle(prefix, std::move(index), limits));
  auto table = readSortedTable(bundle->index_, limits);
  if (auto *problem = std::get_if<std::string>(&table)) {
    diagnostics.error(ExitCode::kBadGraph, {bundle->indexPath(), "", ""}, *problem);
    return nullptr;
  }
  bundle->table_ = std::move(std::get<SortedTable>(table));
  return bundle->readHeader(diagnostics) ? std::move(bundle) : nullptr;
}

bool Bundle::readHeader(DiagnosticList &diagnostics) {
  constexpr int32_t kMostShards = 99999; // names have five digits
  constexpr int32_t kOurVersion = 1;
  auto refuse = [&](const std::string &message) {
    diagnostics.error(ExitCode::kBadGraph, {indexPath(), "", ""}, message);
    return false;
  };
  const TableEntry *first = find("");
  if (!first)
    return refuse("expected a header, under the empty key, but there is none");
  graphdef::BundleHeader header;
  if (std::string problem = parseRow(first->value, header, limits_); !problem.empty())
    return refuse("header: " + problem);
  shards_ = header.num_shards();
  if (shards_ < 1 || shards_ > kMostShards)
    return refuse("header: expected 1 to " + std::to_string(kMostShards) + " data files but got " +
                  std::to_string(shards_));
  if (header.endianness() != graphdef::BundleHeader::LITTLE)
    return refuse("header: the numbers of this checkpoint have their high bytes first, which is "
                  "not supported");
  if (header.version().min_consumer() > kOurVersion)
    return refuse("header: the checkpoint needs a reader of version " +
                  std::to_string(header.version().min_consumer()) + " but this one has version " +
                  std::to_string(kOurVersion));
  return true;
}

std::vector<StringRef> Bundle::names() const {
  std::vector<StringRef> names;
  for (const TableEntry &entry : table_)
    if (!entry.key.empty() && entry.key.front() != '\0') // regions have keys that begin so
      names.push_back(entry.key);
  return names;
}

const TableEntry *Bundle::find(StringRef key) const {
  std::string_view wanted(key.data(), key.size());
  auto found = std::lower_bound(table_.begin(), table_.end(), wanted,
                                [](const TableEntry &e, std::string_view k) { return e.key < k; });
  return found != table_.end() && found->key == wanted ? &*found : nullptr;
}

bool Bundle::fail(DiagnosticList &diagnostics, const std::string &name,
                  const std::string &message) const {
  diagnostics.error(ExitCode::kBadGraph, {indexPath(), "", ""},
                    "tensor " + quoted(name) + ": " + message);
  return false;
}

std::optional<Bundle::Row> Bundle::row(StringRef key, const std::string &name,
                                       DiagnosticList &diagnostics) {
  Row row;
  row.name = name;
  auto refuse = [&](const std::string &message) {
    fail(diagnostics, name, message);
    return std::nullopt;
  };
  const TableEntry *found = find(key);
  if (!found)
    return refuse("the checkpoint has no such tensor" + didYouMean(key, names()));
  if (std::string problem = parseRow(found->value, row.entry, limits_); !problem.empty())
    return refuse(problem);
  if (!isValueType(row.entry.dtype()))
    return refuse("expected the type of a tensor but got " +
                  typeName(static_cast<int>(row.entry.dtype())));
  std::string problem = problemOfShape(row.entry.shape(), limits_, row.elements);
  if (!problem.empty() || row.elements < 0)
    return refuse(problem.empty() ? "expected all dims but some are unknown" : problem);
  for (const auto &dim : row.entry.shape().dim())
    row.shape.push_back(dim.size());
  if (row.entry.offset() < 0 || row.entry.size() < 0 || row.entry.shard_id() < 0 ||
      row.entry.shard_id() >= shards_)
    return refuse("expected a place in one of " + std::to_string(shards_) +
                  " data files but got byte " + std::to_string(row.entry.offset()) + ", size " +
                  std::to_string(row.entry.size()) + " in file " +
                  std::to_string(row.entry.shard_id()));
  return row;
}

std::optional<Bundle::Description> Bundle::describe(StringRef name, DiagnosticList &diagnostics) {
  std::optional<Row> found = row(name, name.str(), diagnostics);
  if (!found)
    return std::nullopt;
  return Description{found->entry.dtype(), std::move(found->shape)};
}

const DataShard *Bundle::shard(int32_t number, DiagnosticList &diagnostics) {
  auto [entry, isNew] = open_.try_emplace(number);
  if (!isNew)
    return entry->second.get(); // null: was reported
  char suffix[48];
  std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", number, shards_);
  entry->second = DataShard::open(prefix_ + suffix, diagnostics);
  return entry->second.get();
}

bool Bundle::readStored(const Row &row, TensorValue &value, DiagnosticList &diagnostics) {
  auto size = static_cast<uint64_t>(row.entry.size());
  auto offset = static_cast<uint64_t>(row.entry.offset());
  if (!limits_.allows(LimitId::kConstantBytes, size))
    return fail(diagnostics, row.name, limits_.excess(LimitId::kConstantBytes, "bytes", size));
  unsigned element = elementBytes(row.entry.dtype());
  bool isString = row.entry.dtype() == graphdef::DT_STRING;
  if (!isString && element == 0) {
    diagnostics.error(ExitCode::kUnsupported, {indexPath(), "", ""},
                      "tensor " + quoted(row.name) + ": values of " + typeName(row.entry.dtype()) +
                          " are not supported");
    return false;
  }
  if (!isString && static_cast<uint64_t>(row.elements) * element != size)
    return fail(diagnostics, row.name,
                "expected " + std::to_string(static_cast<uint64_t>(row.elements) * element) +
                    " bytes for " + std::to_string(row.elements) + " elements of " +
                    typeName(row.entry.dtype()) + " but got " + std::to_string(size));
  const DataShard *file = shard(row.entry.shard_id(), diagnostics);
  if (!file)
    return false;
  if (offset > file->size() || size > file->size() - offset)
    return fail(diagnostics, row.name,
                "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                    " lie beyond the end of " + quoted(file->path()) + ", which has " +
                    std::to_string(file->size()) + ": was it cut off?");
  std::string bytes(size, '\0');
  return file->read(offset, bytes, diagnostics) && decode(row, bytes, value, diagnostics);
}

bool Bundle::decode(const Row &row, std::string &bytes, TensorValue &value,
                    DiagnosticList &diagnostics) {
  value.type = row.entry.dtype();
  value.shape = row.shape;
  value.elements = row.elements;
  uint32_t checksum;
  if (value.type == graphdef::DT_STRING) {
    std::string problem = decodeStoredStrings(bytes, row.elements, value.strings, checksum);
    if (!problem.empty())
      return fail(diagnostics, row.name, problem);
  } else {
    checksum = rt::crc32c(bytes);
    value.bytes = std::move(bytes);
  }
  if (maskedChecksum(checksum) != row.entry.crc32c())
    return fail(
        diagnostics, row.name,
        "wrong checksum of its elements: " + quoted(open_.at(row.entry.shard_id())->path()) +
            " was changed after it was written, or is of another checkpoint");
  bool isBool = value.type == graphdef::DT_BOOL;
  if (isBool && llvm::any_of(value.bytes, [](char c) { return c != 0 && c != 1; }))
    return fail(diagnostics, row.name, "expected 0 or 1 as bool");
  return true;
}

bool Bundle::addRegion(const Row &row, int number, const Region &wanted, TensorValue &value,
                       int64_t &found, DiagnosticList &diagnostics) {
  const graphdef::TensorSlice &slice = row.entry.slices(number);
  std::optional<Region> region = Region::of(slice, row.shape);
  if (!region)
    return fail(diagnostics, row.name,
                "part " + std::to_string(number) + " does not lie within the tensor");
  int64_t shared = region->intersection(wanted).elements();
  if (shared == 0)
    return true;
  std::optional<Row> part = this->row(keyOfRegion(row.name, slice), row.name, diagnostics);
  TensorValue elements;
  if (!part)
    return false;
  bool hasShape = llvm::ArrayRef(part->shape) == llvm::ArrayRef<int64_t>(region->sizes);
  if (!hasShape || part->entry.dtype() != row.entry.dtype() || part->entry.slices_size() > 0)
    return fail(diagnostics, row.name,
                "part " + std::to_string(number) + " has another type or shape than expected");
  if (!readStored(*part, elements, diagnostics))
    return false;
  found += shared;
  if (found <= wanted.elements())
    copyShared(*region, elements.bytes, wanted, value.bytes.data(), elementBytes(value.type));
  return true;
}

bool Bundle::assemble(const Row &row, const Region &wanted, TensorValue &value,
                      DiagnosticList &diagnostics) {
  unsigned element = elementBytes(row.entry.dtype());
  value.type = row.entry.dtype();
  value.shape.assign(wanted.sizes.begin(), wanted.sizes.end());
  value.elements = wanted.elements();
  uint64_t bytes;
  if (element == 0)
    return fail(diagnostics, row.name,
                "parts of tensors of " + typeName(row.entry.dtype()) + " are not supported");
  if (__builtin_mul_overflow(static_cast<uint64_t>(value.elements), element, &bytes) ||
      !limits_.allows(LimitId::kConstantBytes, bytes))
    return fail(diagnostics, row.name, limits_.excess(LimitId::kConstantBytes, "bytes", bytes));
  if (row.entry.slices_size() == 0) {
    TensorValue whole;
    if (!readStored(row, whole, diagnostics))
      return false;
    value.bytes.assign(bytes, '\0');
    copyShared(Region::whole(row.shape), whole.bytes, wanted, value.bytes.data(), element);
    return true;
  }
  // Memory only for what the files could fill.
  uint64_t stored = 0;
  for (int32_t i = 0; i < shards_ && stored < bytes; ++i)
    if (const DataShard *file = shard(i, diagnostics))
      stored += file->size();
  if (stored < bytes)
    return fail(diagnostics, row.name,
                "expected " + std::to_string(bytes) + " bytes but the data files have fewer");
  value.bytes.assign(bytes, '\0');
  int64_t found = 0;
  for (int i = 0; i < row.entry.slices_size(); ++i)
    if (!addRegion(row, i, wanted, value, found, diagnostics))
      return false;
  return found == value.elements ||
         fail(diagnostics, row.name,
              "its parts have " + std::to_string(found) + " elements of " +
                  std::to_string(value.elements) + " that are wanted");
}

std::optional<TensorValue> Bundle::read(StringRef name, StringRef part,
                                        DiagnosticList &diagnostics) {
  std::optional<Row> found = row(name, name.str(), diagnostics);
  if (!found)
    return std::nullopt;
  std::optional<PartOfTensor> asked;
  if (!part.empty() && !(asked = parsePart(part))) {
    fail(diagnostics, found->name,
         "expected dims and a range along each, as '10 4 0,5:-', but got " + quoted(part));
    return std::nullopt;
  }
  if (asked && llvm::ArrayRef<int64_t>(asked->shape) != llvm::ArrayRef(found->shape)) {
    fail(diagnostics, found->name, "its shape is not that of the whole in " + quoted(part));
    return std::nullopt;
  }
  TensorValue value;
  bool isWhole = !asked && found->entry.slices_size() == 0;
  bool good = isWhole ? readStored(*found, value, diagnostics)
                      : assemble(*found, asked ? asked->region : Region::whole(found->shape), value,
                                 diagnostics);
  if (!good)
    return std::nullopt;
  return value;
}

} // namespace sluice::import
