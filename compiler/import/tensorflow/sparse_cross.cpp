// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "sparse_cross": features of rows, each of one column with each of
// the others.
#include "compiler/import/tensorflow/SparseTensors.h"
#include "compiler/import/tensorflow/Texts.h"

using namespace mlir;

namespace sluice::import {

namespace {

// What a crossed feature is, and whatever that needs.
struct Crossing {
  llvm::StringRef how;
  Value separator, numbers; // of buckets, and two of a key
};

// The columns are the node's first inputs: indices, values and dims of sparse ones, and dense ones.
SparseTensor cross(Expansion &e, ArrayRef<Value> inputs, const Crossing &crossing, size_t others) {
  auto sparse = static_cast<size_t>(e.intAttr("N"));
  SmallVector<Value> operands{crossing.separator, crossing.numbers};
  for (size_t i = 0; i < sparse; ++i)
    operands.append({inputs[i], inputs[sparse + i], inputs[2 * sparse + i]});
  llvm::append_range(operands, inputs.drop_front(3 * sparse).drop_back(others));
  Type i64 = i64Of(e);
  Type feature = crossing.how == "join" ? Type(nd::StringType::get(e.builder().getContext())) : i64;
  auto op = e.make<sci::SparseCrossOp>(
      {unrankedOf(i64), unrankedOf(feature), unrankedOf(i64)}, operands,
      {e.number("sparse", static_cast<int64_t>(sparse)), e.text("how", crossing.how.str())});
  return {op.getIndices(), op.getValues(), op.getDims()};
}

// TensorFlow gives an empty tensor for no columns at all, which has no rows.
bool hasColumns(Expansion &e, size_t others) {
  if (e.numInputs() > others)
    return true;
  e.unsupported("expected a column to cross but got none");
  return false;
}

Value noNumbers(Expansion &e) { return e.ints({0, 0, 0}, i64Of(e)); }

// The elements' types tell whether features are hashed.
void crossOld(Expansion &e) {
  if (!hasColumns(e, 0))
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  bool isText = e.dataTypeAttr("out_type") == graphdef::DT_STRING;
  auto sparse = static_cast<size_t>(e.intAttr("N"));
  ArrayRef<Value> rest = ArrayRef(inputs).drop_front(sparse);
  auto isNumber = [&](Value input) { return e.elementOf(input).isInteger(); };
  bool hasNumbers = llvm::any_of(rest.take_front(sparse), isNumber) ||
                    llvm::any_of(rest.drop_front(2 * sparse), isNumber);
  if (!isText && hasNumbers && e.dataTypeAttr("internal_type") == graphdef::DT_STRING)
    return e.unsupported("attribute 'internal_type': expected int64 for features that are numbers "
                         "but got string");
  Value numbers = e.ints({e.intAttr("num_buckets"), e.intAttr("hash_key"), 0}, i64Of(e));
  sparseResult(e, cross(e, inputs, {isText ? "join" : "seeded", text(e, "_X_"), numbers}, 0));
}

void crossTexts(Expansion &e) {
  if (!hasColumns(e, 1))
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  sparseResult(e, cross(e, inputs, {"join", inputs.back(), noNumbers(e)}, 1));
}

// num_buckets, strong_hash and salt are behind the columns.
void crossHashed(Expansion &e) {
  if (!hasColumns(e, 3))
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  auto sparse = static_cast<size_t>(e.intAttr("N"));
  for (Value values : ArrayRef(inputs).slice(sparse, sparse))
    if (e.elementOf(values).isInteger())
      return e.unsupported("attribute 'sparse_types': expected string, since nobody says what the "
                           "hash of a number is, but got int64");
  ArrayRef<Value> last = ArrayRef(inputs).take_back(3);
  Value numbers = joined(e, {flat(e, last[0]), last[2]}), none = text(e, "");
  auto isStrong = constantOf(last[1]);
  if (isStrong && isStrong->size() == 1)
    return sparseResult(
        e, cross(e, inputs, {isStrong->front() ? "keyed" : "plain", none, numbers}, 3));
  SparseTensor plain = cross(e, inputs, {"plain", none, numbers}, 3);
  SparseTensor keyed = cross(e, inputs, {"keyed", none, numbers}, 3);
  plain.values = selected(e, last[1], keyed.values, plain.values);
  sparseResult(e, plain);
}

constexpr OpExpansion kOps[] = {
    {"SparseCross", crossOld, Style::kPure, "N hashed_output num_buckets hash_key internal_type"},
    {"SparseCrossV2", crossTexts, Style::kPure, "N"},
    {"SparseCrossHashed", crossHashed, Style::kPure, "N"},
};

} // namespace

ArrayRef<OpExpansion> sparseCrossOps() { return kOps; }

} // namespace sluice::import
