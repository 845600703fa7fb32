// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of one feature in all examples, as they come, and the tensors that they make.
#pragma once

#include "runtime/io/records/example.h"

#include <string>
#include <vector>

namespace sluice::rt {

// Which example, for messages.
struct ExamplePlace {
  int64_t index;
  std::string name;
};

class ParsedFeature {
public:
  ParsedFeature(std::string key, DType dtype) : key_(std::move(key)), values_(dtype) {}

  // Each example has this shape, whose first dim may be unknown; `fallback` is for those that lack
  // it. INVALID_ARGUMENT if they do not fit; `number` is the feature's among the dense ones.
  Status beDense(size_t number, const Shape &shape, const Tensor &fallback,
                 const Shape &serialized);
  std::string_view key() const { return key_; }

  // The values in an example; the first ones count. Messages name the example.
  Status take(std::string_view bytes, const ExamplePlace &place);
  // Then, also if there were none.
  Status endExample(const ExamplePlace &place);

  // After all examples, or after the only one if there is no batch.
  Status storeSparse(Tensor &indices, Tensor &values, Tensor &shape, bool isBatch) const;
  Status storeDense(Tensor &values, bool isBatch);
  Status storeRagged(Tensor &values, Tensor &splits, DType splitType, bool isBatch) const;

private:
  enum class Form : uint8_t { kSparse, kFixed, kPadded };

  Status fault(const ExamplePlace &place, const std::string &what) const;
  Status endFixed(const ExamplePlace &place);
  Status endPadded(const ExamplePlace &place, size_t count) const;
  void storeFallback(Tensor &to, int64_t begin, int64_t count) const;
  Result<Tensor> all() const;
  size_t longest() const;

  std::string key_;
  FeatureValues values_;       // of all examples; of a fixed shape, of this example
  std::vector<size_t> counts_; // of values in each example
  bool isTaken_ = false;       // in this example
  size_t begin_ = 0;           // of its values

  // Of dense ones.
  Form form_ = Form::kSparse;
  Shape shape_;
  Tensor fallback_;
  Tensor fixed_;       // all of a fixed shape
  int64_t stride_ = 1; // values of one along the first dim, if that is unknown; else of an example
};

} // namespace sluice::rt
