// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads cubins: ELF files with a section `.nv.info.KERNEL` for each kernel. A section is a row of
// records {form, attribute, 16 bits}; of form 4 are those that have as many bytes behind them.
#include "runtime/sim/image_readers.h"

#include <cstring>
#include <elf.h>

namespace sluice::rt::sim {

constexpr uint8_t kFormSized = 4;
constexpr uint8_t kRequiredBlock = 0x10;
constexpr uint8_t kParameter = 0x17;
constexpr std::string_view kInfoPrefix = ".nv.info.";

template <typename T> static bool readAt(std::string_view bytes, size_t place, T &value) {
  if (place > bytes.size() || bytes.size() - place < sizeof value)
    return false;
  memcpy(&value, bytes.data() + place, sizeof value);
  return true;
}

// A parameter's record: index, ordinal (16 bits), offset (16 bits), flags with the size above
// bit 18.
static bool readParameter(std::string_view record, ImageKernel &kernel) {
  uint16_t ordinal;
  uint32_t flags;
  if (!readAt(record, 4, ordinal) || !readAt(record, 8, flags))
    return false;
  if (kernel.parameterBytes.size() <= ordinal)
    kernel.parameterBytes.resize(ordinal + 1);
  kernel.parameterBytes[ordinal] = flags >> 18;
  return true;
}

static bool readInfo(std::string_view info, ImageKernel &kernel) {
  while (info.size() >= 4) {
    uint8_t form = info[0], attribute = info[1];
    uint16_t bytes = 0;
    readAt(info, 2, bytes);
    info.remove_prefix(4);
    if (form != kFormSized)
      continue;
    if (bytes > info.size())
      return false;
    std::string_view record = info.substr(0, bytes);
    if (attribute == kParameter && !readParameter(record, kernel))
      return false;
    if (attribute == kRequiredBlock)
      for (int i = 0; i < 3; ++i)
        if (!readAt(record, 4 * i, kernel.block[i]))
          return false;
    info.remove_prefix(bytes);
  }
  return true;
}

bool readCubin(std::string_view bytes, Image &image, std::string &problem) {
  problem = "the cubin is damaged";
  Elf64_Ehdr header;
  Elf64_Shdr section, names;
  if (!readAt(bytes, 0, header) || header.e_shentsize != sizeof section ||
      !readAt(bytes, header.e_shoff + sizeof names * header.e_shstrndx, names))
    return false;
  // The architecture moved by a byte with version 8 of the format.
  image.isCubin = true;
  image.architecture =
      header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 & 0xff : header.e_flags & 0xff;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    if (!readAt(bytes, header.e_shoff + i * sizeof section, section))
      return false;
    size_t name = names.sh_offset + section.sh_name;
    if (name >= bytes.size() || memchr(bytes.data() + name, 0, bytes.size() - name) == nullptr)
      return false;
    std::string_view text = bytes.data() + name;
    if (!text.starts_with(kInfoPrefix))
      continue;
    ImageKernel kernel;
    kernel.name = text.substr(kInfoPrefix.size());
    if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset ||
        !readInfo(bytes.substr(section.sh_offset, section.sh_size), kernel))
      return false;
    image.kernels.push_back(std::move(kernel));
  }
  problem.clear();
  return true;
}

} // namespace sluice::rt::sim
