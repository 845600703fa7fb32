// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd.hash_bucket: numbers of buckets for strings.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/text_hashes.h"
#include "runtime/kernels/text_work.h"

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfText = 128;
constexpr uint64_t kMurmurSeed = 0xdecafcaffe;

uint64_t hashOf(const attributes::nd::HashBucket &given, std::string_view text) {
  if (given.method() == "fingerprint")
    return fingerprint64(text);
  if (given.method() == "murmur")
    return murmur64(text, kMurmurSeed);
  std::span<const int64_t> key = given.key();
  return sipHash24(text, static_cast<uint64_t>(key[0]), static_cast<uint64_t>(key[1]));
}

Status hashRun(KernelCall &call) {
  attributes::nd::HashBucket given(call);
  auto buckets = static_cast<uint64_t>(given.buckets());
  auto *numbers = call.output(0).data<int64_t>();
  TurnsOfCall turns(kCostOfText);
  for (const std::string &text : call.input(0).values<std::string>()) {
    if (turns.end())
      return cancelledWork();
    *numbers++ = static_cast<int64_t>(hashOf(given, text) % buckets);
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_hash_bucket, {sameShapeRule, hashRun, Kernel::kNone, nullptr, workOfTexts})

} // namespace sluice::rt
