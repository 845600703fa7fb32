// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a device by cuBLASLt, where it is found: how the library is told of one, and which of
// its algorithms it has proposed, kept for the next product of the same form.
//
// One thread at a time, with the context current. The library is looked for at the first product.
#pragma once

#include "runtime/base/matrix_product.h"
#include "runtime/device/cuda/cublaslt.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace sluice::rt::cuda {

class CudaProducts {
public:
  struct Options {
    rt::Result<CublasLt> (*load)() = nullptr; // null: no library is used
    bool allowTf32 = false;                   // factors of f32 lose 13 of their 23 bits
  };
  class Plan {
  public:
    size_t workspaceBytes() const { return proposal_.workspaceBytes; }

  private:
    friend class CudaProducts;
    lt::ProductForm form_ = nullptr;
    lt::MatrixLayout a_ = nullptr, b_ = nullptr, result_ = nullptr;
    lt::Proposal proposal_ = {};
    bool isUsable_ = false;
  };

  explicit CudaProducts(const Options &options) : options_(options) {}
  // Nothing that it has enqueued may be under way, unless it is abandoned.
  ~CudaProducts();
  CudaProducts(const CudaProducts &) = delete;
  CudaProducts &operator=(const CudaProducts &) = delete;

  // Null if there is no library, or if it does not do that. Valid until the next one is planned.
  Plan *plan(const MatrixProduct &product);
  lt::Answer enqueue(const Plan &plan, const MatrixProduct &product, void *workspace,
                     Stream stream);
  // It has not done what it proposed, and is not asked again.
  void giveUp(Plan &plan) { plan.isUsable_ = false; }
  // All stays as it is, for ever.
  void abandon() { library_ = nullptr, plans_.clear(); }

private:
  // What the choice of an algorithm depends on: sizes, types, alignments.
  using Key = std::array<int64_t, 13>;
  Key keyOf(const MatrixProduct &product) const;
  bool isOpen();
  void make(const MatrixProduct &product, Plan &plan);
  bool describe(const MatrixProduct &product, Plan &plan);
  bool setBias(const MatrixProduct &product, const Plan &plan);
  bool addLayout(lt::MatrixLayout &layout, lt::ElementType element, int64_t rows, int64_t columns,
                 int64_t leading, int64_t batches, int64_t stride);
  bool choose(const MatrixProduct &product, Plan &plan);
  void drop(Plan &plan);

  const Options options_;
  bool wasLookedFor_ = false;
  CublasLt functions_;
  lt::Library library_ = nullptr;
  std::map<Key, Plan> plans_;
};

} // namespace sluice::rt::cuda
