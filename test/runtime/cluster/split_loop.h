// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// while (i < limit) i = i + 1 on two ranks: rank 0 has the loop, rank 1 the addition.
#pragma once

#include "runtime/cluster/in_process_cluster.h"
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {

class SplitLoop {
public:
  enum class Addition {
    kFine,
    kFailsAtThree, // divides by 3 - i as well
  };

  explicit SplitLoop(uint32_t window = 10, Addition addition = Addition::kFine) {
    buildFirst(window);
    buildSecond(window, addition);
  }

  std::vector<std::unique_ptr<Program>> programs() {
    std::vector<std::unique_ptr<Program>> list;
    list.push_back(first_.buildProgram());
    list.push_back(second_.buildProgram());
    return list;
  }
  GraphBuilder &first() { return first_; }
  GraphBuilder &second() { return second_; }

private:
  enum Edge : uint32_t { kBody, kPredicate, kSum };

  void buildFirst(uint32_t window) {
    first_.makeRank(0, 2);
    auto limit = first_.feed("limit", DType::kI32);
    uint32_t frame = first_.frame("loop", window);
    auto enter = first_.enter("enter", frame, first_.constant<int32_t>(0));
    auto enterLimit = first_.enter("limit", frame, limit, true);
    first_.add(NodeKind::kMerge, "merge", frame, {enter, enter}, 3);
    auto merge = first_.last();
    GraphBuilder::Value merged{merge.node, 2};
    auto less = first_.kernel("nd.less", "less", frame, {merge, enterLimit},
                              {DType::kI32, DType::kI32}, DType::kBool);
    first_.add(NodeKind::kForward, "pivot", frame, {less}, 1);
    auto pivot = first_.last();
    first_.add(NodeKind::kSwitch, "switch", frame, {merge, pivot}, 3);
    GraphBuilder::Value done = first_.last(0), body = first_.last(1);
    first_.send("send body", frame, body, kBody, 1);
    first_.send("send predicate", frame, pivot, kPredicate, 1);
    auto sum = first_.recv("recv sum", frame, {merged}, DType::kI32, kSum, 1);
    first_.add(NodeKind::kNextIteration, "next", frame, {sum}, 1);
    first_.node(merge).inputs[1] = first_.last();
    first_.add(NodeKind::kExit, "exit", frame, {done}, 1);
    first_.fetch("i", first_.last(), DType::kI32);
  }

  void buildSecond(uint32_t window, Addition addition) {
    second_.makeRank(1, 2);
    uint32_t frame = second_.frame("loop", window);
    auto enter = second_.enter("control enter", frame, second_.constant<bool>(true));
    second_.add(NodeKind::kMerge, "control merge", frame, {enter, enter}, 3);
    auto merge = second_.last();
    GraphBuilder::Value merged{merge.node, 2};
    auto predicate = second_.recv("recv predicate", frame, {merged}, DType::kBool, kPredicate, 0);
    second_.add(NodeKind::kSwitch, "control switch", frame, {merge, predicate}, 3);
    second_.add(NodeKind::kNextIteration, "control next", frame, {second_.last(1)}, 1);
    second_.node(merge).inputs[1] = second_.last();
    auto body = second_.recv("recv body", frame, {merged}, DType::kI32, kBody, 0);
    std::vector<DType> types{DType::kI32, DType::kI32};
    auto sum = second_.kernel("nd.add", "add", frame, {body, second_.constant<int32_t>(1)}, types,
                              DType::kI32);
    if (addition == Addition::kFailsAtThree) {
      auto left = second_.kernel("nd.sub", "sub", frame, {second_.constant<int32_t>(3), body},
                                 types, DType::kI32);
      second_.kernel("nd.floor_div", "divide", frame, {sum, left}, types, DType::kI32);
    }
    second_.send("send sum", frame, sum, kSum, 0);
  }

  GraphBuilder first_, second_;
};

} // namespace sluice::rt
