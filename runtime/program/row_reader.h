// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of what several kinds of rows of an image are made of.
#pragma once

#include "runtime/program/attr_storage.h"
#include "runtime/program/image_bytes.h"
#include "runtime/program/program_desc.h"

namespace sluice::rt {

class RowReader : public ImageReader {
public:
  using ImageReader::ImageReader;

  // Calls `each` as often as the list has items, or until the image ends.
  template <typename Each> void list(Each each) {
    for (uint32_t n = u32(); n && !failed(); --n)
      each();
  }
  DType dtype() { return kind(DType::kInvalid); }
  // One of an enumeration's values, which begin with 0.
  template <typename Kind> Kind kind(Kind last) {
    auto read = static_cast<Kind>(u8());
    if (read > last)
      fail();
    return read;
  }
  Shape shape() {
    bool hasRank = u8() != 0;
    Shape s;
    list([&] { s.append(i64()); });
    return hasRank ? s : Shape::unknownRank();
  }
  OperandDesc operand() {
    uint32_t node = u32(), port = u32();
    return {node, port};
  }
  std::vector<OperandDesc> operands() {
    std::vector<OperandDesc> rows;
    list([&] { rows.push_back(operand()); });
    return rows;
  }
  Attrs attrs(AttrStorage &storage) {
    std::vector<Attr> attrs;
    list([&] { attrs.push_back(attr(storage)); });
    storage.lists.push_back(std::move(attrs));
    return storage.lists.back();
  }

private:
  Attr attr(AttrStorage &storage) {
    Attr a;
    a.kind = kind(Attr::Kind::kShape);
    a.i = i64();
    a.f = f64();
    a.unknownRank = u8() != 0;
    std::vector<int64_t> ints;
    list([&] { ints.push_back(i64()); });
    storage.ints.push_back(std::move(ints));
    a.ints = storage.ints.back();
    a.s = text();
    return a;
  }
};

// The image is not what its maker wrote.
inline Status damagedImage() { return internalError("the executable's program image is damaged"); }

} // namespace sluice::rt
