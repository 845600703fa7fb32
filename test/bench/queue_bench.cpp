// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it takes to put an element into a queue and to take it out again, where nobody waits, beside
// a ring that one thread uses. Prints a JSON line for each case; test/bench/queues repeats rounds
// and makes the table.
#include "runtime/state/queue.h"
#include "test/bench/measuring.h"

using namespace sluice::rt;
using sluice::bench::now;

namespace {

constexpr size_t kInQueue = 8; // at a time

struct Case {
  const char *name;
  Shape shape;
  Queue::Order order;
};

Ref<Queue> queueOf(const Case &one) {
  Queue::Options options;
  options.title = "queue 'q'";
  options.order = one.order;
  options.components = Components({{DType::kF32, one.shape}});
  options.capacity = 2 * kInQueue;
  return *Queue::make(std::move(options));
}

void require(const Status &status) {
  if (status.ok())
    return;
  std::fprintf(stderr, "error: %s\n", status.toString().c_str());
  std::exit(1);
}

double nanosecondsOfPair(const Case &one, int64_t count) {
  Ref<Queue> queue = queueOf(one);
  Tensor element = *Tensor::allocate(DType::kF32, one.shape);
  std::memset(element.raw(), 0, element.bytes());
  const DType types[] = {DType::kF32};
  for (size_t i = 0; i < kInQueue; ++i)
    require(queue->enqueue({element}, false, {}));
  double begin = now();
  for (int64_t i = 0; i < count; ++i) {
    require(queue->enqueue({element}, false, {}));
    Tensor taken;
    require(queue->dequeue(types, {{&taken, 1}, nullptr}));
  }
  return (now() - begin) / static_cast<double>(count);
}

// The same tensors, and no more than that.
double nanosecondsOfRing(const Case &one, int64_t count) {
  Tensor element = *Tensor::allocate(DType::kF32, one.shape);
  std::memset(element.raw(), 0, element.bytes());
  std::vector<Tensor> ring(2 * kInQueue);
  size_t first = 0, last = 0;
  for (size_t i = 0; i < kInQueue; ++i)
    ring[last++ % ring.size()] = element;
  double begin = now();
  for (int64_t i = 0; i < count; ++i) {
    ring[last++ % ring.size()] = element;
    Tensor taken = std::move(ring[first++ % ring.size()]);
    if (!taken.valid())
      std::abort();
  }
  return (now() - begin) / static_cast<double>(count);
}

} // namespace

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  if (argc > 2 || count <= 0) {
    std::fprintf(stderr, "usage: queue-bench [COUNT]\n");
    return 2;
  }
  const Case cases[] = {{"scalars", Shape(), Queue::Order::kFifo},
                        {"f32[256]", Shape{256}, Queue::Order::kFifo},
                        {"scalars, drawn", Shape(), Queue::Order::kRandom}};
  for (const Case &one : cases)
    std::printf("{\"case\": \"%s\", \"ns\": %.2f, \"floor_ns\": %.2f}\n", one.name,
                nanosecondsOfPair(one, count), nanosecondsOfRing(one, count));
  return 0;
}
