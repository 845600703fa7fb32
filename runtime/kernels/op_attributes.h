// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the accessors of attributes are made with. The accessors themselves are generated from the
// definitions of the ops: runtime/kernels/attributes/nd.h in the build folder has, for each op of
// the dialect nd with attributes, a struct such as `attributes::nd::Pack`; all.h has a table of
// all.
//
// A kernel writes `attributes::nd::Pack(call).axis()`: positions are constants, and what the op
// does not have does not compile.
#pragma once

#include "runtime/kernels/kernel.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace sluice::rt::attributes {

struct Attribute {
  std::string_view name; // as in the op's definition
  std::string_view type; // as kernels read it
  bool operator==(const Attribute &) const = default;
};

// The attributes of an op in the order in which they are passed.
struct Op {
  std::string_view name; // "nd.pack"
  std::span<const Attribute> attributes;
};

class Reader {
protected:
  template <typename Call>
  Reader(const Call &call, [[maybe_unused]] size_t count) : attrs_(call.attrs_) {
    assert(attrs_.size() == count && "a kernel reads the attributes of another op");
  }
  Attrs attrs_;
};

template <typename A, typename B>
constexpr bool kSame = std::ranges::equal(A::kAttributes, B::kAttributes);

// Of ops that share a kernel, which can only read what all of them have.
template <typename First, typename... Others> struct SharedBy : First {
  static_assert((kSame<First, Others> && ...),
                "expected ops that share a kernel to have the same attributes");
  using First::First;
};

} // namespace sluice::rt::attributes
