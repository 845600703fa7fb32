// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "text".
#include "dialects/nd/text/Text.h"

#define GET_OP_CLASSES
#include "dialects/nd/Text.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult nd::JoinTextsOp::verify() {
  if (getTexts().empty())
    return emitOpError("expected an operand but got none"); // C2
  return success();
}

LogicalResult nd::DecimalOp::verify() {
  constexpr uint64_t kWidest = 1000;
  if (getWidth() > kWidest)
    return emitOpError("expected a width from 0 to 1000 but got ")
           << static_cast<int64_t>(getWidth()); // C3
  return success();
}

// One of the words.
static LogicalResult oneOf(Operation *op, StringRef given, ArrayRef<StringRef> words) {
  if (llvm::is_contained(words, given))
    return success();
  std::string known;
  for (StringRef word : words)
    known += (known.empty() ? "'" : " or '") + word.str() + "'";
  return op->emitOpError("expected ") << known << " but got '" << given << "'";
}

LogicalResult nd::SubstringOp::verify() {
  return oneOf(*this, getUnit(), {"byte", "character"}); // C3
}

LogicalResult nd::TextLengthOp::verify() {
  return oneOf(*this, getUnit(), {"byte", "character"}); // C3
}

LogicalResult nd::EditTextsOp::verify() {
  return oneOf(*this, getHow(),
               {"strip", "lower", "upper", "lower_utf8", "upper_utf8", "encode_base64",
                "pad_base64", "decode_base64"}); // C2
}

LogicalResult nd::AsTextOp::verify() {
  Type element = getInput().getType().getElementType();
  bool isExact = element.isIntOrIndex();
  if (failed(oneOf(*this, getForm(), {"decimal", "scientific", "shortest"})))
    return failure(); // C3
  if (isExact && getForm() != "decimal")
    return emitOpError("expected the form 'decimal' for integers but got '")
           << getForm() << "'"; // C3
  constexpr int64_t kMost = 1000;
  auto width = static_cast<int64_t>(getWidth()), precision = static_cast<int64_t>(getPrecision());
  if (width < -1 || width > kMost)
    return emitOpError("expected a width from -1 to 1000 but got ") << width; // C4
  if (precision < -1 || precision > kMost)
    return emitOpError("expected a precision from -1 to 1000 but got ") << precision; // C4
  if (isExact && precision != -1)
    return emitOpError("expected no precision for integers but got ") << precision; // C4
  if (!getFill().empty() && (getFill().size() > 1 || !StringRef(" +-0#").contains(getFill())))
    return emitOpError("expected nothing, ' ', '+', '-', '0' or '#' to fill but got '")
           << getFill() << "'"; // C5
  return success();
}

LogicalResult nd::HashBucketOp::verify() {
  auto buckets = static_cast<int64_t>(getBuckets());
  if (buckets < 1)
    return emitOpError("expected at least 1 bucket but got ") << buckets; // C3
  if (failed(oneOf(*this, getMethod(), {"fingerprint", "murmur", "keyed"})))
    return failure(); // C4
  size_t expected = getMethod() == "keyed" ? 2 : 0;
  if (getKey().size() != expected)
    return emitOpError("expected ")
           << expected << " numbers as key but got " << getKey().size(); // C5
  return success();
}

LogicalResult nd::SplitTextsOp::verify() {
  if (failed(oneOf(*this, getAt(), {"whole", "bytes"})))
    return failure(); // C3
  auto limit = static_cast<int64_t>(getLimit());
  if (getAt() == "bytes" && limit != -1)
    return emitOpError("expected the limit -1 for separators of bytes but got ") << limit; // C4
  return success();
}

LogicalResult nd::NgramsOp::verify() {
  for (int64_t width : getWidths())
    if (width < 1)
      return emitOpError("expected widths of at least 1 but got ") << width; // C4
  if (auto padding = static_cast<int64_t>(getPadding()); padding < -1)
    return emitOpError("expected a padding of at least -1 but got ") << padding; // C5
  return success();
}

LogicalResult nd::FormatTextOp::verify() {
  if (getPlaceholder().empty())
    return emitOpError("expected a placeholder but got ''"); // C2
  size_t places = getPattern().count(getPlaceholder());
  if (places != getData().size())
    return emitOpError("expected as many placeholders as data (")
           << getData().size() << ") but got " << places; // C2
  return success();
}

void sluice::nd::registerTextOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Text.cpp.inc"
      >();
}
