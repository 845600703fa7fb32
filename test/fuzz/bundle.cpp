// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reading of checkpoints. The first byte chooses: a whole index; the entries of a block,
// which get good checksums around them; stored strings; the text and the key of a part; the
// messages of the first format, of which the descriptions come first; its elements.
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/saved_values.h"
#include "runtime/io/bundle/sorted_table_writer.h"
#include "runtime/io/bundle/stored_strings.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "runtime/io/memory_disk.h"
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/io/bundle/checkpoint_by_hand.h"

using namespace sluice;

static void readIndex(std::string index) {
  rt::MemoryDisk disk;
  disk.files["c.data-00000-of-00001"] = std::string(4096, '\1');
  auto bundle = rt::Bundle::parse("c", std::move(index), rt::CheckpointLimits::of(), disk);
  fuzz::require(bundle.ok() || !bundle.status().message().empty(), "a refused index has a reason");
  if (!bundle.ok())
    return;
  for (std::string_view name : (*bundle)->names()) {
    (void)(*bundle)->describe(name);
    auto found = (*bundle)->find(name, "");
    if (!found.ok())
      continue;
    constexpr int64_t kMost = 1 << 16; // elements of no bytes may be many
    fuzz::require(found->dtype == rt::DType::kString || found->elements <= 4096,
                  "what is found has its bytes in the file");
    if (found->elements <= kMost)
      (void)(*bundle)->readTensor(*found);
  }
}

static std::string indexOf(std::string entries) {
  rt::by_hand::TableByHand table;
  std::string handle = table.writeBlock(std::move(entries), {0});
  table.addHandle(std::string(8, '\xff'), handle);
  return table.finish();
}

static void readPart(std::string_view text) {
  auto part = rt::parsePart(text);
  if (!part.ok())
    return;
  rt::Region all = rt::Region::whole(part->shape);
  int64_t whole = all.elements();
  fuzz::require(part->region.elements() <= whole, "a part is no larger than the whole");
  constexpr int64_t kMost = 1 << 16;
  if (whole > kMost)
    return;
  std::string from(static_cast<size_t>(whole), 'x');
  std::string to(static_cast<size_t>(part->region.elements()), 'y');
  rt::copyShared(all, from.data(), part->region, to.data(), rt::DType::kU8);
  fuzz::require(to.find('y') == std::string::npos, "all of a part is copied");
  fuzz::require(!rt::keyOfSlice(text, part->slice).empty(), "a part has a key");
}

// The first byte of what is left says how long the descriptions are.
static void readTable(std::string_view rest) {
  size_t length = std::min(rest.size() - 1, size_t{static_cast<unsigned char>(rest[0])});
  std::string_view descriptions = rest.substr(1, length), values = rest.substr(1 + length);
  rt::MemoryDisk disk;
  rt::SortedTableWriter table([&](std::string_view part) {
    disk.files["c"] += part;
    return rt::okStatus();
  });
  (void)table.add("", descriptions);
  (void)table.add(rt::keyOfSlice("x", rt::TensorSlice::whole(1)), values);
  (void)table.finish();
  auto checkpoint = rt::TableCheckpoint::open("c", rt::CheckpointLimits::of(), disk);
  if (!checkpoint.ok())
    return;
  for (std::string_view name : (*checkpoint)->names())
    if (auto found = (*checkpoint)->find(name, ""); found.ok()) {
      fuzz::require(found->elements <= static_cast<int64_t>(values.size()),
                    "an element has a byte at least");
      (void)(*checkpoint)->readTensor(*found);
    }
}

static void readValues(std::string_view rest) {
  auto dtype = static_cast<rt::DType>(static_cast<unsigned char>(rest[0]) %
                                      static_cast<int>(rt::DType::kHandle));
  constexpr int64_t kElements = 3;
  if (!rt::checkSavable(dtype).ok())
    return;
  auto tensor = rt::Tensor::allocate(dtype, rt::Shape{kElements});
  if (!tensor.ok() || !rt::parseValues(rest.substr(1), dtype, kElements, tensor->raw()).ok())
    return;
  auto again = rt::Tensor::allocate(dtype, rt::Shape{kElements});
  fuzz::require(rt::parseValues(rt::messageOfValues(*tensor), dtype, kElements, again->raw()).ok(),
                "what is read can be written and read again");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return -1;
  std::string_view rest = fuzz::textOf(data + 1, size - 1);
  std::vector<std::string> strings(data[1]);
  switch (data[0] % 6) {
  case 0:
    readIndex(std::string(rest));
    break;
  case 1:
    readIndex(indexOf(std::string(rest)));
    break;
  case 2:
    (void)rt::decodeStoredStrings(rest.substr(1), strings);
    break;
  case 3:
    readPart(rest);
    break;
  case 4:
    readTable(rest);
    break;
  default:
    readValues(rest);
  }
  return 0;
}
