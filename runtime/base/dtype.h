// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types of tensors, their sizes, names and C++ representations.
#pragma once

#include <cstddef>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::rt {

// 16-bit floats are stored as bits and computed in float32, rounded to nearest even after every op.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(float value);
  operator float() const;
};
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  BFloat16(float value);
  operator float() const;
};

// The order is part of the executable format.
enum class DType : uint8_t {
  kF16,
  kBF16,
  kF32,
  kF64,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kBool,
  kC64,
  kC128,
  kString,
  // A reference to an object that lives in the runtime (variable, array, stack). Never serialised.
  kHandle,
  kInvalid,
};
inline constexpr int kNumDTypes = static_cast<int>(DType::kInvalid);

class Object; // runtime/memory/object.h

// X(enumerator, C++ type, short name)
#define SLUICE_FLOAT_DTYPES(X)                                                                     \
  X(kF16, ::sluice::rt::Half, f16) X(kBF16, ::sluice::rt::BFloat16, bf16) X(kF32, float, f32) X(kF64, double, f64)
#define SLUICE_SIGNED_INT_DTYPES(X)                                                                \
  X(kI8, int8_t, i8) X(kI16, int16_t, i16) X(kI32, int32_t, i32) X(kI64, int64_t, i64)
#define SLUICE_UNSIGNED_INT_DTYPES(X)                                                              \
  X(kU8, uint8_t, u8) X(kU16, uint16_t, u16) X(kU32, uint32_t, u32) X(kU64, uint64_t, u64)
#define SLUICE_INT_DTYPES(X) SLUICE_SIGNED_INT_DTYPES(X) SLUICE_UNSIGNED_INT_DTYPES(X)
#define SLUICE_COMPLEX_DTYPES(X)                                                                   \
  X(kC64, std::complex<float>, c64) X(kC128, std::complex<double>, c128)
#define SLUICE_REAL_DTYPES(X) SLUICE_FLOAT_DTYPES(X) SLUICE_INT_DTYPES(X)
#define SLUICE_NUMBER_DTYPES(X) SLUICE_REAL_DTYPES(X) SLUICE_COMPLEX_DTYPES(X)

template <DType D> struct CppTypeOf;
template <typename T> struct DTypeOf;
#define SLUICE_DTYPE_TRAITS(E, T, N)                                                               \
  template <> struct CppTypeOf<DType::E> {                                                         \
    using type = T;                                                                                \
  };                                                                                               \
  template <> struct DTypeOf<T> {                                                                  \
    static constexpr DType value = DType::E;                                                       \
  };
SLUICE_NUMBER_DTYPES(SLUICE_DTYPE_TRAITS)
SLUICE_DTYPE_TRAITS(kBool, bool, b)
SLUICE_DTYPE_TRAITS(kString, std::string, string)
#undef SLUICE_DTYPE_TRAITS

// Bytes of one element; strings are std::string objects, handles are pointers.
size_t sizeOf(DType dtype);
// "f32", "i64", "bool", "c64", "string", "handle".
std::string_view dtypeName(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);

inline bool isFloat(DType d) { return d <= DType::kF64; }
inline bool isSignedInt(DType d) { return d >= DType::kI8 && d <= DType::kI64; }
inline bool isInt(DType d) { return d >= DType::kI8 && d <= DType::kU64; }
inline bool isComplex(DType d) { return d == DType::kC64 || d == DType::kC128; }
// Elements that are plain bytes: everything but strings and handles.
inline bool isPlain(DType d) { return d < DType::kString; }

} // namespace sluice::rt
