// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of limits.
#include "runtime/base/limits.h"

namespace sluice::rt {

namespace {
constexpr uint64_t kAny = INT64_MAX;
constexpr uint64_t kGiB = uint64_t{1} << 30;

constexpr LimitRow kTable[] = {
    {Limit::kIterations, "iterations", kAny, 1, kAny,
     "iterations of one entered loop; compiled loops are not counted: --timeout ends those too"},
    {Limit::kCallDepth, "call-depth", 10'000, 1, 100'000'000,
     "calls of functions within each other; each takes memory until it returns"},
    {Limit::kTensorFileBytes, "tensor-file-bytes", 64 * kGiB, 1, kAny, "a .npy or .npz file"},
    {Limit::kJsonFileBytes, "json-file-bytes", kGiB, 1, kAny, "a .json file with a tensor"},
    {Limit::kRequestBytes, "request-bytes", kGiB / 4, 1, kAny, "a line of --calls"},
    // Values of this depth are destroyed recursively.
    {Limit::kJsonDepth, "json-depth", 64, 1, 1000, "arrays and objects of JSON inside each other"},
    {Limit::kJsonValues, "json-values", uint64_t{1} << 22, 1, kAny,
     "values in one JSON text: small texts must not become gigabytes"},
    {Limit::kVariablesFileBytes, "variables-file-bytes", 64 * kGiB, 1, kAny,
     "a file of --load; of a checkpoint with an index, each tensor"},
    {Limit::kVariablesHeaderBytes, "variables-header-bytes", 100'000'000, 1, kAny,
     "the header of a file of --load, or the index of a checkpoint"},
    {Limit::kEarlyTokens, "early-tokens", uint64_t{1} << 20, 1, kAny,
     "tokens of other ranks that wait for an iteration or a call that has not begun here"},
    {Limit::kEarlyBytes, "early-bytes", 4 * kGiB, 1, kAny,
     "the same in bytes; tensors count towards --memory-limit as well"},
    {Limit::kDeclarationBytes, "declaration-bytes", uint64_t{1} << 26, 1, kAny,
     "names and shapes of variables that other ranks declare"},
    {Limit::kStrangers, "strangers", 64, 1, 10'000,
     "connections whose other end has not yet proved to be a rank"},
    {Limit::kKernelSeconds, "kernel-seconds", 86'400, 1, 1'000'000'000,
     "time in which a worker has ended a kernel or codelet; then the call ends, with exit code 12"},
    {Limit::kInlineOperations, "inline-operations", 500'000, 1, kAny,
     "elementary operations of a kernel or codelet that a worker does not get while others wait; "
     "with "
     "1 workers get all"},
    {Limit::kPackedBytes, "packed-bytes", kGiB, 1, kAny,
     "packed forms of matrices that are kept for later products, at most a quarter of "
     "--memory-limit; with 1, none are"},
};
static_assert(sizeof(kTable) / sizeof(kTable[0]) == static_cast<size_t>(Limit::kCount));
} // namespace

std::span<const LimitRow> limitTable() { return kTable; }

const LimitRow *findLimit(std::string_view name) {
  for (const LimitRow &row : kTable)
    if (row.name == name)
      return &row;
  return nullptr;
}

std::string seeLimit(Limit limit) {
  return "; see --limit " + std::string(kTable[static_cast<size_t>(limit)].name);
}

Limits::Limits() {
  for (const LimitRow &row : kTable)
    set(row.id, row.standard);
}

} // namespace sluice::rt
