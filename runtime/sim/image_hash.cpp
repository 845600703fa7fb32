// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long an image is, and its hash.
#include "runtime/base/splitmix.h"
#include "runtime/sim/image.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace sluice::rt::sim {

// The end of the last thing that the headers speak of.
static size_t bytesOfElf(const char *image) {
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  size_t end = std::max(header.e_shoff + size_t(header.e_shnum) * header.e_shentsize,
                        header.e_phoff + size_t(header.e_phnum) * header.e_phentsize);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, image + header.e_shoff + i * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

std::string_view bytesOfImage(const void *image) {
  const char *bytes = static_cast<const char *>(image);
  if (!memcmp(bytes, ELFMAG, SELFMAG))
    return {bytes, bytesOfElf(bytes)};
  // Text begins with a comment, a directive or a line's end.
  if (*bytes == '/' || *bytes == '.' || *bytes == '\n')
    return bytes;
  return {};
}

uint64_t hashOfImage(std::string_view bytes) {
  uint64_t hash = mixBits(bytes.size() + SplitMix64::kStep);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<size_t>(8, bytes.size()))) {
    uint64_t word = 0;
    memcpy(&word, bytes.data(), std::min<size_t>(8, bytes.size()));
    hash = mixBits(hash ^ word) + SplitMix64::kStep;
  }
  return hash;
}

} // namespace sluice::rt::sim
