// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seal of safetensors files that we write: a version and a checksum of the whole file in its
// metadata. Files of others have none and are taken as they are.
#pragma once

#include "runtime/io/json.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// The member `__metadata__` of a header, with a checksum still to be filled in.
std::string_view openSeal();
// Fills in the checksum of a whole file whose header has an open seal.
void closeSeal(std::string &file);
// DATA_LOSS unless the file is as it was when it was sealed; UNIMPLEMENTED for a newer version.
// `metadata` is that of the header, null if there is none.
Status checkSeal(std::string_view file, const Json *metadata);

} // namespace sluice::rt
