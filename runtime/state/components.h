// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tuples in a queue and its kin consist of: a type and what is known of the shape of each
// component.
#pragma once

#include "runtime/memory/named_tensor.h"

#include <span>
#include <vector>

namespace sluice::rt {

struct Component {
  DType dtype = DType::kInvalid;
  Shape shape; // without a rank where nothing is said of it

  bool operator==(const Component &) const = default;
};

class Components {
public:
  Components() = default;
  explicit Components(std::vector<Component> all) : all_(std::move(all)) {}
  // As the compiler passes them: for each the type, the rank and the dims, where -1 is unknown.
  static Components of(std::span<const int64_t> numbers);

  size_t size() const { return all_.size(); }
  const Component &operator[](size_t i) const { return all_[i]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  // Shapes are said of all components, or of none.
  bool haveShapes() const;
  bool operator==(const Components &) const = default;

  // INVALID_ARGUMENT unless the tuple has such components; with `many`, batches of them, which have
  // one size.
  Status check(std::span<const Tensor> tuple, bool many) const;
  // INVALID_ARGUMENT unless these are the types of the components.
  Status checkTypes(std::span<const DType> types) const;

  // "f32 [2], i64 <unknown>"
  std::string toString() const;
  std::vector<int64_t> numbers() const;
  // The counterpart of `numbers` for what comes from a file: empty where it is no such list.
  static Components ofContent(std::span<const int64_t> numbers);

private:
  std::vector<Component> all_;
};

} // namespace sluice::rt
