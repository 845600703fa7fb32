// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys and values of tables, and the places of dense ones: a power of two of them, where each holds
// a key, the key that stands for an empty place, or the one that stands for a place that was
// deleted.
#pragma once

#include "runtime/memory/tensor.h"

#include <string>
#include <vector>

namespace sluice::rt {

// One key or value: the bytes of its elements, or its strings.
struct TableRow {
  std::string bytes;
  std::vector<std::string> strings;
  bool operator==(const TableRow &) const = default;

  // Row number `index` of a tensor that has `width` elements in each.
  static TableRow of(const Tensor &tensor, int64_t index, int64_t width);
  // What holds nothing stands for zeros.
  void put(Tensor &tensor, int64_t index, int64_t width) const;
};

// As TensorFlow's, with which the order of its exports comes out: integers are their own hash.
struct HashOfRow {
  size_t elementBytes = sizeof(int64_t); // of a row that has no strings
  size_t operator()(const TableRow &row) const;
};

class TablePlaces {
public:
  struct Place {
    TableRow key, value;
  };

  TablePlaces() = default;
  TablePlaces(HashOfRow hash, size_t places, float maxLoad, TableRow empty, TableRow deleted)
      : hash_(hash), maxLoad_(maxLoad), empty_(std::move(empty)), deleted_(std::move(deleted)),
        places_(places, Place{empty_, {}}) {}

  // How many hold a key.
  int64_t used() const { return used_; }
  const std::vector<Place> &all() const { return places_; }
  // INVALID_ARGUMENT for the keys that stand for no key.
  Status checkKey(const TableRow &key) const;
  // Null if the key is not there.
  const TableRow *find(const TableRow &key) const;
  // As if all that come were new. Then each of them can be set.
  void makeRoomFor(int64_t more);
  void set(TableRow key, TableRow value);
  // The value stays and is shown, as TensorFlow does it.
  void remove(const TableRow &key);
  void replaceAll(std::vector<Place> places);

private:
  // The place of a key, or the empty one where it would go.
  size_t placeOf(const TableRow &key) const;

  HashOfRow hash_;
  float maxLoad_ = 0;
  TableRow empty_, deleted_;
  std::vector<Place> places_;
  int64_t used_ = 0;
};

} // namespace sluice::rt
