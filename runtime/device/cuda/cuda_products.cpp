// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products in the words of cuBLASLt. Its matrices lie column after column, so a matrix of ours is
// to it the transposed one; it computes the transposed result, of the factors in opposite order.
#include "runtime/device/cuda/cuda_products.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sluice::rt::cuda {

namespace {

// As NVIDIA advises for the H100, whose fastest algorithms otherwise are left out.
constexpr uint64_t kMostWorkspace = 32 << 20;
// Of programs whose sizes change from call to call.
constexpr size_t kMostPlans = 512;

struct Types {
  lt::ElementType element;
  lt::ComputeType compute;
  lt::ElementType scale; // of the numbers that products and sums are multiplied with
};
std::optional<Types> typesOf(DType element, bool allowTf32) {
  switch (element) {
  case DType::kF16:
    return Types{lt::kF16, lt::kComputeF32, lt::kF32};
  case DType::kBF16:
    return Types{lt::kBF16, lt::kComputeF32, lt::kF32};
  case DType::kF32:
    return Types{lt::kF32, allowTf32 ? lt::kComputeTF32 : lt::kComputeF32, lt::kF32};
  case DType::kF64:
    return Types{lt::kF64, lt::kComputeF64, lt::kF64};
  default:
    return std::nullopt;
  }
}

uint32_t alignmentOf(const void *memory) {
  constexpr uintptr_t kMost = 256; // what the library assumes unless it is told
  return static_cast<uint32_t>(1u << std::countr_zero(reinterpret_cast<uintptr_t>(memory) | kMost));
}

// Whether it is something to do, in words that the library has.
bool isExpressible(const MatrixProduct &p) {
  return p.m > 0 && p.n > 0 && p.k > 0 && p.batches > 0 && p.batches <= INT32_MAX &&
         p.leadingLhs >= (p.lhsTransposed ? p.m : p.k) &&
         p.leadingRhs >= (p.rhsTransposed ? p.k : p.n);
}

} // namespace

CudaProducts::~CudaProducts() {
  for (auto &[key, plan] : plans_)
    drop(plan);
  if (library_)
    functions_.cublasLtDestroy(library_);
}

bool CudaProducts::isOpen() {
  if (wasLookedFor_ || !options_.load)
    return library_;
  wasLookedFor_ = true;
  rt::Result<CublasLt> found = options_.load();
  if (!found.ok())
    return false;
  functions_ = *found;
  if (functions_.cublasLtCreate(&library_) != lt::kSuccess)
    library_ = nullptr;
  return library_;
}

CudaProducts::Key CudaProducts::keyOf(const MatrixProduct &p) const {
  int64_t alignments = 0;
  for (const void *memory : {p.lhs, p.rhs, static_cast<const void *>(p.result), p.onto})
    alignments = alignments << 10 | alignmentOf(memory);
  return {int64_t(p.element),
          p.lhsTransposed,
          p.rhsTransposed,
          p.onto != nullptr,
          p.m,
          p.n,
          p.k,
          p.leadingLhs,
          p.leadingRhs,
          p.batches,
          alignments,
          (p.strideLhs != 0) | (p.strideRhs != 0) << 1,
          int64_t(p.activation) | int64_t(p.bias ? alignmentOf(p.bias) : 0) << 2};
}

CudaProducts::Plan *CudaProducts::plan(const MatrixProduct &product) {
  if (!isExpressible(product) || !typesOf(product.element, false) || !isOpen())
    return nullptr;
  Key key = keyOf(product);
  auto known = plans_.find(key);
  if (known == plans_.end()) {
    if (plans_.size() == kMostPlans) {
      for (auto &[other, plan] : plans_)
        drop(plan);
      plans_.clear();
    }
    known = plans_.emplace(key, Plan()).first;
    make(product, known->second);
  }
  return known->second.isUsable_ ? &known->second : nullptr;
}

void CudaProducts::make(const MatrixProduct &product, Plan &plan) {
  plan.isUsable_ = describe(product, plan) && choose(product, plan);
  if (!plan.isUsable_)
    drop(plan);
}

static lt::Epilogue epilogueOf(const MatrixProduct &p) {
  switch (p.activation) {
  case Activation::kRelu:
    return p.bias ? lt::kReluBias : lt::kRelu;
  case Activation::kGelu:
    return p.bias ? lt::kGeluBias : lt::kGelu;
  default:
    return p.bias ? lt::kBias : lt::kNoEpilogue;
  }
}

