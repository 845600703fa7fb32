// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that no builder reads: which may have any value, and which must have their defaults.
#pragma once

#include "compiler/import/OpTable.h"
#include "compiler/import/tensorflow/Expansion.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace sluice::import {

// An attribute that changes no result here, whatever its value.
struct HarmlessAttribute {
  llvm::StringLiteral name;
  llvm::StringLiteral reason;
};

llvm::ArrayRef<HarmlessAttribute> harmlessAttributes();

bool isHarmless(llvm::StringRef attribute);

// Whether the attribute tells element types or numbers of inputs and outputs, which edges show.
bool isOfSignature(const OpSignature &op, const AttrSignature &attribute);

// What is wrong with the first attribute that the line does not read and that has another value
// than its default; empty if there is none.
std::string problemOfUnreadAttributes(const OpSignature &op, const OpExpansion &line,
                                      const graphdef::NodeDef &node);

} // namespace sluice::import
