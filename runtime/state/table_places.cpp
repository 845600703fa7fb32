// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open addressing with steps that grow by one.
#include "runtime/state/table_places.h"

#include <algorithm>

namespace sluice::rt {

// ---- Rows --------------------------------------------------------------------------------------

TableRow TableRow::of(const Tensor &tensor, int64_t index, int64_t width) {
  TableRow row;
  if (tensor.dtype() == DType::kString) {
    const std::string *from = tensor.data<std::string>() + index * width;
    row.strings.assign(from, from + width);
  } else {
    size_t bytes = static_cast<size_t>(width) * sizeOf(tensor.dtype());
    row.bytes.assign(tensor.data<char>() + static_cast<size_t>(index) * bytes, bytes);
  }
  return row;
}

void TableRow::put(Tensor &tensor, int64_t index, int64_t width) const {
  if (tensor.dtype() == DType::kString) {
    std::copy(strings.begin(), strings.end(), tensor.data<std::string>() + index * width);
    return;
  }
  size_t size = static_cast<size_t>(width) * sizeOf(tensor.dtype());
  char *to = tensor.data<char>() + static_cast<size_t>(index) * size;
  if (bytes.empty())
    std::memset(to, 0, size);
  else
    std::memcpy(to, bytes.data(), size);
}

// ---- Places ------------------------------------------------------------------------------------

// MurmurHash64A.
static uint64_t hashOf(const std::string &text) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995, kSeed = 0xdecafcaffe;
  constexpr size_t kWord = sizeof(uint64_t);
  auto mixed = [](uint64_t x) { return (x ^ (x >> 47)) * kFactor; };
  uint64_t hash = kSeed ^ (text.size() * kFactor);
  size_t at = 0;
  for (; at + kWord <= text.size(); at += kWord) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, kWord);
    hash = (hash ^ (mixed(word * kFactor))) * kFactor;
  }
  if (at < text.size()) {
    uint64_t rest = 0;
    std::memcpy(&rest, text.data() + at, text.size() - at);
    hash = (hash ^ rest) * kFactor;
  }
  hash = mixed(hash);
  return hash ^ (hash >> 47);
}

// Integers of 64 or 32 bits; what else there is has the hash of its bytes.
static uint64_t hashOfElement(const char *bytes, size_t size) {
  if (size == sizeof(int64_t)) {
    uint64_t number;
    std::memcpy(&number, bytes, sizeof(number));
    return number;
  }
  if (size == sizeof(int32_t)) {
    int32_t number;
    std::memcpy(&number, bytes, sizeof(number));
    return static_cast<uint64_t>(static_cast<int64_t>(number));
  }
  return hashOf(std::string(bytes, size));
}

size_t HashOfRow::operator()(const TableRow &row) const {
  uint64_t hash = 0;
  bool isOne = row.strings.size() == 1 || row.bytes.size() == elementBytes;
  auto add = [&](uint64_t more) {
    hash = isOne ? more : hash ^ (more + 0x9e3779b97f4a7800 + (hash << 10) + (hash >> 4));
  };
  for (size_t at = 0; at + elementBytes <= row.bytes.size(); at += elementBytes)
    add(hashOfElement(row.bytes.data() + at, elementBytes));
  for (const std::string &text : row.strings)
    add(hashOf(text));
  return hash;
}

Status TablePlaces::checkKey(const TableRow &key) const {
  if (key == empty_)
    return invalidArgument("Using the empty_key as a table key is not allowed");
  if (key == deleted_)
    return invalidArgument("Using the deleted_key as a table key is not allowed");
  return okStatus();
}

// There is always an empty place, see `makeRoomFor`; unless all were replaced by keys.
size_t TablePlaces::placeOf(const TableRow &key) const {
  size_t mask = places_.size() - 1, at = hash_(key) & mask;
  for (size_t step = 1; step <= places_.size(); ++step) {
    if (places_[at].key == key || places_[at].key == empty_)
      return at;
    at = (at + step) & mask;
  }
  return at;
}

const TableRow *TablePlaces::find(const TableRow &key) const {
  const Place &place = places_[placeOf(key)];
  return place.key == key ? &place.value : nullptr;
}

// Deleted places count as taken, so that an empty one is always left.
void TablePlaces::makeRoomFor(int64_t more) {
  int64_t deleted = std::count_if(places_.begin(), places_.end(),
                                  [&](const Place &place) { return place.key == deleted_; });
  size_t size = places_.size();
  auto isFull = [&] { return double(used_ + more) > double(size) * double(maxLoad_); };
  if (!isFull() && static_cast<size_t>(used_ + deleted + more) < size)
    return;
  while (isFull())
    size *= 2;
  std::vector<Place> old = std::move(places_);
  places_.assign(size, {empty_, {}});
  for (Place &place : old)
    if (place.key != empty_ && place.key != deleted_) {
      size_t at = placeOf(place.key);
      places_[at] = std::move(place);
    }
}

void TablePlaces::set(TableRow key, TableRow value) {
  Place &place = places_[placeOf(key)];
  used_ += place.key == empty_;
  place = {std::move(key), std::move(value)};
}

void TablePlaces::remove(const TableRow &key) {
  Place &place = places_[placeOf(key)];
  if (place.key != key)
    return;
  place.key = deleted_;
  --used_;
}

void TablePlaces::replaceAll(std::vector<Place> places) {
  places_ = std::move(places);
  used_ = std::count_if(places_.begin(), places_.end(), [&](const Place &place) {
    return place.key != empty_ && place.key != deleted_;
  });
}

} // namespace sluice::rt
