// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in the images that programs load: cubins, which are ELF files, and PTX, which is text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt::sim {

struct ImageKernel {
  std::string name;
  std::vector<uint32_t> parameterBytes;
  uint32_t block[3] = {0, 0, 0}; // as required by the code; 0: anything
};

struct Image {
  bool isCubin = false;
  int architecture = 0; // 90
  std::vector<ImageKernel> kernels;
};

// The image's extent, which it tells itself, as the driver is only given where it begins. Empty if
// it is neither a cubin nor text.
std::string_view bytesOfImage(const void *image);

// Twins are found by it. What makes twins and what looks for them hash the same bytes, those of
// `bytesOfImage`.
uint64_t hashOfImage(std::string_view bytes);

// False, with a reason, where the image is damaged.
bool readImage(std::string_view bytes, Image &image, std::string &problem);

} // namespace sluice::rt::sim
