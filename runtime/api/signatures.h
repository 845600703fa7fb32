// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the signature that a command line or request means, and ports by name.
#pragma once

#include "runtime/api/options.h"

#include <optional>

namespace sluice::rt {

// Index of the port; `x` and `x:0` name the same.
std::optional<size_t> findPort(std::span<const Port> ports, std::string_view name);
// "f32[2,?]".
std::string portType(const Port &port);
// "'x:0' f32[2,?], 'y:0' i32[]", or "none".
std::string portList(std::span<const Port> ports);
std::vector<std::string_view> portNames(std::span<const Port> ports);

// Those that initialize the program are nobody's to choose. The signature of that name; without a
// name the only one, `main` or `serving_default`, which is what SavedModels call it.
Failure findSignature(std::span<const SignatureInfo> signatures,
                      const std::optional<std::string> &name, size_t &index);
// The same, where the inputs, outputs and targets asked for may tell which one is meant, and all of
// them must exist in the signature.
Failure selectSignature(std::span<const SignatureInfo> signatures, const Options &options,
                        size_t &index);

} // namespace sluice::rt
