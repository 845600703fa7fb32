// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that the user gives on the command line: feeds and expected fetches.
#pragma once

#include "runtime/api/options.h"
#include "runtime/api/signatures.h"
#include "runtime/io/disk.h"

namespace sluice::rt {

// The value fits the port's dtype and what is known of its shape. INVALID_ARGUMENT names the port.
Status checkPort(const char *kind, const Port &port, const Tensor &value);
Status checkPort(const char *kind, const Port &port, DType dtype, const Shape &shape);
// Names of --input and --expected are the signature's, as `selectSignature` has found.
// The feeds of the signature in its order, from --input.
Failure readFeeds(const SignatureInfo &signature, const Options &options, Disk &disk,
                  std::vector<Tensor> &feeds);
// The values of --expected in its order.
Failure readExpected(const SignatureInfo &signature, const Options &options, Disk &disk,
                     std::vector<Tensor> &expected);
// "1 feed has no value: 'x:0' f32[2]", or nothing if every feed has one.
std::string missingFeeds(const SignatureInfo &signature, const std::vector<Tensor> &feeds);

} // namespace sluice::rt
