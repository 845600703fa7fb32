// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "checkpoint": saving, restoring, and the names of files.
#include "compiler/import/tensorflow/Texts.h"
#include "dialects/nd/text/Text.h"

using namespace mlir;

namespace sluice::import {

namespace {

// As many empty strings: whole tensors, not slices.
Value noSlices(Expansion &e, size_t count) { return texts(e, SmallVector<StringRef>(count)); }

Value reshaped(Expansion &e, Value value, ArrayRef<int64_t> dims) {
  return e.like<nd::ReshapeOp>({value, e.ints(dims)});
}

constexpr llvm::StringLiteral kBundle = "bundle", kTable = "table", kAny = "any";

template <const llvm::StringLiteral &kForm> void save(Expansion &e) {
  e.effect<state::SaveTensorsOp>({}, e.inputs(), e.text("form", kForm.str()));
}

// Without slices, between the names and the tensors.
void saveWhole(Expansion &e) {
  constexpr size_t kBefore = 2;
  SmallVector<Value> operands(e.inputs());
  operands.insert(operands.begin() + kBefore, noSlices(e, operands.size() - kBefore));
  e.effect<state::SaveTensorsOp>({}, operands, e.text("form", kTable.str()));
}

template <const llvm::StringLiteral &kForm>
void restoreFrom(Expansion &e, ArrayRef<Value> operands) {
  SmallVector<Type> types;
  for (uint32_t i = 0; i < e.numResults(); ++i)
    types.push_back(unrankedOf(e.resultElement(i)));
  if (e.failed())
    return;
  auto op = e.effect<state::RestoreTensorsOp>(types, operands, e.text("form", kForm.str()));
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op.getTensors()[i]);
}

void restore(Expansion &e) { restoreFrom<kAny>(e, e.inputs()); }

// One tensor, whose name and slice are scalars.
void restoreOne(Expansion &e) {
  Value name = reshaped(e, e.input(1), {1});
  Value slice = e.numInputs() > 2 ? reshaped(e, e.input(2), {1}) : noSlices(e, 1);
  restoreFrom<kTable>(e, {e.input(0), name, slice});
}

void merge(Expansion &e) {
  e.effect<state::MergeCheckpointsOp>(
      {}, e.inputs(),
      {e.flag("delete_old_folders", e.boolAttr("delete_old_dirs")),
       e.flag("allow_missing_files", e.boolAttr("allow_missing_files"))});
}

// ---- Names

Value joined(Expansion &e, ValueRange texts, const std::string &separator) {
  return e.tensor<nd::JoinTextsOp>(textsType(e, {}).getElementType(), texts,
                                   e.text("separator", separator));
}

Value fiveDigits(Expansion &e, Value number) {
  return e.tensor<nd::DecimalOp>(textsType(e, {}).getElementType(), reshaped(e, number, {}),
                                 e.number("width", 5));
}

// "name-00003-of-00010"
void shardedFilename(Expansion &e) {
  e.result(0, joined(e,
                     {reshaped(e, e.input(0), {}), text(e, "-"), fiveDigits(e, e.input(1)),
                      text(e, "-of-"), fiveDigits(e, e.input(2))},
                     ""));
}

// In two, as a question mark before "?-" would be a trigraph.
constexpr llvm::StringLiteral kAnyFiveDigits = "-????"
                                               "?-of-";

// "name-?????-of-00010"
void shardedFilespec(Expansion &e) {
  e.result(0,
           joined(e,
                  {reshaped(e, e.input(0), {}), text(e, kAnyFiveDigits), fiveDigits(e, e.input(1))},
                  ""));
}

void stringJoin(Expansion &e) {
  if (e.numInputs() == 0)
    return e.result(0, text(e, ""));
  e.result(0, joined(e, e.inputs(), e.stringAttr("separator")));
}

constexpr OpExpansion kOps[] = {
    {"Save", saveWhole, Style::kEffect},
    {"SaveSlices", save<kTable>, Style::kEffect},
    {"SaveV2", save<kBundle>, Style::kEffect},
    {"Restore", restoreOne, Style::kEffect, "preferred_shard"},
    {"RestoreSlice", restoreOne, Style::kEffect, "preferred_shard"},
    {"RestoreV2", restore, Style::kEffect},
    {"MergeV2Checkpoints", merge, Style::kEffect, "delete_old_dirs allow_missing_files"},
    {"ShardedFilename", shardedFilename},
    {"ShardedFilespec", shardedFilespec},
    {"StringJoin", stringJoin, Style::kPure, "separator"},
};

} // namespace

ArrayRef<OpExpansion> checkpointOps() { return kOps; }

} // namespace sluice::import
