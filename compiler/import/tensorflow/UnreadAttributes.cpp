// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of harmless attributes, and the check of all others that are not read.
#include "compiler/import/tensorflow/UnreadAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace sluice::import {

using graphdef::AttrValue;
using llvm::StringRef;

llvm::ArrayRef<HarmlessAttribute> harmlessAttributes() {
  static constexpr HarmlessAttribute attributes[] = {
      {"allowed_devices", "devices are chosen by other means"},
      {"debug_name", "a name for people"},
      {"grad_a", "says that a product belongs to a gradient"},
      {"grad_b", "likewise"},
      {"grad_x", "likewise"},
      {"grad_y", "likewise"},
      {"incompatible_shape_error", "shapes that do not fit each other are always an error"},
      {"message", "words of an error, unless the op prints it"},
      {"shape", "a promise that the op does not need, where it is not read"},
      {"sorted", "the sorted order is one of those that are allowed without"},
      {"use_cudnn_on_gpu", "which library a card takes is chosen by other means"},
      {"use_locking", "no update of a variable is seen half done"},
      {"validate_indices", "indices are always checked"},
  };
  return attributes;
}

bool isHarmless(StringRef attribute) {
  return llvm::any_of(harmlessAttributes(), [&](const HarmlessAttribute &harmless) {
    return harmless.name == attribute;
  });
}

bool isOfSignature(const OpSignature &op, const AttrSignature &attribute) {
  auto counts = [&](const ArgSignature &argument) { return argument.count == attribute.name; };
  return attribute.kind == AttrKind::kType || llvm::any_of(op.inputs, counts) ||
         llvm::any_of(op.outputs, counts);
}

// "expected 3 but got 4", or less where a value has no short text.
static std::string difference(const AttrSignature &attribute, const AttrValue &got) {
  auto both = [](const std::string &wanted, const std::string &found) {
    return "expected " + wanted + " but got " + found;
  };
  const AttrValue &wanted = *attribute.defaultValue;
  if (attribute.isList)
    return both("the default", "another list");
  switch (attribute.kind) {
  case AttrKind::kString:
    return both(quoted(wanted.s()), quoted(got.s()));
  case AttrKind::kInt:
    return both(std::to_string(wanted.i()), std::to_string(got.i()));
  case AttrKind::kFloat:
    return both(llvm::formatv("{0}", wanted.f()), llvm::formatv("{0}", got.f()));
  case AttrKind::kBool:
    return both(wanted.b() ? "true" : "false", got.b() ? "true" : "false");
  case AttrKind::kShape:
    return both("the default", "another shape");
  case AttrKind::kType:
  case AttrKind::kTensor:
  case AttrKind::kFunc:
    break;
  }
  return both("the default", "another value");
}

std::string problemOfUnreadAttributes(const OpSignature &op, const OpExpansion &line,
                                      const graphdef::NodeDef &node) {
  for (const graphdef::AttrEntry &entry : node.attr()) {
    const AttrSignature *attribute = op.attribute(entry.key());
    if (!attribute || !attribute->defaultValue || isOfSignature(op, *attribute) ||
        line.reads(attribute->name) || isHarmless(attribute->name))
      continue; // those without a default are read or harmless in every line
    if (entry.value().SerializeAsString() != attribute->defaultValue->SerializeAsString())
      return "attribute " + quoted(attribute->name.str()) + ": " +
             difference(*attribute, entry.value());
  }
  return "";
}

} // namespace sluice::import
