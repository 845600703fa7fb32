// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of several pieces, of awkward sizes: kernels of the nd dialect.
#include "runtime/base/arithmetic.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

constexpr int64_t kMany = 120'011, kRows = 331, kColumns = 617;
const Shape kVector{kMany}, kMatrix{kRows, kColumns};

// Every type of an elementwise op, with operands of which none divides by 0.
Tensor operandOf(DType dtype, const Shape &shape, int seed) {
  Tensor t = *Tensor::allocate(dtype, shape);
  constexpr int64_t kPeriod = 97;
  for (int64_t i = 0; i < t.elements(); ++i) {
    if (i == kPeriod && isPlain(dtype)) {
      auto *bytes = t.data<char>();
      const size_t period = sizeOf(dtype) * kPeriod;
      for (size_t k = period; k < t.bytes(); ++k)
        bytes[k] = bytes[k - period];
      break;
    }
    const int64_t value = (i * 31 + seed) % kPeriod + 1;
    switch (dtype) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    t.data<T>()[i] = T(static_cast<Compute<T>>(value));                                            \
    break;
      SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
    case DType::kBool:
      t.data<bool>()[i] = value % 2;
      break;
    default:
      t.data<std::string>()[i] = std::to_string(value);
    }
  }
  return t;
}

int64_t someMoreThanThreePieces(DType dtype) {
  if (dtype == DType::kString)
    return 1'601;
  return dtype == DType::kF16 || dtype == DType::kBF16
             ? 30'011
             : 400'009 / static_cast<int64_t>(sizeOf(dtype));
}

void addElementwise(std::vector<LongCase> &cases) {
  struct Op {
    const char *name;
    int operands;
    bool isPredicate;
  };
  const Op ops[] = {
#define SLUICE_UNARY(OP, FUNCTION, SET) {"nd." #OP, 1, false},
#define SLUICE_FUNCTION(OP, FUNCTION, SET) {"nd." #OP, 1, false},
#define SLUICE_PREDICATE(OP, FUNCTION, SET) {"nd." #OP, 1, true},
#define SLUICE_BINARY(OP, FUNCTION, SET) {"nd." #OP, 2, false},
#define SLUICE_COMPARISON(OP, FUNCTION, SET) {"nd." #OP, 2, true},
#define SLUICE_DIVISION(OP, FUNCTION, SET, CONDITION, WORK) {"nd." #OP, 2, false},
#include "runtime/elements/elements.def"
  };
  for (const Op &op : ops)
    for (const KernelEntry &entry : allKernels())
      if (entry.op == op.name)
        cases.push_back({op.name, [op, dtype = entry.dtype] {
                           const int64_t count = someMoreThanThreePieces(dtype);
                           LongFiring firing{{}, {op.isPredicate ? DType::kBool : dtype}};
                           for (int i = 0; i < op.operands; ++i)
                             firing.inputs.push_back(operandOf(dtype, {count}, i));
                           return firing;
                         }});
}

LongFiring sameType(std::vector<Tensor> inputs, std::vector<Attr> attrs = {}) {
  std::vector<DType> types = {inputs[0].dtype()};
  return {std::move(inputs), std::move(types), std::move(attrs)};
}

