// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables: their checks, and what is done to each kind.
#include "runtime/state/table.h"

#include "runtime/base/pieces.h"

namespace sluice::rt {

namespace {

// Of keys and values, which are copied.
constexpr int64_t kCostOfEntry = 512;

std::string typesText(DType key, DType value) {
  return std::string(dtypeName(key)) + "->" + std::string(dtypeName(value));
}

Shape joined(const Shape &front, const Shape &back) {
  Shape both = front;
  for (int64_t dim : back.dims())
    both.append(dim);
  return both;
}

} // namespace

// ---- Making ------------------------------------------------------------------------------------

Result<Ref<Table>> Table::make(Options options) {
  if (!options.valueShape.isComplete())
    return invalidArgument("table '" + options.name + "': the shape " +
                           options.valueShape.toString() + " of values is not fully defined");
  if (options.form != Form::kStatic && options.valueShape.rank() > 1)
    return invalidArgument("table '" + options.name +
                           "': values must be scalars or vectors, got shape " +
                           options.valueShape.toString());
  if (options.form != Form::kDense)
    return Ref<Table>::adopt(new Table(std::move(options)));
  const Tensor &empty = options.emptyKey, &deleted = options.deletedKey;
  if (empty.dtype() != options.key || deleted.dtype() != options.key)
    return invalidArgument("table '" + options.name + "': expected keys of type " +
                           std::string(dtypeName(options.key)));
  if (empty.rank() > 1)
    return invalidArgument("Empty key must be a scalar or a vector, got shape " +
                           empty.shape().toString());
  if (!(empty.shape() == deleted.shape()))
    return invalidArgument("Empty and deleted keys must have same shape, got shapes: " +
                           empty.shape().toString() + " and " + deleted.shape().toString());
  if (!(options.maxLoad > 0 && options.maxLoad < 1))
    return invalidArgument(format("max_load_factor must be between 0 and 1, got: %g",
                                  static_cast<double>(options.maxLoad)));
  if (options.places < 4 || (options.places & (options.places - 1)) != 0)
    return invalidArgument(
        format("Number of buckets must be at least 4 and a power of 2, got: %lld",
               static_cast<long long>(options.places)));
  auto table = Ref<Table>::adopt(new Table(std::move(options)));
  const Options &kept = table->options_;
  int64_t width = kept.emptyKey.elements();
  TableRow none = TableRow::of(kept.emptyKey, 0, width);
  TableRow gone = TableRow::of(kept.deletedKey, 0, width);
  if (none == gone)
    return invalidArgument("Empty and deleted keys cannot be equal");
  table->places_ = TablePlaces(HashOfRow{sizeOf(kept.key)}, static_cast<size_t>(kept.places),
                               kept.maxLoad, std::move(none), std::move(gone));
  return table;
}

Status Table::check(const Options &options) const {
  if (options.form == options_.form && options.key == options_.key &&
      options.value == options_.value && options.valueShape == options_.valueShape)
    return okStatus();
  return invalidArgument(
      "table '" + options_.name + "' has been made with other types: " +
      typesText(options_.key, options_.value) + " " + options_.valueShape.toString() + " vs. " +
      typesText(options.key, options.value) + " " + options.valueShape.toString());
}

// ---- Checks ------------------------------------------------------------------------------------

Status Table::checkTypes(DType key, DType value) const {
  if (key == options_.key && value == options_.value)
    return okStatus();
  return invalidArgument("table '" + options_.name + "' is " +
                         typesText(options_.key, options_.value) + " but was asked for " +
                         typesText(key, value));
}

Result<Shape> Table::dimsOfKeys(const Tensor &keys) const {
  Shape key = keyShape();
  int own = key.rank();
  Shape dims = keys.shape();
  bool fits = keys.rank() >= own;
  for (int i = 0; fits && i < own; ++i)
    fits = keys.dim(keys.rank() - own + i) == key.dim(i);
  if (!fits)
    return invalidArgument("Input key shape " + keys.shape().toString() +
                           " must end with the shape of a key, " + key.toString());
  dims.resize(keys.rank() - own);
  return dims;
}

Status Table::checkPairs(const Tensor &keys, const Tensor &values) const {
  SLUICE_RETURN_IF_ERROR(checkTypes(keys.dtype(), values.dtype()));
  SLUICE_ASSIGN_OR_RETURN(Shape dims, dimsOfKeys(keys));
  Shape expected = joined(dims, options_.valueShape);
  if (values.shape() == expected)
    return okStatus();
  return invalidArgument("Expected shape " + expected.toString() + " for value, got " +
                         values.shape().toString());
}

// ---- Changes -----------------------------------------------------------------------------------

Status Table::fill(const Tensor &keys, const Tensor &values, bool initializes) {
  if (initializes) {
    if (options_.form != Form::kStatic)
      return invalidArgument("Table " + options_.name + " is not initializable");
    if (keys.rank() != 1)
      return invalidArgument("Keys must be a vector, but received shape " +
                             keys.shape().toString());
    if (values.rank() != 1 || values.elements() != keys.elements())
      return invalidArgument("Values must be a vector as long as keys, but received shape " +
                             values.shape().toString());
  }
  if (isDense())
    return fillPlaces(keys, values);
  SLUICE_RETURN_IF_ERROR(checkPairs(keys, values));
  if (options_.form == Form::kStatic)
    return fillStatic(keys, values);
  entries_.clear();
  return insert(keys, values);
}

// What came before a bad entry stays, as it does in TensorFlow; the table is not filled then.
Status Table::fillStatic(const Tensor &keys, const Tensor &values) {
  int64_t count = keys.elements();
  if (count == 0)
    return invalidArgument("keys and values cannot be empty tensors.");
  if (filled_)
    return count == size()
               ? okStatus()
               : failedPrecondition("Table was already initialized with different data.");
  int64_t width = options_.valueShape.elements();
  TurnsOfCall turns(kCostOfEntry);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    TableRow key = TableRow::of(keys, i, 1), value = TableRow::of(values, i, width);
    auto found = entries_.find(key);
    if (found != entries_.end() && found->second != value)
      return failedPrecondition(format("table '%s' has another value for the key at position %lld",
                                       options_.name.c_str(), static_cast<long long>(i)));
    entries_.insert_or_assign(std::move(key), std::move(value));
  }
  filled_ = true;
  return okStatus();
}

