// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StagingArea: what firings want of it.
#include "runtime/state/staging_area.h"

#include <algorithm>
#include <optional>

namespace sluice::rt {

static uint64_t bytesOf(std::span<const Tensor> tensors) {
  uint64_t bytes = 0;
  for (const Tensor &one : tensors)
    bytes += one.valid() ? one.bytes() : 0;
  return bytes;
}

Result<Ref<StagingArea>> StagingArea::make(Options options) {
  return Ref<StagingArea>::adopt(new StagingArea(std::move(options)));
}

Status StagingArea::check(const Options &options) const {
  if (options.isKeyed == options_.isKeyed && options.capacity == options_.capacity &&
      options.memoryLimit == options_.memoryLimit)
    return okStatus();
  return invalidArgument(
      format("shared %s has capacity %lld and memory limit %lld but %lld and %lld "
             "were requested, or it is to be used otherwise",
             options_.title.c_str(), static_cast<long long>(options_.capacity),
             static_cast<long long>(options_.memoryLimit), static_cast<long long>(options.capacity),
             static_cast<long long>(options.memoryLimit)));
}

Status StagingArea::checkKeyed(bool keyed) const {
  if (keyed == options_.isKeyed)
    return okStatus();
  return invalidArgument(options_.title + (keyed ? " has no keys" : " has keys"));
}

Status StagingArea::checkFits(uint64_t bytes) const {
  if (options_.memoryLimit == 0 || bytes <= static_cast<uint64_t>(options_.memoryLimit))
    return okStatus();
  return resourceExhausted(format("Attempted to insert tensors with combined size of '%llu' bytes "
                                  "into %s with a memory limit of '%lld'.",
                                  static_cast<unsigned long long>(bytes), options_.title.c_str(),
                                  static_cast<long long>(options_.memoryLimit)));
}

bool StagingArea::hasRoom(uint64_t bytes) const {
  return (options_.capacity == 0 || count() < options_.capacity) &&
         (options_.memoryLimit == 0 ||
          bytes_ + bytes <= static_cast<uint64_t>(options_.memoryLimit));
}

Status StagingArea::give(std::map<int64_t, Tuple>::iterator entry, std::span<const size_t> indices,
                         bool keeps, std::span<const DType> types, std::span<Tensor> outputs) {
  Tuple &tuple = entry->second;
  if (types.size() != indices.size())
    return invalidArgument(
        format("Mismatch stage/unstage: %zu vs. %zu", indices.size(), types.size()));
  for (size_t i = 0; i < indices.size(); ++i) {
    size_t index = indices[i];
    if (index >= tuple.size())
      return invalidArgument(format("Index '%zu' for key '%lld' was out of bounds '%zu'.", index,
                                    static_cast<long long>(entry->first), tuple.size()));
    if (!tuple[index].valid())
      return invalidArgument(
          format("Tensor at index '%zu' for key '%lld' has already been removed.", index,
                 static_cast<long long>(entry->first)));
    if (tuple[index].dtype() != types[i])
      return invalidArgument(format("Mismatch stage/unstage: component %zu is %s but was wanted as "
                                    "%s",
                                    index, std::string(dtypeName(tuple[index].dtype())).c_str(),
                                    std::string(dtypeName(types[i])).c_str()));
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    outputs[i] = tuple[indices[i]];
    if (keeps)
      continue;
    bytes_ -= outputs[i].bytes();
    tuple[indices[i]].reset();
  }
  if (std::ranges::none_of(tuple, &Tensor::valid))
    tuples_.erase(entry);
  return okStatus();
}

// ---- In order

class StagingArea::Put final : public Wish {
public:
  Put(StagingArea &area, Tuple tuple) : area_(area), tuple_(std::move(tuple)) {}
  Outcome attempt(std::span<Tensor>, Status &) override {
    uint64_t bytes = bytesOf(tuple_);
    if (!area_.hasRoom(bytes))
      return Outcome::kWaits;
    area_.bytes_ += bytes;
    area_.tuples_.emplace_hint(area_.tuples_.end(), area_.next_++, std::move(tuple_));
    return Outcome::kEnded;
  }

private:
  StagingArea &area_;
  Tuple tuple_;
};

Status StagingArea::put(std::vector<Tensor> tuple, Client client) {
  SLUICE_RETURN_IF_ERROR(checkKeyed(false));
  SLUICE_RETURN_IF_ERROR(checkFits(bytesOf(tuple)));
  return ask(kPuts, Put(*this, std::move(tuple)), client, "put");
}

// The tuple at a position, all of it.
class StagingArea::Take final : public Wish {
public:
  Take(StagingArea &area, int64_t position, bool keeps, std::span<const DType> types)
      : area_(area), position_(position), keeps_(keeps), types_(types.begin(), types.end()) {}
  Outcome attempt(std::span<Tensor> outputs, Status &status) override {
    if (position_ < 0 || position_ >= area_.count())
      return Outcome::kWaits;
    auto entry = std::next(area_.tuples_.begin(), position_);
    std::vector<size_t> all(entry->second.size());
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = i;
    status = area_.give(entry, all, keeps_, types_, outputs);
    return Outcome::kEnded;
  }

private:
  StagingArea &area_;
  int64_t position_;
  bool keeps_;
  std::vector<DType> types_;
};

Status StagingArea::take(std::span<const DType> types, Client client) {
  SLUICE_RETURN_IF_ERROR(checkKeyed(false));
  return ask(kTakes, Take(*this, 0, false, types), client, "take");
}

Status StagingArea::peek(int64_t index, std::span<const DType> types, Client client) {
  SLUICE_RETURN_IF_ERROR(checkKeyed(false));
  return ask(kTakes, Take(*this, index, true, types), client, "peek");
}

// ---- By keys

static Result<std::vector<size_t>> placesAt(const Tensor &indices) {
  std::vector<size_t> places;
  for (int64_t i = 0; i < indices.elements(); ++i) {
    int64_t index = indices.asInt(i);
    if (i > 0 && index <= indices.asInt(i - 1))
      return invalidArgument("Indices are not strictly ordered");
    if (index < 0)
      return invalidArgument(format("Index '%lld' is negative", static_cast<long long>(index)));
    places.push_back(static_cast<size_t>(index));
  }
  return places;
}

// What becomes complete waits for room.
class StagingArea::PutAt final : public Wish {
public:
  PutAt(StagingArea &area, int64_t key, size_t size, std::vector<size_t> indices, Tuple components)
      : area_(area), key_(key), size_(size), indices_(std::move(indices)),
        components_(std::move(components)) {}
  Outcome attempt(std::span<Tensor>, Status &status) override {
    auto begun = area_.incomplete_.find(key_);
    Tuple tuple = begun == area_.incomplete_.end() ? Tuple(size_) : begun->second;
    status = addTo(tuple);
    if (!status.ok())
      return Outcome::kEnded;
    bool isComplete = std::ranges::all_of(tuple, &Tensor::valid);
    uint64_t bytes = bytesOf(components_);
    if (isComplete && !area_.hasRoom(bytes))
      return Outcome::kWaits;
    area_.bytes_ += bytes;
    if (!isComplete) {
      area_.incomplete_[key_] = std::move(tuple);
      return Outcome::kEnded;
    }
    if (begun != area_.incomplete_.end())
      area_.incomplete_.erase(begun);
    if (!area_.tuples_.try_emplace(key_, tuple).second) // the one that is there stays
      area_.bytes_ -= bytesOf(tuple);
    return Outcome::kEnded;
  }

private:
  Status addTo(Tuple &tuple) const {
    for (size_t i = 0; i < indices_.size(); ++i) {
      if (indices_[i] >= tuple.size())
        return invalidArgument(format("Index '%zu' for key '%lld' was out of bounds '%zu'.",
                                      indices_[i], static_cast<long long>(key_), tuple.size()));
      if (tuple[indices_[i]].valid())
        return invalidArgument(format("The tensor for index '%zu' for key '%lld' was already "
                                      "initialized",
                                      indices_[i], static_cast<long long>(key_)));
      tuple[indices_[i]] = components_[i];
    }
    return okStatus();
  }

