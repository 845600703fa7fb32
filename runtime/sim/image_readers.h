// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of the two kinds of images.
#pragma once

#include "runtime/sim/image.h"

namespace sluice::rt::sim {

bool readCubin(std::string_view bytes, Image &image, std::string &problem);
bool readPtx(std::string_view text, Image &image, std::string &problem);

} // namespace sluice::rt::sim
