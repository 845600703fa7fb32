// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue of tuples of tensors, which firings of all calls put in and take out.
//
// Who puts in waits in one line for room, who takes in another one for elements. Closing waits for
// its turn among those that put in, so what came before is in.
#pragma once

#include "runtime/base/philox.h"
#include "runtime/state/components.h"
#include "runtime/state/object_type.h"
#include "runtime/state/waiting_lines.h"

#include <string>

namespace sluice::rt {

class ContentReader;

class Queue final : public WaitingLines {
public:
  static constexpr Kind kKind = Kind::kQueue;
  static const ObjectType &type() { return kQueueType; }

  // Which element comes out next.
  enum class Order : uint8_t {
    kFifo,     // the one that is there longest
    kPadding,  // likewise; shapes may differ, and batches are padded
    kPriority, // the one whose first component, a scalar i64, is smallest
    kRandom,   // one that is drawn
  };
  static std::optional<Order> orderOf(std::string_view name);

  struct Options {
    std::string title; // "queue 'q'", for messages
    Order order = Order::kFifo;
    Components components;
    int64_t capacity = -1; // negative: none
    int64_t minAfterDequeue = 0;
    int64_t seed = 0, seed2 = 0;
  };
  static Result<Ref<Queue>> make(Options options);
  // INVALID_ARGUMENT unless the queue is as was asked for.
  Status check(const Options &options) const;

  // A tuple, or with `many` batches of its components. CANCELLED once the queue is closed.
  Status enqueue(std::vector<Tensor> tuple, bool many, Client client);
  // Errors: INVALID_ARGUMENT; OUT_OF_RANGE when the queue is closed and has too few.
  Status dequeue(std::span<const DType> types, Client client);
  Status dequeueMany(int64_t count, bool allowFewer, std::span<const DType> types, Client client);
  // `cancels`: all that wait to be put in. CANCELLED where it is closed already, unless it does.
  Status close(bool cancels, Client client);
  int64_t size() const;
  bool isClosed() const;

  std::string title() const override { return options_.title; }
  const Components &components() const { return options_.components; }

  // All that the queue is, as of LastingObject::save, and the queue of such a content.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<Queue>> ofContent(std::vector<NamedTensor> content);

private:
  using Element = std::vector<Tensor>;
  class Put;
  class PutMany;
  class Close;
  class Take;
  class TakeMany;
  static constexpr size_t kPuts = 0, kTakes = 1; // lines

  explicit Queue(Options options);
  int64_t count() const { return static_cast<int64_t>(elements_.size()); }
  bool hasRoom() const { return options_.capacity < 0 || count() < options_.capacity; }
  // How many may be taken now.
  int64_t available() const;
  void put(Element element);
  Element take();
  // What was taken last, in that order.
  void putBack(std::vector<Element> elements);
  uint32_t draw();
  Status closedError() const;
  Status tooFewError(int64_t wanted) const;
  // A heap has its largest element in front.
  static bool isLater(const Element &a, const Element &b) {
    return *a[0].data<int64_t>() > *b[0].data<int64_t>();
  }
  Status restoreElements(ContentReader &in);
  // The batches of the components of these elements.
  Status batches(std::span<const Element> elements, std::span<Tensor> outputs) const;

  const Options options_;
  std::deque<Element> elements_; // by priority: a heap
  bool closed_ = false;
  uint64_t drawn_ = 0; // how many numbers
};

} // namespace sluice::rt
