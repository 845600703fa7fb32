// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of maps.
#include "runtime/state/map.h"

#include "runtime/base/pieces.h"
#include "runtime/state/addition.h"

#include <algorithm>

namespace sluice::rt {

// To append one, for TurnsOfCall.
static constexpr int64_t kCostOfNumber = 8, kCostOfString = 64;

Map::Map(int64_t room) : Object(kKind) { places_.reserve(static_cast<size_t>(room)); }

// A promise of entries is not one of memory.
Ref<Map> Map::make(int64_t room) {
  constexpr int64_t kMostRoom = 1024;
  return Ref<Map>::adopt(new Map(std::min(room, kMostRoom)));
}

// ---- Keys ---------------------------------------------------------------------------------------

// Both zeros are the one without sign.
template <typename T>
static Status appendFloats(const Tensor &key, int64_t perElement, std::string &to) {
  const T *elements = static_cast<const T *>(key.raw());
  TurnsOfCall turns(kCostOfNumber);
  for (int64_t i = 0; i < perElement * key.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    T element = elements[i] == T(0) ? T(0) : elements[i];
    to.append(reinterpret_cast<const char *>(&element), sizeof element);
  }
  return okStatus();
}
static Status appendStrings(const Tensor &key, std::string &to) {
  TurnsOfCall turns(kCostOfString);
  for (int64_t i = 0; i < key.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    const std::string &text = key.data<std::string>()[i];
    to += std::to_string(text.size()) + ':' + text;
  }
  return okStatus();
}
static Status appendBytes(const Tensor &key, std::string &to) {
  to.append(static_cast<const char *>(key.raw()), key.bytes());
  return okStatus();
}

static Status appendElements(const Tensor &key, std::string &to) {
  switch (key.dtype()) {
  case DType::kHandle:
    return invalidArgument("expected a tensor as the key of a map but got a handle");
  case DType::kString:
    return appendStrings(key, to);
  case DType::kF16:
    return appendFloats<Half>(key, 1, to);
  case DType::kBF16:
    return appendFloats<BFloat16>(key, 1, to);
  case DType::kF32:
    return appendFloats<float>(key, 1, to);
  case DType::kF64:
    return appendFloats<double>(key, 1, to);
  case DType::kC64:
    return appendFloats<float>(key, 2, to);
  case DType::kC128:
    return appendFloats<double>(key, 2, to);
  default:
    return appendBytes(key, to);
  }
}

Result<std::string> Map::identityOf(const Tensor &key) {
  std::string identity = std::to_string(static_cast<int>(key.dtype())) + key.shape().toString();
  SLUICE_RETURN_IF_ERROR(appendElements(key, identity));
  return identity;
}

Result<const Tensor *> Map::find(const Tensor &key) const {
  SLUICE_ASSIGN_OR_RETURN(std::string identity, identityOf(key));
  auto place = places_.find(identity);
  return place == places_.end() ? nullptr : &place->second->value;
}

Result<std::vector<Tensor>> Map::keys() const {
  std::vector<Tensor> keys;
  TurnsOfCall turns(kCostOfEntry);
  for (const Entry &entry : entries_) {
    if (turns.end())
      return cancelledWork();
    keys.push_back(entry.key);
  }
  return keys;
}

// ---- Changes ------------------------------------------------------------------------------------

Status Map::insert(const Tensor &key, const Tensor &value) {
  SLUICE_ASSIGN_OR_RETURN(std::string identity, identityOf(key));
  auto [place, isNew] = places_.try_emplace(std::move(identity));
  if (isNew)
    place->second = entries_.insert(entries_.end(), {key, value});
  else
    place->second->value = value;
  return okStatus();
}

Result<bool> Map::erase(const Tensor &key) {
  SLUICE_ASSIGN_OR_RETURN(std::string identity, identityOf(key));
  auto place = places_.find(identity);
  if (place == places_.end())
    return false;
  entries_.erase(place->second);
  places_.erase(place);
  return true;
}

Status Map::add(const Map &other) {
  TurnsOfCall turns(kCostOfEntry);
  for (const Entry &entry : other.entries_) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(std::string identity, identityOf(entry.key));
    auto place = places_.find(identity);
    if (place == places_.end()) {
      SLUICE_RETURN_IF_ERROR(insert(entry.key, entry.value));
      continue;
    }
    Tensor &sum = place->second->value;
    if (sum.dtype() != entry.value.dtype() || !(sum.shape() == entry.value.shape()))
      return invalidArgument("Trying to add two tensors with incompatible element shapes. One is " +
                             sum.shape().toString() + " and the other is " +
                             entry.value.shape().toString());
    SLUICE_RETURN_IF_ERROR(addInto(sum, entry.value));
  }
  return okStatus();
}

Result<Ref<Map>> Map::clone() const {
  Ref<Map> copy = make(size());
  TurnsOfCall turns(kCostOfEntry);
  for (const Entry &entry : entries_) {
    if (turns.end())
      return cancelledWork();
    SLUICE_RETURN_IF_ERROR(copy->insert(entry.key, entry.value));
  }
  return copy;
}

} // namespace sluice::rt
