// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staging areas as tensors, so that they can be saved: complete tuples, and then those that are
// not. There are few, and they may be of any types, so each component is a tensor of its own.
#include "runtime/state/content_reader.h"
#include "runtime/state/staging_area.h"

#include <algorithm>

namespace sluice::rt {

namespace {

using Tuples = std::map<int64_t, std::vector<Tensor>>;

// A byte for each component says whether it is there.
void addTuples(const std::string &which, const Tuples &tuples, std::vector<NamedTensor> &content) {
  std::vector<int64_t> keys;
  for (const auto &[key, tuple] : tuples)
    keys.push_back(key);
  content.emplace_back(which, Tensor::vector<int64_t>(keys));
  size_t number = 0;
  for (const auto &[key, tuple] : tuples) {
    std::string name = which + "/" + std::to_string(number++);
    std::vector<uint8_t> present;
    for (const Tensor &one : tuple)
      present.push_back(one.valid());
    content.emplace_back(name, Tensor::vector<uint8_t>(present));
    for (size_t i = 0; i < tuple.size(); ++i)
      if (tuple[i].valid())
        content.emplace_back(name + "/" + std::to_string(i), tuple[i]);
  }
}

Status takeTuples(const std::string &which, ContentReader &in, Tuples &tuples) {
  Tensor keys = in.take(which, DType::kI64, 1);
  for (int64_t i = 0; !in.failed() && i < keys.elements(); ++i) {
    std::string name = which + "/" + std::to_string(i);
    Tensor present = in.take(name, DType::kU8, 1);
    if (in.failed())
      break;
    auto [entry, isNew] = tuples.try_emplace(keys.data<int64_t>()[i]);
    if (!isNew)
      return in.refuse("a key twice");
    entry->second.resize(static_cast<size_t>(present.elements()));
    for (int64_t k = 0; k < present.elements(); ++k)
      if (present.data<uint8_t>()[k])
        entry->second[static_cast<size_t>(k)] = in.takeAny(name + "/" + std::to_string(k));
  }
  return in.failed() ? in.status() : okStatus();
}

uint64_t bytesOf(const Tuples &tuples) {
  uint64_t bytes = 0;
  for (const auto &[key, tuple] : tuples)
    for (const Tensor &one : tuple)
      bytes += one.valid() ? one.bytes() : 0;
  return bytes;
}

} // namespace

Result<std::vector<NamedTensor>> StagingArea::content() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<NamedTensor> content;
  content.emplace_back("title", Tensor::string(options_.title));
  content.emplace_back("keyed", Tensor::scalar(static_cast<uint8_t>(options_.isKeyed)));
  content.emplace_back("capacity", Tensor::scalar(options_.capacity));
  content.emplace_back("memory_limit", Tensor::scalar(options_.memoryLimit));
  content.emplace_back("next", Tensor::scalar(next_));
  addTuples("complete", tuples_, content);
  addTuples("incomplete", incomplete_, content);
  return content;
}

Result<Ref<StagingArea>> StagingArea::ofContent(std::vector<NamedTensor> content) {
  ContentReader in("staging area", std::move(content));
  Options options;
  options.title = in.text("title");
  options.isKeyed = in.scalar<uint8_t>("keyed") != 0;
  options.capacity = in.scalar<int64_t>("capacity");
  options.memoryLimit = in.scalar<int64_t>("memory_limit");
  auto next = in.scalar<int64_t>("next");
  if (options.capacity < 0 || options.memoryLimit < 0)
    return in.refuse("a negative bound");
  SLUICE_ASSIGN_OR_RETURN(Ref<StagingArea> area, make(std::move(options)));
  SLUICE_RETURN_IF_ERROR(takeTuples("complete", in, area->tuples_));
  SLUICE_RETURN_IF_ERROR(takeTuples("incomplete", in, area->incomplete_));
  SLUICE_RETURN_IF_ERROR(in.status());
  bool isInOrder =
      area->incomplete_.empty() && (area->tuples_.empty() || area->tuples_.rbegin()->first < next);
  if (!area->options_.isKeyed && !isInOrder)
    return in.refuse("tuples that are out of order");
  area->next_ = next;
  area->bytes_ = bytesOf(area->tuples_) + bytesOf(area->incomplete_);
  return area;
}

constexpr ObjectType kStagingAreaType = objectTypeOf<StagingArea>("stage");

} // namespace sluice::rt
