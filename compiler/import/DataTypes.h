// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types as graph files name them.
#pragma once

#include "compiler/import/graphdef.pb.h"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::import {

using graphdef::DataType;

// A type on an edge: an element type, by value or as a reference to a variable's buffer.
struct EdgeType {
  DataType type = graphdef::DT_INVALID;
  bool isRef = false;
  bool operator==(const EdgeType &) const = default;
};

// Whether the number is one of the format's types, references excluded.
bool isValueType(int type);
// "float", "int32", "resource"; for numbers that are no type "type 999".
std::string typeName(int type);
std::string typeName(EdgeType type);
// From the names of op signatures: "float", "float32", "int64", "DT_INT32", ….
std::optional<DataType> typeFromName(std::string_view name);
// Bytes of one element in `tensor_content`; 0 for strings, handles and types without plain bytes.
unsigned elementBytes(DataType type);
// Whether there are tensors of this type.
bool isTensorType(DataType type);
// Whether ops only move its elements: what these are is not looked at, and they are integers of as
// many bytes.
bool isOnlyMoved(DataType type);

} // namespace sluice::import
