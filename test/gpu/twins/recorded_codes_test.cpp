// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a card of NVIDIA's answers to wrong calls, as recorded, beside the simulated driver's
// answers.
#include "test/gpu/twins/kernel_calls.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace sluice::test {
namespace {

// What was asked, and the answer.
std::map<std::string, std::string> readCodes(std::istream &in) {
  std::map<std::string, std::string> codes;
  for (std::string line; std::getline(in, line);)
    if (size_t colon = line.rfind(": "); line.starts_with("code: ") && colon > 6)
      codes[line.substr(6, colon - 6)] = line.substr(colon + 2);
  return codes;
}

// The simulator says what is wrong where the driver lets it pass, or tells of it later.
const std::set<std::string> kStricter = {
    "a branch without a body",
};

TEST(RecordedCodes, areThoseOfTheSimulatedDriver) {
  KernelRuns runs("axpy");
  std::string folder = runs.settings()["SLUICE_SIM_TWINS"], answers = folder + "/answers.txt";
  std::ofstream(folder + "/axpy.cubin") << runs.image();
  std::string command = "SLUICE_SIM_TWINS=" + folder +
                        " CARD_CHECK_DRIVER=" SLUICE_SIM_LIBRARY " " SLUICE_CARD_CHECK " codes " +
                        folder + " >" + answers + " 2>" + folder + "/messages.txt";
  (void)system(command.c_str());
  std::ifstream recordedFile(SLUICE_RECORDED_CODES), answered(answers);
  std::map<std::string, std::string> recorded = readCodes(recordedFile), got = readCodes(answered);
  EXPECT_GE(recorded.size(), 29u);
  for (const auto &[question, code] : recorded)
    if (!kStricter.count(question))
      EXPECT_EQ(got[question], code) << question;
}

} // namespace
} // namespace sluice::test
