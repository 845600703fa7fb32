// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators as tensors, so that they can be saved.
#include "runtime/state/accumulator.h"
#include "runtime/state/components.h"
#include "runtime/state/content_reader.h"

#include <algorithm>

namespace sluice::rt {

Result<std::vector<NamedTensor>> Accumulator::content() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<NamedTensor> content;
  Components whole({{options_.dtype, options_.shape}});
  content.emplace_back("title", Tensor::string(options_.title));
  content.emplace_back("type", Tensor::vector<int64_t>(whole.numbers()));
  content.emplace_back("sparse", Tensor::scalar(static_cast<uint8_t>(options_.isSparse)));
  content.emplace_back("averages", Tensor::scalar(static_cast<uint8_t>(options_.averages)));
  content.emplace_back("step", Tensor::scalar(step_));
  content.emplace_back("count", Tensor::scalar(count_));
  if (count_ > 0)
    content.emplace_back("sum", sum_);
  if (count_ > 0 && options_.isSparse) {
    content.emplace_back("indices", Tensor::vector<int64_t>(indices_));
    content.emplace_back("counts", Tensor::vector<int64_t>(counts_));
  }
  return content;
}

Result<Ref<Accumulator>> Accumulator::ofContent(std::vector<NamedTensor> content) {
  ContentReader in("accumulator", std::move(content));
  Options options;
  options.title = in.text("title");
  Tensor type = in.take("type", DType::kI64, 1);
  options.isSparse = in.scalar<uint8_t>("sparse") != 0;
  options.averages = in.scalar<uint8_t>("averages") != 0;
  auto step = in.scalar<int64_t>("step"), count = in.scalar<int64_t>("count");
  SLUICE_RETURN_IF_ERROR(in.failed() ? in.status() : okStatus());
  Components whole = Components::ofContent(type.values<int64_t>());
  if (whole.size() != 1 || count < 0)
    return in.refuse("no type, or a negative count");
  options.dtype = whole[0].dtype;
  options.shape = whole[0].shape;
  SLUICE_ASSIGN_OR_RETURN(Ref<Accumulator> accumulator, make(std::move(options)));
  accumulator->step_ = step;
  if (count > 0) {
    Tensor sum = in.takeAny("sum");
    Tensor indices, counts;
    if (accumulator->options_.isSparse) {
      indices = in.take("indices", DType::kI64, 1);
      counts = in.take("counts", DType::kI64, 1);
    }
    SLUICE_RETURN_IF_ERROR(in.failed() ? in.status() : okStatus());
    SLUICE_RETURN_IF_ERROR(accumulator->restoreSum(sum, indices, counts));
    accumulator->count_ = count;
  }
  SLUICE_RETURN_IF_ERROR(in.status());
  return accumulator;
}

Status Accumulator::restoreSum(const Tensor &sum, const Tensor &indices, const Tensor &counts) {
  SLUICE_RETURN_IF_ERROR(checkUse(sum.dtype(), options_.isSparse));
  SLUICE_RETURN_IF_ERROR(options_.isSparse ? checkRows(indices, sum, nullptr) : checkShape(sum));
  sum_ = sum;
  if (!options_.isSparse)
    return okStatus();
  std::span<const int64_t> all = indices.values<int64_t>(), each = counts.values<int64_t>();
  if (all.size() != each.size() || std::ranges::any_of(each, [](int64_t n) { return n <= 0; }))
    return invalidArgument("the content of an accumulator has rows without counts");
  indices_.assign(all.begin(), all.end());
  counts_.assign(each.begin(), each.end());
  return okStatus();
}

constexpr ObjectType kAccumulatorType = objectTypeOf<Accumulator>("accumulator");

} // namespace sluice::rt
