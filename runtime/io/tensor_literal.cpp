// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parser of tensor literals.
#include "runtime/base/splitmix.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/number_text.h"
#include "runtime/io/tensor_text.h"

#include <charconv>

namespace sluice::rt {

namespace {

class Random : public SplitMix64 {
public:
  using SplitMix64::SplitMix64;
  // 7 bits at least are exact in every float type, so that rounding never gives 1.
  template <typename T> T unit() {
    if constexpr (sizeof(T) == 2)
      return T(static_cast<float>(next() >> 57) * 0x1p-7f);
    else if constexpr (sizeof(T) == 4)
      return static_cast<T>(next() >> 40) * static_cast<T>(0x1p-24);
    else
      return static_cast<T>(next() >> 11) * static_cast<T>(0x1p-53);
  }
};

template <typename T> T draw(Random &random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random.next() >> 63;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random.next() % 10);
  } else if constexpr (DTypeOf<T>::value == DType::kC64 || DTypeOf<T>::value == DType::kC128) {
    auto real = random.unit<typename T::value_type>();
    return {real, random.unit<typename T::value_type>()};
  } else {
    return random.unit<T>();
  }
}

void fillRandom(Tensor &tensor, uint64_t seed) {
  Random random(seed);
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    for (int64_t i = 0, n = tensor.elements(); i < n; ++i)                                         \
      tensor.data<T>()[i] = draw<T>(random);                                                       \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, b)
#undef SLUICE_CASE
  default:
    break;
  }
}

Result<Tensor> generate(std::string_view word, DType dtype, const Shape &shape, uint64_t seed) {
  if (dtype == DType::kString && word == "rand")
    return invalidArgument("expected values for a string tensor but got rand");
  if (dtype >= DType::kHandle)
    return invalidArgument("expected a dtype that can be fed but got " +
                           std::string(dtypeName(dtype)));
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  if (word == "rand")
    fillRandom(tensor, seed);
  else if (dtype != DType::kString)
    std::memset(tensor.raw(), 0, tensor.bytes());
  return tensor;
}

Status parseType(std::string_view text, DType &dtype, Shape &shape) {
  std::string_view whole = text;
  for (;;) {
    size_t cross = text.find('x');
    if (cross == text.npos)
      break;
    int64_t dim;
    auto [end, error] = std::from_chars(text.data(), text.data() + cross, dim);
    if (error != std::errc() || end != text.data() + cross || dim < 0)
      return invalidArgument("expected dims and dtype like 2x3xf32 but got " + quoted(whole, 60));
    if (shape.rank() == Shape::kMaxRank)
      return invalidArgument(format("expected at most %d dims", Shape::kMaxRank));
    shape.append(dim);
    text.remove_prefix(cross + 1);
  }
  std::optional<DType> found = dtypeFromAnyName(text);
  if (!found)
    return invalidArgument("expected a dtype such as f32, i64 or bool but got " + quoted(text, 40));
  dtype = *found;
  return {};
}

Status parseValues(std::string_view text, Tensor &tensor) {
  int64_t wanted = tensor.elements();
  if (tensor.rank() == 0)
    return parseElement(text, tensor, 0);
  int64_t count = 0;
  for (bool more = !text.empty(); more; ++count) {
    size_t comma = text.find(',');
    more = comma != text.npos;
    if (count < wanted)
      SLUICE_RETURN_IF_ERROR(parseElement(text.substr(0, comma), tensor, count));
    text.remove_prefix(more ? comma + 1 : text.size());
  }
  if (count == 1 && wanted > 1) {
    size_t size = sizeOf(tensor.dtype());
    for (int64_t i = 1; i < wanted; ++i) {
      if (tensor.dtype() == DType::kString)
        tensor.data<std::string>()[i] = tensor.data<std::string>()[0];
      else
        std::memcpy(tensor.data<char>() + static_cast<size_t>(i) * size, tensor.raw(), size);
    }
    return {};
  }
  if (count != wanted)
    return invalidArgument(format("expected %lld values or one for all but got %lld",
                                  static_cast<long long>(wanted), static_cast<long long>(count)));
  return {};
}

bool isWord(std::string_view text) { return text == "zeros" || text == "rand"; }

} // namespace

Result<Tensor> parseTensorLiteral(std::string_view text, DType declaredDtype,
                                  const Shape &declaredShape, uint64_t seed) {
  if (isWord(text)) {
    if (!declaredShape.isComplete())
      return invalidArgument("the shape " + declaredShape.toString() +
                             " is not complete: give one, for example 2x" +
                             std::string(dtypeName(declaredDtype)) + "=" + std::string(text));
    return generate(text, declaredDtype, declaredShape, seed);
  }
  size_t equals = text.find('=');
  if (equals == text.npos)
    return invalidArgument("expected @FILE, zeros, rand or a literal like 2x2xf32=1,2,3,4 but "
                           "got " +
                           quoted(text, 60));
  DType dtype;
  Shape shape;
  SLUICE_RETURN_IF_ERROR(parseType(text.substr(0, equals), dtype, shape));
  std::string_view values = text.substr(equals + 1);
  if (isWord(values) && dtype != DType::kString)
    return generate(values, dtype, shape, seed);
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  SLUICE_RETURN_IF_ERROR(parseValues(values, tensor));
  return tensor;
}

} // namespace sluice::rt