bool CudaProducts::describe(const MatrixProduct &p, Plan &plan) {
  Types types = *typesOf(p.element, options_.allowTf32);
  auto set = [&](lt::ProductAttribute attribute, bool transposed) {
    lt::Transposition value = transposed ? lt::kTransposed : lt::kAsItIs;
    return functions_.cublasLtMatmulDescSetAttribute(plan.form_, attribute, &value, sizeof value) ==
           lt::kSuccess;
  };
  auto setEpilogue = [&] {
    lt::Epilogue value = epilogueOf(p);
    return value == lt::kNoEpilogue ||
           (functions_.cublasLtMatmulDescSetAttribute(plan.form_, lt::kEpilogue, &value,
                                                      sizeof value) == lt::kSuccess &&
            setBias(p, plan));
  };
  auto [element, compute, scale] = types;
  bool l = p.lhsTransposed, r = p.rhsTransposed;
  return functions_.cublasLtMatmulDescCreate(&plan.form_, compute, scale) == lt::kSuccess &&
         set(lt::kTransposeA, r) && set(lt::kTransposeB, l) && setEpilogue() &&
         addLayout(plan.a_, element, r ? p.k : p.n, r ? p.n : p.k, p.leadingRhs, p.batches,
                   p.strideRhs) &&
         addLayout(plan.b_, element, l ? p.m : p.k, l ? p.k : p.m, p.leadingLhs, p.batches,
                   p.strideLhs) &&
         addLayout(plan.result_, element, p.n, p.m, p.n, p.batches, p.m * p.n);
}

// Of the product that comes: a form knows no other way to say where its bias lies.
bool CudaProducts::setBias(const MatrixProduct &p, const Plan &plan) {
  return !p.bias || functions_.cublasLtMatmulDescSetAttribute(plan.form_, lt::kBiasPointer, &p.bias,
                                                              sizeof p.bias) == lt::kSuccess;
}

bool CudaProducts::addLayout(lt::MatrixLayout &layout, lt::ElementType element, int64_t rows,
                             int64_t columns, int64_t leading, int64_t batches, int64_t stride) {
  auto count = static_cast<int32_t>(batches);
  auto set = [&](lt::MatrixAttribute attribute, const void *value, size_t bytes) {
    return functions_.cublasLtMatrixLayoutSetAttribute(layout, attribute, value, bytes) ==
           lt::kSuccess;
  };
  return functions_.cublasLtMatrixLayoutCreate(&layout, element, static_cast<uint64_t>(rows),
                                               static_cast<uint64_t>(columns),
                                               leading) == lt::kSuccess &&
         (batches == 1 || (set(lt::kBatchCount, &count, sizeof count) &&
                           set(lt::kBatchStride, &stride, sizeof stride)));
}

bool CudaProducts::choose(const MatrixProduct &p, Plan &plan) {
  lt::Preference preference = nullptr;
  if (functions_.cublasLtMatmulPreferenceCreate(&preference) != lt::kSuccess)
    return false;
  auto set = [&](lt::PreferenceAttribute attribute, auto value) {
    return functions_.cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value,
                                                           sizeof value) == lt::kSuccess;
  };
  int count = 0;
  const void *onto = p.onto ? p.onto : p.result;
  bool isChosen = set(lt::kMostWorkspaceBytes, kMostWorkspace) &&
                  set(lt::kLeastAlignmentA, alignmentOf(p.rhs)) &&
                  set(lt::kLeastAlignmentB, alignmentOf(p.lhs)) &&
                  set(lt::kLeastAlignmentC, alignmentOf(onto)) &&
                  set(lt::kLeastAlignmentD, alignmentOf(p.result)) &&
                  functions_.cublasLtMatmulAlgoGetHeuristic(
                      library_, plan.form_, plan.a_, plan.b_, plan.result_, plan.result_,
                      preference, 1, &plan.proposal_, &count) == lt::kSuccess &&
                  count == 1 && plan.proposal_.answer == lt::kSuccess;
  functions_.cublasLtMatmulPreferenceDestroy(preference);
  return isChosen;
}

lt::Answer CudaProducts::enqueue(const Plan &plan, const MatrixProduct &p, void *workspace,
                                 Stream stream) {
  if (!setBias(p, plan))
    return lt::kInvalidValue;
  constexpr double kWide[] = {0, 1};
  constexpr float kNarrow[] = {0, 1};
  auto number = [&](bool one) -> const void * {
    return p.element == DType::kF64 ? static_cast<const void *>(&kWide[one]) : &kNarrow[one];
  };
  return functions_.cublasLtMatmul(library_, plan.form_, number(true), p.rhs, plan.a_, p.lhs,
                                   plan.b_, number(p.onto != nullptr), p.onto ? p.onto : p.result,
                                   plan.result_, p.result, plan.result_, &plan.proposal_.algorithm,
                                   workspace, plan.proposal_.workspaceBytes, stream);
}

void CudaProducts::drop(Plan &plan) {
  for (lt::MatrixLayout layout : {plan.a_, plan.b_, plan.result_})
    if (layout)
      functions_.cublasLtMatrixLayoutDestroy(layout);
  if (plan.form_)
    functions_.cublasLtMatmulDescDestroy(plan.form_);
  plan = {};
}

} // namespace sluice::rt::cuda
