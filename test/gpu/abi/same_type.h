// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two signatures pass the same bytes, although the names of their types differ.
#pragma once

#include <type_traits>

namespace sluice::test {

template <typename Ours, typename Theirs> constexpr bool sameType();

template <typename Ours, typename Theirs> struct SameSignature : std::false_type {};
template <typename OurResult, typename... Ours, typename TheirResult, typename... Theirs>
  requires(sizeof...(Ours) == sizeof...(Theirs))
struct SameSignature<OurResult (*)(Ours...), TheirResult (*)(Theirs...)> {
  static constexpr bool value =
      sameType<OurResult, TheirResult>() && (true && ... && sameType<Ours, Theirs>());
};

template <typename Type> constexpr bool isOpaque() {
  return std::is_void_v<Type> || !requires { sizeof(Type); };
}

// Handles are pointers to types that nobody defines, or that they alone define; all other pointers
// are followed.
template <typename Ours, typename Theirs> constexpr bool samePointee() {
  if constexpr (std::is_function_v<Ours> || std::is_function_v<Theirs>)
    return SameSignature<Ours *, Theirs *>::value;
  else if constexpr (isOpaque<Ours>() || isOpaque<Theirs>())
    return std::is_const_v<Ours> == std::is_const_v<Theirs> && isOpaque<Ours>() &&
           std::is_void_v<Ours> == std::is_void_v<Theirs> &&
           (isOpaque<Theirs>() || std::is_class_v<Theirs>);
  else
    return std::is_const_v<Ours> == std::is_const_v<Theirs> && sameType<Ours, Theirs>();
}

template <typename Type> constexpr bool isNumber() {
  return std::is_integral_v<Type> || std::is_enum_v<Type>;
}

template <typename Ours, typename Theirs> constexpr bool sameType() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>) {
    if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>)
      return samePointee<std::remove_pointer_t<Ours>, std::remove_pointer_t<Theirs>>();
    else
      return false;
  } else if constexpr (isNumber<Ours>() && isNumber<Theirs>()) {
    return sizeof(Ours) == sizeof(Theirs);
  } else if constexpr (std::is_class_v<Ours>) {
    return std::is_class_v<Theirs> && sizeof(Ours) == sizeof(Theirs) &&
           alignof(Ours) == alignof(Theirs);
  } else {
    return std::is_same_v<Ours, Theirs>;
  }
}

} // namespace sluice::test
