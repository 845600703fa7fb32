// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products, `a` and `b` by default, each worth a worker.
#pragma once

#include "test/runtime/executor/graph_builder.h"

#include <cstring>

namespace sluice::rt {

class Products {
public:
  Products(std::initializer_list<const char *> names = {"a", "b"}) {
    auto x = graph_.feed("x", DType::kF32);
    std::vector<AttrDesc> attrs(4, intAttr(0)); // nothing is transposed
    for (const char *name : names) {
      auto y = graph_.kernel("nd.matmul", name, 0, {x, x}, {DType::kF32, DType::kF32}, DType::kF32,
                             /*scalars=*/false);
      graph_.node(y).attrs = attrs;
      graph_.fetch(name, y, DType::kF32);
    }
  }
  // Must not outlive this object.
  std::unique_ptr<Program> program() { return graph_.buildProgram(); }
  static Tensor feed() {
    auto zeros = Tensor::allocate(DType::kF32, Shape{128, 128});
    std::memset(zeros->raw(), 0, zeros->bytes());
    return std::move(*zeros);
  }

private:
  GraphBuilder graph_;
};

} // namespace sluice::rt
