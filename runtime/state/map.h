// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors by keys, as a value. Kernels change a map that nobody else holds, and a copy of any
// other; so nobody who has a map sees it change.
//
// Keys are equal when their types, shapes and elements are; zeros of either sign are.
#pragma once

#include "runtime/memory/object.h"
#include "runtime/memory/tensor.h"

#include <list>
#include <string>
#include <unordered_map>
#include <vector>

namespace sluice::rt {

class Map final : public Object {
public:
  static constexpr Kind kKind = Kind::kMap;
  // To copy one, for TurnsOfCall.
  static constexpr int64_t kCostOfEntry = 512;

  static Ref<Map> make(int64_t room = 0);
  Result<Ref<Map>> clone() const;

  int64_t size() const { return static_cast<int64_t>(entries_.size()); }
  // Null where there is no such key.
  Result<const Tensor *> find(const Tensor &key) const;
  // In the order in which they came.
  Result<std::vector<Tensor>> keys() const;

  // ---- Changes, of a map that nobody else holds ----

  Status insert(const Tensor &key, const Tensor &value);
  // Whether there was one.
  Result<bool> erase(const Tensor &key);
  // The values of keys that both have are summed.
  Status add(const Map &other);

private:
  struct Entry {
    Tensor key, value;
  };
  using Entries = std::list<Entry>;

  explicit Map(int64_t room);
  // What tells a key from all others.
  static Result<std::string> identityOf(const Tensor &key);

  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> places_;
};

} // namespace sluice::rt
