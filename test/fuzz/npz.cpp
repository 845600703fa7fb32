// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes .npz files: the directory, and every array that it names.
#include "runtime/io/npz.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice::rt;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes = sluice::fuzz::textOf(data, size);
  Result<std::vector<ZipMember>> members = readZipDirectory(bytes);
  if (!members.ok())
    return 0;
  // So much fits the time of one execution.
  constexpr uint64_t kMostElements = 1 << 20;
  constexpr size_t kMostArrays = 4;
  for (size_t i = 0; i < std::min(members->size(), kMostArrays); ++i) {
    std::string_view name = (*members)[i].name;
    std::string_view key = name.substr(0, name.size() - std::min<size_t>(name.size(), 4));
    Result<NpzArray> array = NpzArray::open(bytes, key);
    if (array.ok() && static_cast<uint64_t>(array->header().shape.elements()) <= kMostElements)
      (void)array->read();
  }
  return 0;
}
