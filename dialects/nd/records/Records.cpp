// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "records".
#include "dialects/nd/text/Text.h"

#define GET_OP_CLASSES
#include "dialects/nd/Records.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult nd::DecompressOp::verify() {
  if (!llvm::is_contained({"zlib", "gzip"}, getFormat()))
    return emitOpError("expected format \"zlib\" or \"gzip\" but got ") << getFormatAttr(); // C2
  return success();
}

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

static LogicalResult verifyColumns(nd::DecodeCsvOp op) {
  ArrayRef<int64_t> columns = op.getColumns();
  if (!columns.empty() && columns.size() != op.getFields().size())
    return op.emitOpError("expected no columns or ")
           << op.getFields().size() << " but got " << columns.size();
  int64_t last = -1;
  for (int64_t column : columns)
    if (column <= std::exchange(last, column))
      return op.emitOpError("expected increasing columns of at least 0 but got ") << column;
  return success();
}

LogicalResult nd::DecodeCsvOp::verify() {
  if (getDefaults().size() != getFields().size())
    return emitOpError("expected a default for each of the ")
           << getFields().size() << " fields but got " << getDefaults().size(); // C2
  for (auto [field, fallback] : llvm::zip(getFields(), getDefaults())) {
    Type type = elementOf(field);
    if (type != elementOf(fallback))
      return emitOpError("expected a default of ")
             << type << " but got " << elementOf(fallback); // C2
    if (!type.isF32() && !type.isF64() && !type.isSignlessInteger(32) &&
        !type.isSignlessInteger(64) && !isa<StringType>(type))
      return emitOpError("expected fields of f32, f64, i32, i64 or strings but got ") << type; // C3
  }
  if (getDelimiter().size() != 1)
    return emitOpError("expected one byte as delimiter but got ") << getDelimiterAttr(); // C4
  return verifyColumns(*this);                                                           // C5
}

// ---- parse_example

// The dims of one shape after the other; false unless they are shapes of which only the first dim
// may be -1, as many as there should be.
static bool areShapes(ArrayRef<int64_t> list, size_t count) {
  for (; count > 0; --count) {
    if (list.empty() || list[0] < 0 || static_cast<uint64_t>(list[0]) >= list.size())
      return false;
    auto rank = static_cast<size_t>(list[0]);
    for (auto [i, dim] : llvm::enumerate(list.slice(1, rank)))
      if (dim < (i == 0 ? -1 : 0))
        return false;
    list = list.drop_front(1 + rank);
  }
  return list.empty();
}

static LogicalResult verifyFeatureTypes(nd::ParseExampleOp op, size_t sparse, size_t ragged) {
  size_t dense = op.getDefaults().size();
  for (auto [i, feature] : llvm::enumerate(op.getFeatures())) {
    Type type = elementOf(feature);
    bool isIndex = i < sparse || (i >= 2 * sparse && i < 3 * sparse);
    bool isBegin = i >= 3 * sparse + dense + ragged;
    bool isInt64 = type.isSignlessInteger(64);
    bool fits = isIndex   ? isInt64
                : isBegin ? isInt64 || type.isSignlessInteger(32)
                          : isInt64 || type.isF32() || isa<nd::StringType>(type);
    if (!fits)
      return op.emitOpError("expected result ") << i << " to hold "
                                                << (isIndex   ? "i64"
                                                    : isBegin ? "i32 or i64"
                                                              : "f32, i64 or strings")
                                                << " but got " << type;
  }
  return success();
}

LogicalResult nd::ParseExampleOp::verify() {
  auto sparse = static_cast<int64_t>(getSparse());
  auto others =
      static_cast<int64_t>(getFeatures().size()) - static_cast<int64_t>(getDefaults().size());
  if (sparse < 0 || sparse > others / 3 || (others - 3 * sparse) % 2 != 0)
    return emitOpError("expected results for ")
           << sparse << " sparse and " << getDefaults().size() << " dense features but got "
           << getFeatures().size(); // C2
  int64_t ragged = (others - 3 * sparse) / 2;
  if (failed(verifyFeatureTypes(*this, static_cast<size_t>(sparse),
                                static_cast<size_t>(ragged)))) // C3
    return failure();
  for (auto [i, fallback] : llvm::enumerate(getDefaults()))
    if (Type type = elementOf(getFeatures()[static_cast<size_t>(3 * sparse) + i]);
        type != elementOf(fallback))
      return emitOpError("expected a default of ")
             << type << " but got " << elementOf(fallback); // C4
  if (!areShapes(getDenseShapes(), getDefaults().size()))
    return emitOpError("expected ")
           << getDefaults().size() << " shapes, each its rank and its dims, as dense_shapes"; // C5
  auto rank = static_cast<int64_t>(getRank());
  if (rank < -1 || rank > 1)
    return emitOpError("expected rank -1, 0 or 1 but got ") << rank; // C6
  return success();
}

void sluice::nd::registerRecordsOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Records.cpp.inc"
      >();
}
