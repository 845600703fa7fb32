// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier: gathers tuples by their keys, component by component. Complete ones stand in a queue,
// by when their keys came first.
#pragma once

#include "runtime/state/object_type.h"
#include "runtime/state/queue.h"

#include <map>

namespace sluice::rt {

class Barrier final : public Object {
public:
  static constexpr Kind kKind = Kind::kBarrier;
  static const ObjectType &type() { return kBarrierType; }

  struct Options {
    std::string title; // "barrier 'b'"
    Components components;
  };
  static Result<Ref<Barrier>> make(Options options);
  // INVALID_ARGUMENT unless the barrier is as was asked for.
  Status check(const Options &options) const;

  // The rows of `values` are component number `component` of the keys' tuples. What came before a
  // key that is refused stays.
  Status insert(const Tensor &keys, int64_t component, const Tensor &values);
  // Outputs: the tuples' numbers, their keys, and batches of their components.
  Status take(int64_t count, bool allowFewer, std::span<const DType> types, Client client);
  // With `cancels`, keys that are incomplete go.
  Status close(bool cancels);
  int64_t readySize() const { return ready_->size(); }
  int64_t incompleteSize() const;

  // All that the barrier is, as of LastingObject::save, and the barrier of such a content.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<Barrier>> ofContent(std::vector<NamedTensor> content);

private:
  struct Incomplete {
    int64_t number;
    std::vector<Tensor> components; // invalid: not there yet
  };

  Barrier(Options options, Ref<Queue> ready)
      : Object(kKind), options_(std::move(options)), ready_(std::move(ready)) {}
  Status checkRows(const Tensor &keys, int64_t component, const Tensor &values) const;
  Status insertOne(const std::string &key, size_t component, Tensor value, bool &isNew);
  Status closedError(int64_t keys) const;

  const Options options_;
  const Ref<Queue> ready_; // number, key, components
  mutable std::mutex mutex_;
  // Of keys that are no queue's yet; sorted, so that a saved one is the same again.
  std::map<std::string, Incomplete> incomplete_;
  int64_t next_ = INT64_MIN; // number of the next insertion that brings new keys
  bool closed_ = false, cancelled_ = false;
};

} // namespace sluice::rt
