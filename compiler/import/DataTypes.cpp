// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and sizes of element types.
#include "compiler/import/DataTypes.h"

#include "llvm/ADT/StringRef.h"

namespace sluice::import {

using namespace graphdef;

namespace {

enum class Use : uint8_t { kNone, kMoved, kComputed };

struct TypeRow {
  DataType type;
  const char *name;
  unsigned bytes; // in tensor_content; 0: none
  Use use;
};

constexpr TypeRow kTypes[] = {
    {DT_FLOAT, "float", 4, Use::kComputed},
    {DT_DOUBLE, "double", 8, Use::kComputed},
    {DT_INT32, "int32", 4, Use::kComputed},
    {DT_UINT8, "uint8", 1, Use::kComputed},
    {DT_INT16, "int16", 2, Use::kComputed},
    {DT_INT8, "int8", 1, Use::kComputed},
    {DT_STRING, "string", 0, Use::kComputed},
    {DT_COMPLEX64, "complex64", 8, Use::kComputed},
    {DT_INT64, "int64", 8, Use::kComputed},
    {DT_BOOL, "bool", 1, Use::kComputed},
    {DT_QINT8, "qint8", 1, Use::kComputed},
    {DT_QUINT8, "quint8", 1, Use::kComputed},
    {DT_QINT32, "qint32", 4, Use::kComputed},
    {DT_BFLOAT16, "bfloat16", 2, Use::kComputed},
    {DT_QINT16, "qint16", 2, Use::kComputed},
    {DT_QUINT16, "quint16", 2, Use::kComputed},
    {DT_UINT16, "uint16", 2, Use::kComputed},
    {DT_COMPLEX128, "complex128", 16, Use::kComputed},
    {DT_HALF, "half", 2, Use::kComputed},
    {DT_RESOURCE, "resource", 0, Use::kNone},
    {DT_VARIANT, "variant", 0, Use::kNone},
    {DT_UINT32, "uint32", 4, Use::kComputed},
    {DT_UINT64, "uint64", 8, Use::kComputed},
    {DT_FLOAT8_E5M2, "float8_e5m2", 1, Use::kMoved},
    {DT_FLOAT8_E4M3FN, "float8_e4m3fn", 1, Use::kMoved},
    {DT_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", 1, Use::kMoved},
    {DT_FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", 1, Use::kMoved},
    {DT_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", 1, Use::kMoved},
    {DT_INT4, "int4", 1, Use::kMoved},
    {DT_UINT4, "uint4", 1, Use::kMoved},
    {DT_INT2, "int2", 1, Use::kMoved},
    {DT_UINT2, "uint2", 1, Use::kMoved},
};

const TypeRow *rowOf(int type) {
  // Types are numbered from 1 without gaps.
  if (type < 1 || type > static_cast<int>(std::size(kTypes)))
    return nullptr;
  return &kTypes[type - 1];
}

constexpr int kRefOffset = 100;

} // namespace

bool isValueType(int type) { return rowOf(type) != nullptr; }

std::string typeName(int type) {
  if (const TypeRow *row = rowOf(type))
    return row->name;
  if (const TypeRow *row = rowOf(type - kRefOffset))
    return std::string("reference to ") + row->name;
  return "type " + std::to_string(type);
}

std::string typeName(EdgeType type) {
  return (type.isRef ? "reference to " : "") + typeName(type.type);
}

std::optional<DataType> typeFromName(std::string_view name) {
  llvm::StringRef text(name);
  text.consume_front("DT_");
  std::string lower = text.lower();
  if (lower == "float32")
    lower = "float";
  else if (lower == "float64")
    lower = "double";
  else if (lower == "float16")
    lower = "half";
  for (const TypeRow &row : kTypes)
    if (lower == row.name)
      return row.type;
  return std::nullopt;
}

unsigned elementBytes(DataType type) {
  const TypeRow *row = rowOf(type);
  return row ? row->bytes : 0;
}

bool isTensorType(DataType type) {
  const TypeRow *row = rowOf(type);
  return row && row->use != Use::kNone;
}

bool isOnlyMoved(DataType type) {
  const TypeRow *row = rowOf(type);
  return row && row->use == Use::kMoved;
}

} // namespace sluice::import