// Keys and values are the places themselves, as an export gave them.
Status Table::fillPlaces(const Tensor &keys, const Tensor &values) {
  SLUICE_RETURN_IF_ERROR(checkTypes(keys.dtype(), values.dtype()));
  int64_t keyWidth = keyShape().elements(), valueWidth = options_.valueShape.elements();
  if (keys.rank() != 2 || keys.dim(1) != keyWidth || values.rank() != 2 ||
      values.dim(0) != keys.dim(0) || values.dim(1) != valueWidth)
    return invalidArgument(
        format("expected keys of shape [n,%lld] and values of shape [n,%lld] but got %s and %s",
               static_cast<long long>(keyWidth), static_cast<long long>(valueWidth),
               keys.shape().toString().c_str(), values.shape().toString().c_str()));
  int64_t count = keys.dim(0);
  if (count < 4 || (count & (count - 1)) != 0)
    return invalidArgument(
        format("Number of buckets must be at least 4 and a power of 2, got: %lld",
               static_cast<long long>(count)));
  std::vector<TablePlaces::Place> places;
  TurnsOfCall turns(kCostOfEntry);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    places.push_back({TableRow::of(keys, i, keyWidth), TableRow::of(values, i, valueWidth)});
  }
  places_.replaceAll(std::move(places));
  return okStatus();
}

Status Table::insert(const Tensor &keys, const Tensor &values) {
  if (options_.form == Form::kStatic)
    return unimplemented("Insert not supported by InitializableLookupTable implementations");
  SLUICE_RETURN_IF_ERROR(checkPairs(keys, values));
  int64_t keyWidth = keyShape().elements();
  int64_t valueWidth = options_.valueShape.elements();
  int64_t count = keyWidth == 0 ? 0 : keys.elements() / keyWidth;
  if (isDense())
    places_.makeRoomFor(count);
  TurnsOfCall turns(kCostOfEntry);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    TableRow key = TableRow::of(keys, i, keyWidth), value = TableRow::of(values, i, valueWidth);
    if (!isDense()) {
      entries_.insert_or_assign(std::move(key), std::move(value));
      continue;
    }
    SLUICE_RETURN_IF_ERROR(places_.checkKey(key));
    places_.set(std::move(key), std::move(value));
  }
  return okStatus();
}