  StagingArea &area_;
  int64_t key_;
  size_t size_;
  std::vector<size_t> indices_;
  Tuple components_;
};

Status StagingArea::putAt(int64_t key, int64_t size, const Tensor &indices,
                          std::vector<Tensor> components, Client client) {
  SLUICE_RETURN_IF_ERROR(checkKeyed(true));
  SLUICE_ASSIGN_OR_RETURN(std::vector<size_t> places, placesAt(indices));
  if (places.size() != components.size())
    return invalidArgument(format("expected a component for each of %zu indices but got %zu",
                                  places.size(), components.size()));
  SLUICE_RETURN_IF_ERROR(checkFits(bytesOf(components)));
  PutAt wish(*this, key, static_cast<size_t>(size), std::move(places), std::move(components));
  return ask(kPuts, std::move(wish), client, "put");
}

class StagingArea::TakeAt final : public Wish {
public:
  // Without a key: the least one, which is the first output.
  TakeAt(StagingArea &area, std::optional<int64_t> key, std::vector<size_t> indices, bool keeps,
         std::span<const DType> types)
      : area_(area), key_(key), indices_(std::move(indices)), keeps_(keeps),
        types_(types.begin(), types.end()) {}
  Outcome attempt(std::span<Tensor> outputs, Status &status) override {
    auto entry = key_ ? area_.tuples_.find(*key_) : area_.tuples_.begin();
    if (entry == area_.tuples_.end())
      return Outcome::kWaits;
    if (!key_)
      outputs[0] = Tensor::scalar(entry->first);
    status = area_.give(entry, indices_, keeps_, types_, outputs.subspan(key_ ? 0 : 1));
    return Outcome::kEnded;
  }

private:
  StagingArea &area_;
  std::optional<int64_t> key_;
  std::vector<size_t> indices_;
  bool keeps_;
  std::vector<DType> types_;
};

Status StagingArea::takeAt(int64_t key, const Tensor &indices, bool keeps,
                           std::span<const DType> types, Client client) {
  SLUICE_RETURN_IF_ERROR(checkKeyed(true));
  SLUICE_ASSIGN_OR_RETURN(std::vector<size_t> places, placesAt(indices));
  TakeAt wish(*this, key, std::move(places), keeps, types);
  return ask(kTakes, std::move(wish), client, keeps ? "peek" : "take");
}

Status StagingArea::takeLeast(const Tensor &indices, std::span<const DType> types, Client client) {
  SLUICE_RETURN_IF_ERROR(checkKeyed(true));
  SLUICE_ASSIGN_OR_RETURN(std::vector<size_t> places, placesAt(indices));
  TakeAt wish(*this, std::nullopt, std::move(places), false, types.subspan(1));
  return ask(kTakes, std::move(wish), client, "take");
}

// ---- All of it

int64_t StagingArea::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return count();
}

int64_t StagingArea::incompleteSize() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int64_t>(incomplete_.size());
}

void StagingArea::clear() {
  std::unique_lock<std::mutex> lock(mutex_);
  tuples_.clear();
  incomplete_.clear();
  bytes_ = 0;
  serveOthers(lock);
}

} // namespace sluice::rt
