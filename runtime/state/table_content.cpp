// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables as tensors, so that they can be saved.
//
// A map's order shows in exports, so it is saved as well: with as many buckets as before, and
// entries that come in from the last to the first, the map is the same again. It may have many more
// buckets than entries, if these were removed; so that no small file can ask for many, there is a
// byte of `room` for every few.
#include "runtime/state/table.h"

#include "runtime/base/held_memory.h"
#include "runtime/state/content_reader.h"

namespace sluice::rt {

namespace {

constexpr int64_t kBucketsOfByte = 8;
constexpr int64_t kFewestPlaces = 4;

Result<Shape> shapeOf(const Tensor &dims) {
  if (dims.elements() > Shape::kMaxRank)
    return invalidArgument("the content of a table has values of too many dims");
  Shape shape;
  for (int64_t dim : dims.values<int64_t>()) {
    if (dim < 0)
      return invalidArgument("the content of a table has values with a negative dim");
    shape.append(dim);
  }
  SLUICE_RETURN_IF_ERROR(shape.checkedElements().status());
  return shape;
}

} // namespace

Result<std::vector<NamedTensor>> Table::content() const {
  Tensor keys, values;
  SLUICE_RETURN_IF_ERROR(exportRows(keys, values));
  std::vector<NamedTensor> content;
  content.emplace_back("name", Tensor::string(options_.name));
  content.emplace_back("form", Tensor::scalar(static_cast<uint8_t>(options_.form)));
  content.emplace_back("filled", Tensor::scalar(static_cast<uint8_t>(filled_)));
  content.emplace_back("value_shape", Tensor::vector<int64_t>(options_.valueShape.dims()));
  auto buckets = static_cast<int64_t>(entries_.bucket_count());
  SLUICE_ASSIGN_OR_RETURN(Tensor room,
                          Tensor::allocate(DType::kU8, Shape{buckets / kBucketsOfByte}));
  std::memset(room.raw(), 0, room.bytes());
  content.emplace_back("buckets", Tensor::scalar(buckets));
  content.emplace_back("room", std::move(room));
  if (isDense()) {
    content.emplace_back("max_load", Tensor::scalar(options_.maxLoad));
    content.emplace_back("empty_key", options_.emptyKey);
    content.emplace_back("deleted_key", options_.deletedKey);
  }
  content.emplace_back("keys", std::move(keys));
  content.emplace_back("values", std::move(values));
  return content;
}

Result<Ref<Table>> Table::ofContent(std::vector<NamedTensor> content) {
  ContentReader in("table", std::move(content));
  Options options;
  options.name = in.text("name");
  auto form = in.scalar<uint8_t>("form");
  bool filled = in.scalar<uint8_t>("filled") != 0;
  Tensor dims = in.take("value_shape", DType::kI64, 1);
  auto buckets = in.scalar<int64_t>("buckets");
  Tensor room = in.take("room", DType::kU8, 1);
  SLUICE_RETURN_IF_ERROR(in.failed() ? in.status() : okStatus());
  if (form > static_cast<uint8_t>(Form::kDense))
    return invalidArgument("the content of a table is of an unknown form");
  if (buckets < 1 || buckets / kBucketsOfByte != room.elements())
    return invalidArgument("the content of a table has no room for its buckets");
  options.form = static_cast<Form>(form);
  SLUICE_ASSIGN_OR_RETURN(options.valueShape, shapeOf(dims));
  if (options.form == Form::kDense) {
    options.places = kFewestPlaces; // until those of the content come
    options.maxLoad = in.scalar<float>("max_load");
    options.emptyKey = in.takeAny("empty_key");
    options.deletedKey = in.takeAny("deleted_key");
  }
  Tensor keys = in.takeAny("keys"), values = in.takeAny("values");
  SLUICE_RETURN_IF_ERROR(in.status());
  options.key = keys.dtype();
  options.value = values.dtype();
  SLUICE_ASSIGN_OR_RETURN(Ref<Table> table, make(std::move(options)));
  if (table->isDense()) {
    SLUICE_RETURN_IF_ERROR(table->fillPlaces(keys, values));
  } else {
    SLUICE_RETURN_IF_ERROR(table->restoreEntries(keys, values, buckets));
  }
  table->filled_ = filled;
  return table;
}

Status Table::restoreEntries(const Tensor &keys, const Tensor &values, int64_t buckets) {
  if (keys.rank() != 1)
    return invalidArgument("the content of a table has keys that are no vector");
  SLUICE_RETURN_IF_ERROR(checkPairs(keys, values));
  int64_t count = keys.elements(), width = options_.valueShape.elements();
  if (!memoryAllows(static_cast<size_t>(buckets) * sizeof(void *)))
    return resourceExhausted(
        format("no memory for a table of %lld buckets", static_cast<long long>(buckets)));
  if (buckets > 1) // a map that was never used has one
    entries_.rehash(static_cast<size_t>(buckets));
  for (int64_t i = count; i-- > 0;)
    if (!entries_.try_emplace(TableRow::of(keys, i, 1), TableRow::of(values, i, width)).second)
      return invalidArgument("the content of a table has a key twice");
  return okStatus();
}

constexpr ObjectType kTableType = objectTypeOf<Table>("table");

} // namespace sluice::rt
