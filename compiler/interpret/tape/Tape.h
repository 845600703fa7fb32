// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tape of one call: each op that has run, with the values that it was given and has made, so
// that requests for derivatives can be answered by going through it backwards.
//
// It knows nothing of branches, loops and functions: these pass values on, and what has run has run
// one op after another. So it can judge the phase that makes loops which run backwards.
#pragma once

#include "compiler/interpret/tape/Rules.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice::interpret {

// A value with its number on the tape; 0: it was fed or is a constant.
struct TapeValue {
  rt::Tensor value;
  uint64_t number = 0;
};

class Tape {
public:
  // Returns the number of the first result; the others follow.
  uint64_t record(mlir::Operation *op, const KernelCall *kernel,
                  const std::vector<TapeValue> &inputs, const Tensors &outputs);

  // The results of a request with these operands. UNIMPLEMENTED where a derivative goes through
  // what has no rule.
  rt::Result<Tensors> answer(flow::GradientOp request,
                             const std::vector<TapeValue> &operands) const;

private:
  struct Entry {
    mlir::Operation *op;
    const KernelCall *kernel;
    Tensors inputs, outputs;
    std::vector<uint64_t> inputNumbers;
    uint64_t firstOutput;
  };
  // What one request is about, and how far it has come.
  struct Walk {
    std::vector<const rt::Object *> variables; // among the xs
    llvm::DenseSet<uint64_t> stops;
    std::vector<bool> varies; // by number: depends on an x
    llvm::DenseMap<uint64_t, Numbers> found;
    bool reachesArrays = false;
  };

  void spread(const Entry &entry, Walk &walk) const;
  static rt::Status add(uint64_t number, const Numbers &numbers, Walk &walk);
  rt::Status goBack(const Entry &entry, Walk &walk) const;
  rt::Result<rt::Tensor> derivativeOf(const TapeValue &x, const Walk &walk) const;

  std::vector<Entry> entries_;
  uint64_t next_ = 1;
};

} // namespace sluice::interpret
