// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reading of checkpoints. The first byte chooses: a whole index; the entries of a block,
// which get good checksums around them; stored strings; the text and the key of a part.
#include "compiler/import/bundle/Bundle.h"
#include "compiler/import/bundle/StoredStrings.h"
#include "test/compiler/import/bundle/BundleWriter.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice;

static void readIndex(std::string index) {
  import::DiagnosticList diagnostics;
  auto bundle = import::Bundle::parse("/nowhere/c", std::move(index), {}, diagnostics);
  fuzz::require(bundle || diagnostics.hasErrors(), "an index that is refused has a reason");
  if (!bundle)
    return;
  for (llvm::StringRef name : bundle->names()) {
    (void)bundle->describe(name, diagnostics);
    bool good = bundle->read(name, "", diagnostics).has_value();
    fuzz::require(good || diagnostics.hasErrors(), "a tensor that is refused has a reason");
  }
}

static std::string indexOf(std::string entries) {
  import::TableWriter table;
  std::string handle = table.writeBlock(std::move(entries), {0});
  table.addHandle(std::string(8, '\xff'), handle);
  return table.finish();
}

static void readPart(std::string_view text) {
  auto part = import::parsePart(text);
  if (!part)
    return;
  int64_t whole = import::Region::whole(part->shape).elements();
  fuzz::require(part->region.elements() <= whole, "a part is no larger than the whole");
  constexpr int64_t kMost = 1 << 16;
  if (whole > kMost)
    return;
  std::string from(static_cast<size_t>(whole), 'x');
  std::string to(static_cast<size_t>(part->region.elements()), 'y');
  import::copyShared(import::Region::whole(part->shape), from, part->region, to.data(), 1);
  fuzz::require(to.find('y') == std::string::npos, "all of a part is copied");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return -1;
  std::string_view rest = fuzz::textOf(data + 1, size - 1);
  std::vector<std::string> strings;
  uint32_t checksum;
  switch (data[0] % 4) {
  case 0:
    readIndex(std::string(rest));
    break;
  case 1:
    readIndex(indexOf(std::string(rest)));
    break;
  case 2:
    (void)import::decodeStoredStrings(rest.substr(1), data[1], strings, checksum);
    break;
  default:
    readPart(rest);
  }
  return 0;
}
