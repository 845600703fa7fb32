// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "linear": decompositions of matrices, and what is solved with them.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Every result has the elements of the operands; attributes are flags of the same names.
template <typename OpT> void ofMatrices(Expansion &e, ArrayRef<StringRef> flags) {
  SmallVector<NamedAttribute> attributes;
  for (StringRef flag : flags)
    attributes.push_back(e.flag(flag, e.boolAttr(flag)));
  SmallVector<Type> types(e.numResults(), unrankedOf(e.elementOf(e.input(0))));
  OpT op = e.make<OpT>(types, e.inputs(), attributes);
  for (auto [slot, result] : llvm::enumerate(op->getResults()))
    e.result(static_cast<uint32_t>(slot), result);
}

template <typename OpT> void plain(Expansion &e) { ofMatrices<OpT>(e, {}); }
template <typename OpT> void orAdjoint(Expansion &e) { ofMatrices<OpT>(e, {"adjoint"}); }

void triangularSolve(Expansion &e) { ofMatrices<sci::TriangularSolveOp>(e, {"lower", "adjoint"}); }
void qr(Expansion &e) { ofMatrices<sci::QrOp>(e, {"full_matrices"}); }
void svd(Expansion &e) { ofMatrices<sci::SvdOp>(e, {"compute_uv", "full_matrices"}); }
void selfAdjointEig(Expansion &e) { ofMatrices<sci::SelfAdjointEigOp>(e, {"compute_v"}); }

constexpr llvm::StringLiteral kAdjoint = "adjoint";

// Of vectors of three numbers, which are the last dim.
void cross(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value a = inputs[0], b = inputs[1];
  Checks checks(e);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, a), e.int32(1)),
                 "inputs must be at least 1-D", dimsOf(e, a));
  checks.require(e.compare<nd::EqualOp>(rankOf(e, a), rankOf(e, b)), "inputs must have equal dims",
                 dimsOf(e, b));
  a = checks.checked(a), b = checks.checked(b);
  checks.require(e.compare<nd::EqualOp>(dimsOf(e, a), dimsOf(e, b)), "inputs must have equal dims",
                 dimsOf(e, b));
  checks.require(e.compare<nd::EqualOp>(sizeFromEnd(e, dimsOf(e, a), -1), e.int32(3)),
                 "cross-products are of 3 numbers", dimsOf(e, a));
  auto next = [&](Value x) {
    return gathered(e, checks.checked(x), e.ints({1, 2, 0}), e.int32(-1));
  };
  auto last = [&](Value x) {
    return gathered(e, checks.checked(x), e.ints({2, 0, 1}), e.int32(-1));
  };
  e.result(0, sub(e, mul(e, next(a), last(b)), mul(e, last(a), next(b))));
}

constexpr OpExpansion kOps[] = {
    {"Cross", cross},
    {"Cholesky", plain<sci::CholeskyOp>},
    {"MatrixInverse", orAdjoint<sci::MatrixInverseOp>, Style::kPure, kAdjoint},
    {"MatrixDeterminant", plain<sci::DeterminantOp>},
    {"LogMatrixDeterminant", plain<sci::LogDeterminantOp>},
    {"MatrixSolve", orAdjoint<sci::MatrixSolveOp>, Style::kPure, kAdjoint},
    {"MatrixTriangularSolve", triangularSolve, Style::kPure, "lower adjoint"},
    {"Qr", qr, Style::kPure, "full_matrices"},
    {"Svd", svd, Style::kPure, "compute_uv full_matrices"},
    {"SelfAdjointEigV2", selfAdjointEig, Style::kPure, "compute_v"},
};

} // namespace

ArrayRef<OpExpansion> linearOps() { return kOps; }

} // namespace sluice::import
