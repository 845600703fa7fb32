// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long firings on what calls share: tables, and accumulators of gradients.
#include "test/runtime/kernels/long_firing.h"

#include "runtime/state/accumulator.h"
#include "runtime/state/table.h"

#include <fstream>
#include <numeric>

namespace sluice::rt {

namespace {

Tensor tableOf(bool isFull) {
  Table::Options options;
  options.form = Table::Form::kMutable;
  options.key = DType::kString;
  options.value = DType::kF32;
  Ref<Table> table = *Table::make(std::move(options));
  if (isFull)
    EXPECT_TRUE(table->insert(texts(1000), fractions({1000})).ok());
  return handleTo(std::move(table));
}

void addTables(std::vector<LongCase> &cases) {
  cases.push_back({"state.table_import", [] {
                     return LongFiring{
                         {tableOf(false), texts(1000), fractions({1000})}, {}, {intAttr(0)}};
                   }});
  cases.push_back(
      {"state.table_remove", [] { return LongFiring{{tableOf(true), texts(900)}, {}}; }});
  cases.push_back({"state.table_insert", [] {
                     return LongFiring{{tableOf(false), texts(1000), fractions({1000})}, {}};
                   }});
  cases.push_back({"state.table_find", [] {
                     return LongFiring{{tableOf(true), texts(3000), Tensor::scalar(1.0f)},
                                       {DType::kF32}};
                   }});
  cases.push_back({"state.table_export",
                   [] { return LongFiring{{tableOf(true)}, {DType::kString, DType::kF32}}; }});
  cases.push_back({"state.table_load", [] {
                     static const std::string path = folderOfFiles() + "/lines";
                     std::ofstream file(path);
                     for (int i = 0; i < 1000; ++i)
                       file << "line " << i << '\n';
                     Table::Options options;
                     options.key = DType::kString;
                     options.value = DType::kI64;
                     return LongFiring{
                         {handleTo(*Table::make(std::move(options))), Tensor::string(path)},
                         {},
                         {textAttr("\t"), intAttr(-2), intAttr(0), intAttr(-1), intAttr(-1)}};
                   }});
}

// That has added rows 0 to 999, or as many elements, already.
Tensor accumulatorOf(bool isSparse) {
  Accumulator::Options options;
  options.dtype = DType::kF32;
  options.shape = Shape::unknownRank();
  options.isSparse = isSparse;
  Ref<Accumulator> accumulator = *Accumulator::make(std::move(options));
  std::vector<int64_t> rows(1000);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_TRUE((isSparse ? accumulator->applyRows(0, Tensor::vector<int64_t>(rows),
                                                 fractions({1000, 300}), nullptr)
                        : accumulator->apply(0, fractions({1000, 300})))
                  .ok());
  return handleTo(std::move(accumulator));
}

void addAccumulators(std::vector<LongCase> &cases) {
  static const Tensor step = Tensor::scalar(int64_t{0});
  cases.push_back({"state.accumulator_apply", [] {
                     return LongFiring{{accumulatorOf(false), step, fractions({1000, 300})}, {}};
                   }});
  cases.push_back({"state.accumulator_apply_rows", [] {
                     std::vector<int64_t> rows(1000);
                     std::iota(rows.begin(), rows.end(), 500);
                     return LongFiring{{accumulatorOf(true), step, Tensor::vector<int64_t>(rows),
                                        fractions({1000, 300}), step},
                                       {},
                                       {intAttr(0)}};
                   }});
}

} // namespace

std::vector<LongCase> longSharedCases() {
  std::vector<LongCase> cases;
  addTables(cases);
  addAccumulators(cases);
  return cases;
}

} // namespace sluice::rt
