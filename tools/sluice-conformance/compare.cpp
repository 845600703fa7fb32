// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison of tensors and error codes with recorded ones.
#include "tools/sluice-conformance/compare.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

namespace sluice::conformance {

using llvm::StringRef;

Tolerance toleranceOf(StringRef dtype) {
  return llvm::StringSwitch<Tolerance>(dtype)
      .Cases({"float32", "complex64"}, {1e-5, 1e-6})
      .Cases({"float64", "complex128"}, {1e-12, 1e-13})
      .Case("float16", {2e-3, 1e-3})
      .Case("bfloat16", {1e-2, 1e-2})
      .Default({0, 0});
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  return "[" +
         llvm::join(llvm::map_range(shape, [](int64_t d) { return std::to_string(d); }), ",") + "]";
}

static std::string numberText(double value) {
  return llvm::formatv("{0}", llvm::format("%.9g", value)).str();
}

static double decodeSmallFloat(const char *bytes, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(semantics, llvm::APInt(16, llvm::support::endian::read16le(bytes)));
  return value.convertToDouble();
}

// A real element of a floating dtype, or one part of a complex one.
static double realAt(const Tensor &tensor, int64_t index) {
  const char *bytes = tensor.bytes.data();
  if (tensor.dtype == "float16")
    return decodeSmallFloat(bytes + index * 2, llvm::APFloat::IEEEhalf());
  if (tensor.dtype == "bfloat16")
    return decodeSmallFloat(bytes + index * 2, llvm::APFloat::BFloat());
  if (tensor.dtype == "float32" || tensor.dtype == "complex64") {
    float value;
    std::memcpy(&value, bytes + index * sizeof(value), sizeof(value));
    return value;
  }
  double value;
  std::memcpy(&value, bytes + index * sizeof(value), sizeof(value));
  return value;
}

static bool agree(double got, double want, double scale, Tolerance tolerance) {
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want))
    return got == want;
  return std::fabs(got - want) <= tolerance.absolute + tolerance.relative * scale;
}

static std::string differAt(int64_t index, const std::string &want, const std::string &got) {
  return llvm::formatv("element {0}: expected {1} but got {2}", index, want, got).str();
}

static std::optional<std::string> mismatchOfReals(const Tensor &got, const Tensor &want) {
  Tolerance tolerance = toleranceOf(want.dtype);
  for (int64_t i = 0, e = want.elementCount(); i < e; ++i) {
    double g = realAt(got, i), w = realAt(want, i);
    if (!agree(g, w, std::fabs(w), tolerance))
      return differAt(i, numberText(w), numberText(g));
  }
  return std::nullopt;
}

// The magnitude of the whole number scales the tolerance of both parts: a part that is zero by
// cancellation carries the rounding errors of the other.
static std::optional<std::string> mismatchOfComplex(const Tensor &got, const Tensor &want) {
  Tolerance tolerance = toleranceOf(want.dtype);
  auto text = [](double re, double im) { return numberText(re) + "+" + numberText(im) + "i"; };
  for (int64_t i = 0, e = want.elementCount(); i < e; ++i) {
    double gr = realAt(got, 2 * i), gi = realAt(got, 2 * i + 1);
    double wr = realAt(want, 2 * i), wi = realAt(want, 2 * i + 1);
    bool gotNan = std::isnan(gr) || std::isnan(gi), wantNan = std::isnan(wr) || std::isnan(wi);
    if (gotNan && wantNan)
      continue;
    double scale = std::hypot(wr, wi);
    if (!agree(gr, wr, scale, tolerance) || !agree(gi, wi, scale, tolerance))
      return differAt(i, text(wr, wi), text(gr, gi));
  }
  return std::nullopt;
}

static std::optional<std::string> mismatchOfBytes(const Tensor &got, const Tensor &want) {
  unsigned size = elementSize(want.dtype);
  for (int64_t i = 0, e = want.elementCount(); i < e; ++i) {
    StringRef g = StringRef(got.bytes).substr(i * size, size);
    StringRef w = StringRef(want.bytes).substr(i * size, size);
    if (g == w)
      continue;
    auto text = [&](StringRef element) {
      uint64_t raw = 0;
      std::memcpy(&raw, element.data(), size);
      if (StringRef(want.dtype).contains("int") && !StringRef(want.dtype).contains("uint"))
        return std::to_string(llvm::SignExtend64(raw, size * 8));
      return std::to_string(raw);
    };
    return differAt(i, text(w), text(g));
  }
  return std::nullopt;
}

static std::optional<std::string> mismatchOfStrings(const Tensor &got, const Tensor &want) {
  auto text = [](const std::string &s) {
    return "'" + llvm::toHex(StringRef(s).take_front(24), true) + "'" +
           (llvm::isPrint(s.empty() ? ' ' : s[0]) ? " ('" + s.substr(0, 40) + "')" : "");
  };
  for (size_t i = 0; i < want.strings.size(); ++i)
    if (got.strings[i] != want.strings[i])
      return differAt(i, text(want.strings[i]), text(got.strings[i]));
  return std::nullopt;
}

std::optional<std::string> findMismatch(const Tensor &got, const Tensor &want, Depth depth) {
  if (got.dtype != want.dtype)
    return "expected dtype " + want.dtype + " but got " + got.dtype;
  if (got.shape != want.shape)
    return "expected shape " + shapeText(want.shape) + " but got " + shapeText(got.shape);
  if (depth == Depth::kShapeAndDtype)
    return std::nullopt;
  if (want.dtype == "string")
    return mismatchOfStrings(got, want);
  if (StringRef(want.dtype).starts_with("complex"))
    return mismatchOfComplex(got, want);
  if (toleranceOf(want.dtype).absolute > 0)
    return mismatchOfReals(got, want);
  return mismatchOfBytes(got, want);
}

std::optional<std::string> findMismatch(const Tensor &got, double want, StringRef dtype,
                                        Depth depth) {
  Tolerance tolerance = toleranceOf(dtype);
  if (got.dtype != dtype)
    return "expected dtype " + dtype.str() + " but got " + got.dtype;
  if (!got.shape.empty())
    return "expected a scalar but got shape " + shapeText(got.shape);
  if (depth == Depth::kValues && !agree(realAt(got, 0), want, std::fabs(want), tolerance))
    return "expected " + numberText(want) + " but got " + numberText(realAt(got, 0));
  return std::nullopt;
}

std::string errorCodeOf(StringRef exceptionName) {
  if (exceptionName.upper() == exceptionName)
    return exceptionName.str();
  exceptionName.consume_back("Error");
  std::string code;
  for (char c : exceptionName) {
    if (llvm::isUpper(c) && !code.empty())
      code += '_';
    code += llvm::toUpper(c);
  }
  return code;
}

} // namespace sluice::conformance
