// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of many turns: kernels on strings, and on sets in sparse tensors.
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

constexpr DType kString = DType::kString;
constexpr int64_t kMany = 5000;

Tensor numerals() {
  Tensor t = *Tensor::allocate(kString, {kMany});
  for (int64_t i = 0; i < kMany; ++i)
    t.data<std::string>()[i] = std::to_string(i) + ".25";
  return t;
}

void addParts(std::vector<LongCase> &cases) {
  for (const char *unit : {"byte", "character"}) {
    cases.push_back({"nd.substring", [=] {
                       return LongFiring{
                           {texts(kMany), number(3), number(4)}, {kString}, {textAttr(unit)}};
                     }});
    cases.push_back({"nd.text_length",
                     [=] { return LongFiring{{texts(kMany)}, {DType::kI32}, {textAttr(unit)}}; }});
  }
  for (const char *at : {"whole", "bytes"})
    cases.push_back({"nd.split_texts", [=] {
                       return LongFiring{{texts(kMany), Tensor::string(" ")},
                                         {DType::kI64, kString, DType::kI64},
                                         {textAttr(at), intAttr(1), intAttr(-1)}};
                     }});
  cases.push_back({"nd.ngrams", [] {
                     Attr widths;
                     widths.kind = Attr::Kind::kInts;
                     static constexpr int64_t kWidths[] = {2};
                     widths.ints = kWidths;
                     return LongFiring{{texts(kMany), tensor<int64_t>({2}, {0, kMany})},
                                       {kString, DType::kI64},
                                       {intAttr(0), textAttr(""), intAttr(0), textAttr(""),
                                        textAttr(" "), widths}};
                   }});
  for (const char *how : {"strip", "upper", "encode_base64"})
    cases.push_back(
        {"nd.edit_texts", [=] { return LongFiring{{texts(kMany)}, {kString}, {textAttr(how)}}; }});
}

void addNumbers(std::vector<LongCase> &cases) {
  cases.push_back({"nd.as_text", [] {
                     return LongFiring{
                         {fractions({kMany})},
                         {kString},
                         {textAttr("0"), textAttr("decimal"), intAttr(3), intAttr(9)}};
                   }});
  cases.push_back({"nd.parse_number", [] { return LongFiring{{numerals()}, {DType::kF32}}; }});
  cases.push_back({"nd.hash_bucket", [] {
                     Attr none;
                     none.kind = Attr::Kind::kInts;
                     return LongFiring{{texts(kMany)},
                                       {DType::kI64},
                                       {intAttr(1000), none, textAttr("fingerprint")}};
                   }});
  cases.push_back({"nd.format_text", [] {
                     return LongFiring{{fractions({kMany})},
                                       {kString},
                                       {textAttr("x = {}"), textAttr("{}"), intAttr(-1)}};
                   }});
  cases.push_back({"nd.reduce_join", [] {
                     return LongFiring{{texts(kMany).reshaped({50, kMany / 50}), number(0)},
                                       {kString},
                                       {intAttr(0), textAttr(",")}};
                   }});
}

// Of two elements each.
LongFiring sets(std::vector<DType> types, std::vector<Attr> attrs, size_t count) {
  LongFiring firing{{}, std::move(types), std::move(attrs)};
  for (size_t k = 0; k < count; ++k) {
    Tensor places = *Tensor::allocate(DType::kI64, {kMany, 2});
    for (int64_t i = 0; i < kMany; ++i) {
      places.data<int64_t>()[2 * i] = i / 2;
      places.data<int64_t>()[2 * i + 1] = i % 2;
    }
    firing.inputs.push_back(places);
    firing.inputs.push_back(indices({kMany}, static_cast<int64_t>(7 + k)));
    firing.inputs.push_back(tensor<int64_t>({2}, {kMany / 2, 2}));
  }
  return firing;
}

// A feature for each of many rows.
Tensor column(int64_t features) {
  Tensor t = *Tensor::allocate(DType::kI64, {kMany, 1});
  for (int64_t i = 0; i < kMany; ++i)
    t.data<int64_t>()[i] = i % features;
  return t;
}

void addSets(std::vector<LongCase> &cases) {
  cases.push_back({"sci.set_operation", [] {
                     return sets({DType::kI64, DType::kI32, DType::kI64},
                                 {intAttr(1), textAttr("union")}, 2);
                   }});
  cases.push_back({"sci.sparse_cross", [] {
                     return LongFiring{{Tensor::string("-"), tensor<int64_t>({3}, {0, 0, 0}),
                                        column(7), column(11)},
                                       {DType::kI64, DType::kI64, DType::kI64},
                                       {textAttr("plain"), intAttr(0)}};
                   }});
  cases.push_back({"sci.set_size", [] { return sets({DType::kI32}, {intAttr(1)}, 1); }});
  cases.push_back(
      {"sci.row_order", [] { return LongFiring{{indices({30'011, 3}, 101)}, {DType::kI64}}; }});
}

} // namespace

std::vector<LongCase> longTextCases() {
  std::vector<LongCase> cases;
  addParts(cases);
  addNumbers(cases);
  addSets(cases);
  return cases;
}

} // namespace sluice::rt
