// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table from keys to values. Only the scheduler thread touches it.
//
// There are three kinds. A static one is filled once. A mutable one is a map. A dense one has
// places, which an export shows.
#pragma once

#include "runtime/memory/named_tensor.h"
#include "runtime/state/object_type.h"
#include "runtime/state/table_places.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace sluice::rt {

class Table : public Object {
public:
  static constexpr Kind kKind = Kind::kTable;
  static const ObjectType &type() { return kTableType; }

  enum class Form : uint8_t { kStatic, kMutable, kDense };
  struct Options {
    std::string name;
    Form form = Form::kStatic;
    DType key = DType::kInvalid, value = DType::kInvalid;
    Shape valueShape;
    // Of dense tables: how many places at first, how full they may get, the two keys, whose shape
    // is that of all keys.
    int64_t places = 0;
    float maxLoad = 0;
    Tensor emptyKey, deletedKey;
  };
  static Result<Ref<Table>> make(Options options);

  // INVALID_ARGUMENT unless the table holds what was asked for.
  Status check(const Options &options) const;
  DType keyType() const { return options_.key; }
  DType valueType() const { return options_.value; }
  bool isFilled() const { return filled_; } // of static tables

  // All instead of what there is. `initializes`: of static tables only, and from vectors.
  Status fill(const Tensor &keys, const Tensor &values, bool initializes);
  Status insert(const Tensor &keys, const Tensor &values);
  Status remove(const Tensor &keys);
  Result<Tensor> find(const Tensor &keys, const Tensor &defaultValue) const;
  int64_t size() const;
  Status exportAll(Tensor &keys, Tensor &values) const;

  // All that the table is, as of LastingObject::save, and the table of such a content.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<Table>> ofContent(std::vector<NamedTensor> content);

private:
  explicit Table(Options options)
      : Object(kKind), options_(std::move(options)), entries_(0, HashOfRow{sizeOf(options_.key)}) {}
  bool isDense() const { return options_.form == Form::kDense; }
  // A scalar, unless the table is dense.
  Shape keyShape() const { return isDense() ? options_.emptyKey.shape() : Shape(); }
  Status checkTypes(DType key, DType value) const;
  // The dims of `keys` without those of one key.
  Result<Shape> dimsOfKeys(const Tensor &keys) const;
  Status checkPairs(const Tensor &keys, const Tensor &values) const;
  Status fillStatic(const Tensor &keys, const Tensor &values);
  Status fillPlaces(const Tensor &keys, const Tensor &values);
  // A static table that is not filled may hold some.
  Status exportRows(Tensor &keys, Tensor &values) const;
  Status restoreEntries(const Tensor &keys, const Tensor &values, int64_t buckets);
  const Options options_;
  bool filled_ = false; // of static tables
  // Of other tables than dense ones. Its order is that of exports.
  std::unordered_map<TableRow, TableRow, HashOfRow> entries_;
  TablePlaces places_; // of dense tables
};

} // namespace sluice::rt
