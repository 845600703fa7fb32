// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a card of NVIDIA's answers to wrong calls, as recorded, beside the simulated driver's
// answers.
#include "test/gpu/twins/kernel_calls.h"
#include "test/gpu/twins/kernel_module.h"

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

// The simulator says what is wrong where the driver lets it pass, or tells of it at once.
const std::set<std::string> kStricter = {
    "a branch without a body",
    "a kernel that writes out of bounds, launched",
};

// Runs a section with kernels of such names; returns where the output is.
std::string runSection(const TwinFolder &folder, const std::string &section) {
  std::string output = folder.path() + "/" + section + ".txt";
  std::string command = "SLUICE_SIM_TWINS=" + folder.path() +
                        " CARD_CHECK_DRIVER=" SLUICE_SIM_LIBRARY " " SLUICE_CARD_CHECK " " +
                        section + " " + folder.path() + " >" + output + " 2>" + output + ".err";
  (void)system(command.c_str());
  return output;
}

void addKernels(TwinFolder &folder, std::initializer_list<const char *> names) {
  for (std::string name : names) {
    KernelModule kernel(name);
    std::string image = folder.add(kernel, kernel.image());
    for (const char *kind : {".cubin", ".ptx"})
      std::ofstream(folder.path() + "/" + name + kind) << image;
  }
}

TEST(CardCheck, passesOnTheSimulatedDriver) {
  TwinFolder folder;
  addKernels(folder, {"axpy", "matmul", "count_down"});
  for (auto [section, last] : {std::pair("kernels", "4 passed, 0 failed, 0 skipped"),
                               {"conditions", "14 passed, 0 failed, 0 skipped"}}) {
    std::ifstream output(runSection(folder, section));
    std::string line, before;
    while (std::getline(output, line))
      before = line;
    EXPECT_EQ(before, last) << section;
  }
}

TEST(CardCheck, wrongCallsAreAnsweredAsOnRecord) {
  TwinFolder folder;
  addKernels(folder, {"axpy"});
  std::ifstream recordedFile(SLUICE_RECORDED_CODES), answered(runSection(folder, "codes"));
  std::map<std::string, std::string> recorded = readCodes(recordedFile), got = readCodes(answered);
  EXPECT_GE(recorded.size(), 29u);
  std::ostringstream messages;
  messages << std::ifstream(folder.path() + "/codes.txt").rdbuf()
           << std::ifstream(folder.path() + "/codes.txt.err").rdbuf();
  SCOPED_TRACE(messages.str());
  for (const auto &[question, code] : recorded)
    if (!kStricter.count(question))
      EXPECT_EQ(got[question], code) << question;
}

} // namespace
} // namespace sluice::test
