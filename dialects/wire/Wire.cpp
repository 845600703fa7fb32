// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wire dialect: registration, and the verifier of the attributes that other ops carry.
#include "dialects/wire/Wire.h"

#include "dialects/wire/Steering.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/wire/WireDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/wire/WireAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/wire/WireOps.cpp.inc"

using namespace mlir;
using namespace sluice::wire;

void WireDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/wire/WireOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/wire/WireAttributes.cpp.inc"
      >();
}

bool sluice::wire::isSendable(Type type) { return isa<TensorType, flow::TokenType>(type); }

static bool isRank(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(64) && number.getInt() >= 0;
}

static bool isName(Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  return text && !text.empty();
}

static bool isDevice(Attribute value) {
  auto device = dyn_cast<DictionaryAttr>(value);
  Attribute target = device ? device.get(kTarget) : Attribute();
  return device && device.size() == (target ? 3 : 2) && (!target || isName(target)) &&
         isa_and_nonnull<StringAttr>(device.get("name")) &&
         isa_and_nonnull<StringAttr>(device.get("address"));
}

static bool isListOf(Attribute value, bool (*isElement)(Attribute)) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, isElement);
}

namespace {
// What an attribute of ours must be, and on which op it stands.
struct AttributeRule {
  const char *value = nullptr; // in words; null: there is no such attribute
  bool (*holds)(Attribute) = nullptr;
  const char *owner = nullptr; // the name of its op; null: any op
};
} // namespace

static AttributeRule ruleOf(StringRef name) {
  auto isDevices = [](Attribute value) { return isListOf(value, isDevice); };
  auto isFrames = [](Attribute value) { return isListOf(value, isName); };
  return llvm::StringSwitch<AttributeRule>(name)
      .Case(kDevice, {"a rank, which is an i64 that is not negative", isRank, nullptr})
      .Case(kRequested, {"a string that is not empty", isName, nullptr})
      .Case(kColocate, {"a string that is not empty", isName, nullptr})
      .Case(kDevices, {"a list of {name = \"…\", address = \"…\"}, also with target = \"cpu:…\"",
                       isDevices, "builtin.module"})
      .Case(kRank, {"a rank, which is an i64 that is not negative", isRank, "builtin.module"})
      .Case(kFrames, {"a list of strings that are not empty", isFrames, "flow.graph"})
      .Default({});
}

LogicalResult WireDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kSteering) {
    if (!isSteeringOf(op, attribute.getValue()))
      return op->emitOpError("expected '")
             << name << "' to be what the primitives of a flow.cond or flow.while ask for, with "
             << "as many entries in each list as its role has, but got " << attribute.getValue();
    return success();
  }
  AttributeRule rule = ruleOf(name);
  if (!rule.value)
    return op->emitOpError("expected an attribute of the wire dialect but got '") << name << "'";
  if (rule.owner && op->getName().getStringRef() != rule.owner)
    return op->emitOpError("expected '") << name << "' on " << rule.owner << " only";
  if (!rule.holds(attribute.getValue()))
    return op->emitOpError("expected '")
           << name << "' to be " << rule.value << " but got " << attribute.getValue();
  return success();
}
