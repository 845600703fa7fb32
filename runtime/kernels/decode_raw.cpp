// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops that take bytes of strings for elements: decode_raw, decode_padded_raw, decompress.
#include "runtime/base/pieces.h"
#include "runtime/io/records/inflater.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/memory/denormals.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

namespace {

uint64_t bytesOfTexts(const KernelCall &call) {
  uint64_t bytes = 0;
  for (const std::string &text : call.input(0).values<std::string>())
    bytes += text.size() + 1;
  return bytes;
}

// Complex numbers are two.
size_t numberBytes(DType dtype) { return sizeOf(dtype) / (isComplex(dtype) ? 2 : 1); }

// Bytes as they came become elements.
Status finish(Tensor &tensor, bool isLittleEndian) {
  auto *bytes = tensor.data<char>();
  size_t size = tensor.elements() > 0 ? tensor.bytes() : 0;
  if (tensor.dtype() == DType::kBool)
    for (size_t i = 0; i < size; ++i)
      bytes[i] = bytes[i] != 0;
  if (size_t width = numberBytes(tensor.dtype()); width > 1 && !isLittleEndian)
    for (size_t i = 0; i < size; i += width)
      std::reverse(bytes + i, bytes + i + width);
  return flushDenormals(tensor);
}

// ---- decode_raw

// Bytes of each string; 0 if there is none.
Result<size_t> commonLength(std::span<const std::string> texts, DType dtype) {
  if (texts.empty())
    return size_t{0};
  for (size_t i = 1; i < texts.size(); ++i)
    if (texts[i].size() != texts[0].size())
      return invalidArgument(format("DecodeRaw requires input strings to all be the same size, but "
                                    "element %zu has size %zu != %zu",
                                    i, texts[0].size(), texts[i].size()));
  if (texts[0].size() % sizeOf(dtype) != 0)
    return invalidArgument(
        format("Input to DecodeRaw has length %zu that is not a multiple of %zu, the size of %s",
               texts[0].size(), sizeOf(dtype), std::string(dtypeName(dtype)).c_str()));
  return texts[0].size();
}

Status rawShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  const Tensor *texts = call.value(0);
  int64_t width = Shape::kUnknown;
  if (texts) {
    SLUICE_ASSIGN_OR_RETURN(size_t bytes,
                            commonLength(texts->values<std::string>(), call.outputType(0)));
    width = static_cast<int64_t>(bytes / sizeOf(call.outputType(0)));
  }
  if (call.output(0).hasRank())
    call.output(0).append(width);
  return okStatus();
}

Status rawRun(KernelCall &call) {
  auto *to = call.output(0).data<char>();
  TurnsOfCall turns(call.input(0).elements() == 0
                        ? 1
                        : static_cast<int64_t>(call.input(0).data<std::string>()->size()) + 1);
  for (const std::string &text : call.input(0).values<std::string>()) {
    if (turns.end())
      return cancelledWork();
    to = std::copy(text.begin(), text.end(), to);
  }
  return finish(call.output(0), attributes::nd::DecodeRaw(call).littleEndian());
}

// ---- decode_padded_raw

Status paddedShape(ShapeCall &call) {
  const Shape &length = call.input(1);
  if (length.hasRank() && !length.isScalar())
    return invalidArgument("fixed_length must be scalar, got shape " + length.toString());
  call.output(0) = call.input(0);
  int64_t width = Shape::kUnknown;
  if (const Tensor *value = call.value(1)) {
    int64_t bytes = value->asInt();
    auto size = static_cast<int64_t>(sizeOf(call.outputType(0)));
    if (bytes <= 0)
      return invalidArgument(
          format("fixed_length (%lld) must be greater than zero.", static_cast<long long>(bytes)));
    if (bytes % size != 0)
      return invalidArgument(
          format("fixed_length (%lld) must be a multiple of the size of out_type (%lld)",
                 static_cast<long long>(bytes), static_cast<long long>(size)));
    width = bytes / size;
  }
  if (call.output(0).hasRank())
    call.output(0).append(width);
  return okStatus();
}

Status paddedRun(KernelCall &call) {
  auto *to = call.output(0).data<char>();
  auto length = static_cast<size_t>(call.input(1).asInt());
  TurnsOfCall turns(static_cast<int64_t>(length));
  for (const std::string &text : call.input(0).values<std::string>()) {
    if (turns.end())
      return cancelledWork();
    size_t used = std::min(text.size(), length);
    std::copy_n(text.begin(), used, to);
    std::memset(to + used, 0, length - used);
    to += length;
  }
  return finish(call.output(0), attributes::nd::DecodePaddedRaw(call).littleEndian());
}

// ---- decompress

Status decompressRun(KernelCall &call) {
  bool isGzip = attributes::nd::Decompress(call).format() == "gzip";
  auto *to = call.output(0).data<std::string>();
  for (const std::string &text : call.input(0).values<std::string>()) {
    SLUICE_ASSIGN_OR_RETURN(*to++,
                            decompress(text, isGzip ? Compression::kGzip : Compression::kZlib));
  }
  return okStatus();
}

uint64_t decompressWork(const KernelCall &call) {
  constexpr uint64_t kWorkOfByte = 16;
  return bytesOfTexts(call) * kWorkOfByte;
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_decode_raw, {rawShape, rawRun, Kernel::kNone, nullptr, bytesOfTexts})
SLUICE_DEFINE_KERNEL(nd_decode_padded_raw,
                     {paddedShape, paddedRun, Kernel::kNone, nullptr, bytesOfTexts})
SLUICE_DEFINE_KERNEL(nd_decompress,
                     {sameShapeRule, decompressRun, Kernel::kNone, nullptr, decompressWork})

} // namespace sluice::rt
