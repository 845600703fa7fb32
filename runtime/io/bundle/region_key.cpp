// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of parts of tensors: numbers and texts are written such that keys sort as they do.
#include "runtime/io/bundle/region.h"

namespace sluice::rt {

// Its length in bytes, then its bytes, the highest first.
static void addNumber(std::string &key, uint64_t number) {
  std::string bytes;
  for (; number; number >>= 8)
    bytes.insert(bytes.begin(), static_cast<char>(number));
  key += static_cast<char>(bytes.size());
  key += bytes;
}

static void addText(std::string &key, std::string_view text) {
  for (char c : text) {
    key += c;
    if (c == '\0')
      key += '\xff';
    else if (c == '\xff')
      key += '\0';
  }
  key += '\0';
  key += '\1';
}

// As many bits as bytes are inverted at the front: ones before positive numbers, zeros before
// negative ones. A byte of them holds 6 bits of the number and its sign, each more 7.
static void addSigned(std::string &key, int64_t number) {
  uint64_t magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
  unsigned length = 1;
  while (length < 10 && magnitude >> (7 * length - 1))
    ++length;
  std::string bytes(10, number < 0 ? '\xff' : '\0');
  for (unsigned i = 0; i < 8; ++i)
    bytes[9 - i] = static_cast<char>(static_cast<uint64_t>(number) >> (8 * i));
  bytes.erase(0, 10 - length);
  for (unsigned bit = 0; bit < length; ++bit)
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (0x80 >> bit % 8));
  key += bytes;
}

std::string keyOfSlice(std::string_view name, const TensorSlice &slice) {
  std::string key;
  addNumber(key, 0);
  addText(key, name);
  addNumber(key, slice.starts.size());
  for (size_t i = 0; i < slice.starts.size(); ++i) {
    addSigned(key, slice.starts[i]);
    addSigned(key, slice.sizes[i]);
  }
  return key;
}

} // namespace sluice::rt
