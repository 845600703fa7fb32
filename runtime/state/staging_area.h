// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A staging area: tuples of tensors on their way from one firing to another, in the order in which
// they came or by keys. A tuple with a key may come and go component by component.
#pragma once

#include "runtime/memory/named_tensor.h"
#include "runtime/state/object_type.h"
#include "runtime/state/waiting_lines.h"

#include <map>
#include <string>

namespace sluice::rt {

class StagingArea final : public WaitingLines {
public:
  static constexpr Kind kKind = Kind::kStagingArea;
  static const ObjectType &type() { return kStagingAreaType; }

  struct Options {
    std::string title; // "staging area 's'"
    bool isKeyed = false;
    int64_t capacity = 0;    // tuples; 0: any number
    int64_t memoryLimit = 0; // bytes; likewise
  };
  static Result<Ref<StagingArea>> make(Options options);
  // INVALID_ARGUMENT unless the area is as was asked for.
  Status check(const Options &options) const;

  // Without keys. Takes and looks give the components.
  Status put(std::vector<Tensor> tuple, Client client);
  Status take(std::span<const DType> types, Client client);
  Status peek(int64_t index, std::span<const DType> types, Client client);

  // With keys: the components number `indices`, which grow, of tuples of `size` components.
  Status putAt(int64_t key, int64_t size, const Tensor &indices, std::vector<Tensor> components,
               Client client);
  // `keeps`: they stay.
  Status takeAt(int64_t key, const Tensor &indices, bool keeps, std::span<const DType> types,
                Client client);
  // The first output is the key.
  Status takeLeast(const Tensor &indices, std::span<const DType> types, Client client);

  int64_t size() const;
  int64_t incompleteSize() const;
  void clear();

  std::string title() const override { return options_.title; }

  // All that the area is, as of LastingObject::save, and the area of such a content.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<StagingArea>> ofContent(std::vector<NamedTensor> content);

private:
  using Tuple = std::vector<Tensor>; // of keyed areas some may be invalid
  class Put;
  class PutAt;
  class Take;
  class TakeAt;
  static constexpr size_t kPuts = 0, kTakes = 1; // lines

  explicit StagingArea(Options options)
      : WaitingLines(kKind, Turns::kAnybody), options_(std::move(options)) {}
  Status checkKeyed(bool keyed) const;
  Status checkFits(uint64_t bytes) const;
  bool hasRoom(uint64_t bytes) const;
  // The components of a tuple are given, and removed unless it keeps them.
  Status give(std::map<int64_t, Tuple>::iterator entry, std::span<const size_t> indices, bool keeps,
              std::span<const DType> types, std::span<Tensor> outputs);
  int64_t count() const { return static_cast<int64_t>(tuples_.size()); }

  const Options options_;
  // By key; without keys, by number.
  std::map<int64_t, Tuple> tuples_, incomplete_;
  int64_t next_ = 0; // number of the next one
  uint64_t bytes_ = 0;
};

} // namespace sluice::rt