void addBroadcasts(std::vector<LongCase> &cases) {
  for (const Shape &other :
       {Shape{}, Shape{kColumns}, Shape{kRows, 1}, Shape{1, kColumns}, Shape{3, 1, kColumns}})
    cases.push_back(
        {"nd.sub", [other] { return sameType({fractions(kMatrix), fractions(other)}); }});
  cases.push_back(
      {"nd.mul", [] { return sameType({fractions({50'000, 1, 3}), fractions({2, 1})}); }});
  for (int leading : {0, 1})
    cases.push_back({"nd.select", [leading] {
                       return LongFiring{{operandOf(DType::kBool, {kRows}, leading),
                                          fractions({kRows, leading ? kColumns : kRows}),
                                          fractions({kRows, leading ? kColumns : kRows}, 2)},
                                         {DType::kF32},
                                         {intAttr(leading)}};
                     }});
  cases.push_back({"nd.cast", [] { return LongFiring{{fractions(kVector)}, {DType::kI16}}; }});
  cases.push_back({"nd.broadcast_to",
                   [] { return sameType({fractions({kColumns}), integers({kRows, kColumns})}); }});
}

void addReductions(std::vector<LongCase> &cases) {
  const struct {
    Shape shape;
    std::vector<int32_t> axes;
  } rows[] = {
      {kVector, {0}},           {kMatrix, {0}},          {kMatrix, {1}},      {kMatrix, {0, 1}},
      {{7, kRows, 61}, {0, 2}}, {{7, kRows, 61}, {1}},   {{3, 100'003}, {1}}, {{100'003, 3}, {0}},
      {{60, 2, 1500}, {0, 2}},  {{200, 2, 700}, {0, 2}}, {{100'003, 2}, {1}}, {{2, 20'011, 5}, {1}},
  };
  for (const char *op :
       {"nd.reduce_sum", "nd.reduce_mean", "nd.reduce_prod", "nd.reduce_max", "nd.reduce_min"})
    for (const auto &row : rows)
      cases.push_back({op, [row] {
                         return sameType({fractions(row.shape), integers(row.axes)}, {intAttr(0)});
                       }});
  for (const char *op : {"nd.reduce_all", "nd.reduce_any"})
    cases.push_back({op, [] {
                       return sameType({operandOf(DType::kBool, {3 * kMany}, 1), integers({0})},
                                       {intAttr(0)});
                     }});
  cases.push_back({"nd.l2_loss", [] { return sameType({fractions(kVector)}); }});
  for (const char *op : {"nd.arg_max", "nd.arg_min"})
    for (const auto &[shape, axis] :
         {std::pair{kVector, 0}, {kMatrix, 0}, {kMatrix, 1}, {Shape{100'003, 3}, 0}})
      cases.push_back({op, [shape, axis] {
                         return LongFiring{{fractions(shape), number(axis)}, {DType::kI64}};
                       }});
  for (const char *op : {"nd.cumsum", "nd.cumprod"})
    for (int bits = 0; bits < 8; ++bits)
      cases.push_back({op, [bits] {
                         const Shape shape = bits < 4 ? kMatrix : kVector;
                         return sameType({fractions(shape), number(bits < 4 ? bits & 1 : 0)},
                                         {intAttr(bits >> 1 & 1), intAttr(bits & 1)});
                       }});
  for (const auto &[shape, k] : {std::pair{kVector, 10}, {kVector, 90'000}, {kMatrix, 3}})
    cases.push_back({"nd.top_k", [shape, k] {
                       return LongFiring{{fractions(shape), number(k)}, {DType::kF32, DType::kI32}};
                     }});
}

void addProducts(std::vector<LongCase> &cases) {
  for (DType dtype : {DType::kF32, DType::kF16, DType::kI32, DType::kC64})
    for (const Shape &batch : {Shape{}, Shape{7}, Shape{2, 300}})
      cases.push_back(
          {"nd.matmul", [dtype, batch] {
             const int64_t side = batch.rank() == 0 ? 230 : batch.rank() == 1 ? 120 : 20;
             Shape shape = batch;
             shape.append(side);
             shape.append(side);
             return sameType({operandOf(dtype, shape, 1), operandOf(dtype, {side, side}, 2)},
                             {intAttr(0), intAttr(0), intAttr(1), intAttr(0)});
           }});
  cases.push_back({"nd.matmul_onto", [] {
                     return sameType(
                         {fractions(kMatrix), fractions({kRows, 40}), fractions({40, kColumns})},
                         {intAttr(0), intAttr(0)});
                   }});
}

void addLayout(std::vector<LongCase> &cases) {
  const int32_t rows = kRows, columns = kColumns;
  auto f32 = [&](const char *op, auto make) { cases.push_back({op, make}); };
  f32("nd.transpose",
      [] { return sameType({fractions(kMatrix), integers({1, 0})}, {intAttr(0)}); });
  f32("nd.transpose", [] {
    return sameType({operandOf(DType::kC64, {kRows, 3, kRows}, 1), integers({2, 1, 0})},
                    {intAttr(1)});
  });
  f32("nd.tile", [] { return sameType({fractions({kRows, 7}), integers({2, 91})}); });
  f32("nd.reverse", [] { return sameType({fractions(kMatrix), integers({1})}); });
  f32("nd.pad", [] {
    return sameType(
        {fractions(kMatrix), tensor<int32_t>({2, 2}, {1, 2, 3, 0}), Tensor::scalar(1.0f)});
  });
  cases.push_back({"nd.fill", [=] {
                     return LongFiring{{integers({rows, columns}), Tensor::scalar(2.0f)},
                                       {DType::kF32}};
                   }});
  cases.push_back({"nd.fill", [] {
                     return LongFiring{
                         {integers({5000}), Tensor::string("a text that is not short")},
                         {DType::kString}};
                   }});
  f32("nd.range",
      [] { return sameType({Tensor::scalar(0.0f), Tensor::scalar(7e4f), Tensor::scalar(0.3f)}); });
  f32("nd.slice", [=] {
    return sameType({fractions(kMatrix), integers({1, 2}), integers({rows - 2, columns - 3})});
  });
  const std::vector<Attr> masks(5, intAttr(0));
  f32("nd.strided_slice", [=] {
    return sameType({fractions({kRows, 2 * kColumns}), integers({rows - 1, 1}),
                     integers({0, 2 * columns}), integers({-1, 2})},
                    masks);
  });
  cases.push_back({"nd.strided_slice_grad", [=] {
                     return LongFiring{{integers({rows, 2 * columns}), integers({0, 1}),
                                        integers({rows, 2 * columns}), integers({1, 2}),
                                        fractions(kMatrix)},
                                       {DType::kF32},
                                       masks};
                   }});
  for (int axis : {0, 1}) {
    f32("nd.pack",
        [=] { return sameType({fractions(kMatrix), fractions(kMatrix, 2)}, {intAttr(axis)}); });
    f32("nd.concat",
        [=] { return sameType({fractions(kMatrix), fractions(kMatrix, 2), number(axis)}); });
    const Shape two = axis ? Shape{kRows, 2} : Shape{2, kRows};
    const std::vector<DType> types = {DType::kF32, DType::kF32};
    auto wide = [=] {
      return fractions(axis ? Shape{kRows, 2 * kColumns} : Shape{2 * kRows, kColumns});
    };
    cases.push_back({"nd.split", [=] { return LongFiring{{wide(), number(axis)}, types}; }});
    cases.push_back({"nd.split_v", [=] {
                       return LongFiring{{wide(), integers({160, -1}), number(axis)}, types};
                     }});
    cases.push_back({"nd.unpack", [=] {
                       return LongFiring{{fractions(axis ? Shape{kMany, 2} : Shape{2, kMany})},
                                         types,
                                         {intAttr(axis)}};
                     }});
  }
}

void addIndices(std::vector<LongCase> &cases) {
  for (const Shape &row : {Shape{}, Shape{3}, Shape{700}}) {
    auto of = [row](int64_t count) {
      Shape shape{count};
      for (int64_t dim : row.dims())
        shape.append(dim);
      return shape;
    };
    const int64_t count = row.rank() == 0 ? kMany : row.dim(0) == 3 ? 50'000 : kRows;
    cases.push_back({"nd.gather", [=] {
                       return sameType({fractions(of(100)), indices({count}, 100), number(0)},
                                       {intAttr(0)});
                     }});
    cases.push_back(
        {"nd.gather_nd", [=] { return sameType({fractions(of(100)), indices({count, 1}, 100)}); }});
    cases.push_back({"nd.scatter_nd", [=] {
                       return LongFiring{{indices({count, 1}, 100'000), fractions(of(count)),
                                          integers(row.rank() == 0   ? std::vector{100'000}
                                                   : row.dim(0) == 3 ? std::vector{100'000, 3}
                                                                     : std::vector{100'000, 700})},
                                         {DType::kF32}};
                     }});
    cases.push_back({"nd.update_points", [=] {
                       return sameType({fractions(of(kMany)), indices({count, 1}, kMany),
                                        fractions(of(count), 2)},
                                       {textAttr("add"), intAttr(0)});
                     }});
    for (const char *op : {"nd.unsorted_segment_sum", "nd.unsorted_segment_prod",
                           "nd.unsorted_segment_max", "nd.unsorted_segment_min"})
      cases.push_back({op, [=] {
                         return sameType(
                             {fractions(of(count)), indices({count}, 100'000), number(100'000)});
                       }});
  }
  cases.push_back({"nd.gather", [] { // of batches, along an inner axis
                     return sameType({fractions({3, 40, 50, 11}), indices({3, 60}, 50), number(2)},
                                     {intAttr(1)});
                   }});
  cases.push_back({"nd.invert_permutation", [] { return sameType({indices(kVector, kMany)}); }});
  cases.push_back({"nd.one_hot", [] {
                     return LongFiring{{indices({kRows, 31}, 25), number(20), Tensor::scalar(1.0f),
                                        Tensor::scalar(0.0f)},
                                       {DType::kF32},
                                       {intAttr(1)}};
                   }});
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    cases.push_back({"nd.random_uniform", [=] {
                       return LongFiring{{tensor<int64_t>({3}, {5, 6, 7}), integers({200'003})},
                                         {dtype}};
                     }});
  cases.push_back({"nd.where", [] { return LongFiring{{fractions(kMatrix)}, {DType::kI64}}; }});
  cases.push_back({"nd.unique", [] {
                     return LongFiring{{indices({20'000}, 700), integers({})},
                                       {DType::kI32, DType::kI32, DType::kI32}};
                   }});
  cases.push_back({"nd.list_diff", [] {
                     return LongFiring{{texts(3000), texts(100)}, {DType::kString, DType::kI32}};
                   }});
  cases.push_back({"nd.row", [] { return sameType({fractions({3, kMany}), number(1)}); }});
  cases.push_back({"nd.set_row", [] {
                     return sameType({fractions({3, kMany}), number(1), fractions(kVector)});
                   }});
}

} // namespace

std::vector<LongCase> longTensorCases() {
  std::vector<LongCase> cases;
  addElementwise(cases);
  addBroadcasts(cases);
  addReductions(cases);
  addProducts(cases);
  addLayout(cases);
  addIndices(cases);
  return cases;
}

} // namespace sluice::rt
