// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is to be found out on a card that a simulated driver cannot show, in sections, each for a
// process of its own:
//   card-check SECTION KERNELS [FIGURES]
// KERNELS is a folder with NAME.cubin and NAME.ptx of test/gpu/twins/kernels and card/kernels.
#include "test/gpu/card/sections.h"

#include <cstring>

using namespace sluice::test;

static constexpr struct {
  const char *name;
  void (*run)(CardSession &session);
} kSections[] = {
    {"card", describeCard},        {"images", loadImages},    {"kernels", runKernels},
    {"conditions", runConditions}, {"streams", orderStreams}, {"codes", showErrorCodes},
    {"floors", measureFloors},     {"copies", measureCopies}, {"graphs", measureGraphs},
};

int main(int count, char **arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (auto section : kSections)
    if (count >= 3 && !std::strcmp(arguments[1], section.name)) {
      CardReport report;
      CardSession session(report, arguments[2]);
      section.run(session);
      return report.finish(count > 3 ? arguments[3] : nullptr);
    }
  std::fprintf(stderr, "usage: card-check SECTION KERNELS [FIGURES]\nsections:");
  for (auto section : kSections)
    std::fprintf(stderr, " %s", section.name);
  std::fprintf(stderr, "\n");
  return 2;
}
