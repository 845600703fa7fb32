// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of the attributes of windows.
#include "dialects/nn/Windows.h"

#include <limits>

using namespace mlir;

namespace sluice::nn {

namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

LogicalResult verifyNumbers(Operation *op, StringRef name, ArrayRef<int64_t> numbers,
                            int64_t least) {
  for (int64_t number : numbers)
    if (number < least || number > kMost)
      return op->emitOpError("expected '") << name << "' to have numbers from " << least << " to "
                                           << kMost << " but got " << number;
  return success();
}

} // namespace

LogicalResult verifyWindows(Operation *op, StringRef firstName, ArrayRef<int64_t> first,
                            StringRef secondName, ArrayRef<int64_t> second, StringRef padding,
                            ArrayRef<int64_t> pads) {
  if (first.empty() || first.size() > 3)
    return op->emitOpError("expected '")
           << firstName << "' to have one to three numbers but got " << first.size(); // C2
  if (second.size() != first.size())
    return op->emitOpError("expected '") << secondName << "' to have " << first.size()
                                         << " numbers but got " << second.size(); // C3
  if (failed(verifyNumbers(op, firstName, first, 1)) ||
      failed(verifyNumbers(op, secondName, second, 1)))
    return failure(); // C2, C3
  if (!llvm::is_contained({"same", "valid", "explicit"}, padding))
    return op->emitOpError("expected 'padding' to be one of 'same', 'valid', 'explicit' but got '")
           << padding << "'"; // C4
  size_t expected = padding == "explicit" ? 2 * first.size() : 0;
  if (pads.size() != expected)
    return op->emitOpError("expected 'pads' to have ")
           << expected << " numbers but got " << pads.size(); // C5
  return verifyNumbers(op, "pads", pads, 0);                  // C5
}

SmallVector<NamedAttribute> windowAttributes(Operation *op) {
  SmallVector<NamedAttribute> attributes;
  for (StringAttr name : op->getRegisteredInfo()->getAttributeNames())
    attributes.emplace_back(name, op->getAttr(name));
  return attributes;
}

} // namespace sluice::nn