Status Table::remove(const Tensor &keys) {
  if (options_.form == Form::kStatic)
    return unimplemented("Remove not supported by InitializableLookupTable implementations");
  SLUICE_RETURN_IF_ERROR(checkTypes(keys.dtype(), options_.value));
  SLUICE_RETURN_IF_ERROR(dimsOfKeys(keys).status());
  int64_t keyWidth = keyShape().elements();
  TurnsOfCall turns(kCostOfEntry);
  for (int64_t i = 0, n = keyWidth == 0 ? 0 : keys.elements() / keyWidth; i < n; ++i) {
    if (turns.end())
      return cancelledWork();
    TableRow key = TableRow::of(keys, i, keyWidth);
    if (!isDense()) {
      entries_.erase(key);
      continue;
    }
    SLUICE_RETURN_IF_ERROR(places_.checkKey(key));
    places_.remove(key);
  }
  return okStatus();
}

// ---- Reads -------------------------------------------------------------------------------------

Result<Tensor> Table::find(const Tensor &keys, const Tensor &defaultValue) const {
  SLUICE_RETURN_IF_ERROR(checkTypes(keys.dtype(), defaultValue.dtype()));
  if (options_.form == Form::kStatic && !filled_)
    return failedPrecondition("Table not initialized.");
  SLUICE_ASSIGN_OR_RETURN(Shape dims, dimsOfKeys(keys));
  Shape shape = joined(dims, options_.valueShape);
  bool forAll = defaultValue.shape() == options_.valueShape;
  if (!forAll && !(defaultValue.shape() == shape))
    return invalidArgument("Expected shape " + options_.valueShape.toString() + " or " +
                           shape.toString() + " for default value, got " +
                           defaultValue.shape().toString());
  SLUICE_ASSIGN_OR_RETURN(Tensor values, Tensor::allocate(options_.value, shape));
  int64_t keyWidth = keyShape().elements(), width = options_.valueShape.elements();
  TurnsOfCall turns(kCostOfEntry);
  for (int64_t i = 0, n = dims.elements(); i < n; ++i) {
    if (turns.end())
      return cancelledWork();
    TableRow key = TableRow::of(keys, i, keyWidth);
    const TableRow *found = nullptr;
    if (isDense()) {
      SLUICE_RETURN_IF_ERROR(places_.checkKey(key));
      found = places_.find(key);
    } else if (auto entry = entries_.find(key); entry != entries_.end()) {
      found = &entry->second;
    }
    // Only mutable tables look at other defaults than the first.
    bool first = forAll || options_.form != Form::kMutable;
    if (found)
      found->put(values, i, width);
    else
      TableRow::of(defaultValue, first ? 0 : i, width).put(values, i, width);
  }
  return values;
}

int64_t Table::size() const {
  if (isDense())
    return places_.used();
  if (options_.form == Form::kStatic && !filled_)
    return 0;
  return static_cast<int64_t>(entries_.size());
}

Status Table::exportAll(Tensor &keys, Tensor &values) const {
  if (options_.form == Form::kStatic && !filled_)
    return Status(Code::kAborted, "HashTable is not initialized.");
  return exportRows(keys, values);
}

Status Table::exportRows(Tensor &keys, Tensor &values) const {
  std::vector<std::pair<const TableRow *, const TableRow *>> rows;
  for (const TablePlaces::Place &place : places_.all())
    rows.emplace_back(&place.key, &place.value);
  for (const auto &[key, value] : entries_)
    rows.emplace_back(&key, &value);
  int64_t count = static_cast<int64_t>(rows.size());
  // Places are rows of matrices, whatever one key or value is.
  int64_t keyWidth = keyShape().elements(), width = options_.valueShape.elements();
  Shape keysShape = isDense() ? Shape{count, keyWidth} : Shape{count};
  Shape valuesShape = isDense() ? Shape{count, width} : joined(Shape{count}, options_.valueShape);
  SLUICE_ASSIGN_OR_RETURN(keys, Tensor::allocate(options_.key, keysShape));
  SLUICE_ASSIGN_OR_RETURN(values, Tensor::allocate(options_.value, valuesShape));
  TurnsOfCall turns(kCostOfEntry);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    rows[static_cast<size_t>(i)].first->put(keys, i, keyWidth);
    rows[static_cast<size_t>(i)].second->put(values, i, width);
  }
  return okStatus();
}

} // namespace sluice::rt
