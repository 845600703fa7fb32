// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of types and constants.
#include "compiler/import/MlirTypes.h"

#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace sluice::import {

Type elementTypeOf(MLIRContext *context, DataType type) {
  Builder b(context);
  switch (type) {
  case graphdef::DT_HALF:
    return b.getF16Type();
  case graphdef::DT_BFLOAT16:
    return b.getBF16Type();
  case graphdef::DT_FLOAT:
    return b.getF32Type();
  case graphdef::DT_DOUBLE:
    return b.getF64Type();
  case graphdef::DT_COMPLEX64:
    return ComplexType::get(b.getF32Type());
  case graphdef::DT_COMPLEX128:
    return ComplexType::get(b.getF64Type());
  case graphdef::DT_BOOL:
    return b.getI1Type();
  case graphdef::DT_STRING:
    return nd::StringType::get(context);
  case graphdef::DT_INT8:
  case graphdef::DT_INT16:
  case graphdef::DT_INT32:
  case graphdef::DT_INT64:
  case graphdef::DT_QINT8:
  case graphdef::DT_QINT16:
  case graphdef::DT_QINT32:
  case graphdef::DT_INT4:
  case graphdef::DT_INT2:
    return b.getIntegerType(8 * elementBytes(type));
  case graphdef::DT_UINT8:
  case graphdef::DT_UINT16:
  case graphdef::DT_UINT32:
  case graphdef::DT_UINT64:
  case graphdef::DT_QUINT8:
  case graphdef::DT_QUINT16:
  case graphdef::DT_UINT4:
  case graphdef::DT_UINT2:
  case graphdef::DT_FLOAT8_E5M2:
  case graphdef::DT_FLOAT8_E4M3FN:
  case graphdef::DT_FLOAT8_E4M3FNUZ:
  case graphdef::DT_FLOAT8_E4M3B11FNUZ:
  case graphdef::DT_FLOAT8_E5M2FNUZ:
    return b.getIntegerType(8 * elementBytes(type), /*isSigned=*/false);
  default:
    return nullptr;
  }
}

Type storedTypeOf(MLIRContext *context, DataType type) {
  return type == graphdef::DT_VARIANT ? nd::StringType::get(context) : elementTypeOf(context, type);
}

TensorType tensorTypeOf(Type elementType, const graphdef::TensorShapeProto &shape) {
  if (shape.unknown_rank())
    return unrankedOf(elementType);
  SmallVector<int64_t> dims;
  for (const auto &dim : shape.dim())
    dims.push_back(dim.size() < 0 ? ShapedType::kDynamic : dim.size());
  return RankedTensorType::get(dims, elementType);
}

TensorType unrankedOf(Type elementType) { return UnrankedTensorType::get(elementType); }

Type heldTypeOf(MLIRContext *context, DataType type, const graphdef::TensorShapeProto &shape) {
  if (type == graphdef::DT_VARIANT)
    return list::OfType::get(context, list::AnyType::get(context));
  Type element = elementTypeOf(context, type);
  return element ? tensorTypeOf(element, shape) : Type();
}

TensorType intersectionOf(TensorType a, TensorType b) {
  if (!a.hasRank() || !b.hasRank())
    return a.hasRank() ? a : b;
  if (a.getRank() != b.getRank())
    return nullptr;
  SmallVector<int64_t> dims(a.getShape());
  for (auto [mine, other] : llvm::zip_equal(dims, b.getShape())) {
    if (ShapedType::isDynamic(mine))
      mine = other;
    else if (!ShapedType::isDynamic(other) && mine != other)
      return nullptr;
  }
  return RankedTensorType::get(dims, a.getElementType());
}

std::string textOf(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

static DenseElementsAttr boolsOf(RankedTensorType type, const TensorValue &value) {
  SmallVector<bool> bits;
  for (char byte : value.bytes)
    bits.push_back(byte != 0);
  return DenseElementsAttr::get(type, bits);
}

ElementsAttr attributeOf(MLIRContext *context, const TensorValue &value) {
  constexpr size_t kLargestInline = 4096;
  auto type = RankedTensorType::get(value.shape, elementTypeOf(context, value.type));
  if (value.type == graphdef::DT_STRING) {
    SmallVector<StringRef> strings(value.strings.begin(), value.strings.end());
    return DenseStringElementsAttr::get(type, strings);
  }
  if (value.type == graphdef::DT_BOOL)
    return boolsOf(type, value);
  ArrayRef<char> bytes(value.bytes.data(), value.bytes.size());
  if (bytes.size() > kLargestInline)
    return DenseResourceElementsAttr::get(type, "constant",
                                          HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

} // namespace sluice::import
