// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of type tf.train.Example: features by their names, each a list of floats, of integers or
// of strings.
#pragma once

#include "runtime/memory/tensor.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::rt {

// A feature as it stands in the message; the elements have not been looked at.
struct Feature {
  DType dtype = DType::kInvalid; // kF32, kI64 or kString; kInvalid: it holds no list
  std::string_view list;
};

struct NamedFeature {
  std::string_view name;
  std::string_view bytes; // for `parseFeature`
};

// All features, in the order of the bytes. A name may be there twice; then the last one counts.
// INVALID_ARGUMENT unless the bytes are an example.
Result<std::vector<NamedFeature>> parseExample(std::string_view bytes);
// INVALID_ARGUMENT if it is a list of something else.
Result<Feature> parseFeature(std::string_view bytes);

// Elements of features, one behind the other.
class FeatureValues {
public:
  // Of one of the three types.
  explicit FeatureValues(DType dtype);

  DType dtype() const;
  size_t size() const;
  void clear();
  // The elements of a feature of this type. False where its bytes are damaged.
  bool append(const Feature &feature);
  // Of the elements from `begin` on, `count` to those of a tensor of this type from `to` on.
  void copyTo(Tensor &tensor, int64_t to, size_t begin, size_t count) const;

private:
  std::variant<std::vector<float>, std::vector<int64_t>, std::vector<std::string>> values_;
};

} // namespace sluice::rt
