// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where fetched tensors go: standard output and files.
#pragma once

#include "runtime/api/options.h"
#include "runtime/api/signatures.h"
#include "runtime/io/disk.h"

namespace sluice::rt {

// Names of --output are the signature's, as `selectSignature` has found.
//
// Every --output has a known form that can hold the fetch's dtype and a file that can be written,
// and no file (of --save and --trace neither) is written twice. Called before the first call.
Failure checkOutputs(const SignatureInfo &signature, const Options &options, Disk &disk);
// Prints and writes what --output asks for; without --output and --expected prints every fetch.
Failure deliverOutputs(const SignatureInfo &signature, const Options &options,
                       std::span<const Tensor> fetches, Disk &disk, Console &console);

} // namespace sluice::rt
