// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a check on a card says: a line for each thing that was checked, and figures.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

class CardReport {
public:
  void passed(const std::string &what) {
    ++passed_;
    std::printf("passed: %s\n", what.c_str());
  }
  void failed(const std::string &what, const std::string &why) {
    ++failed_;
    std::printf("FAILED: %s: %s\n", what.c_str(), why.c_str());
  }
  void skipped(const std::string &what, const std::string &why) {
    ++skipped_;
    std::printf("skipped: %s: %s\n", what.c_str(), why.c_str());
  }
  void check(bool holds, const std::string &what, const std::string &why) {
    holds ? passed(what) : failed(what, why);
  }
  // Names end with the unit.
  void figure(const std::string &name, double value) {
    figures_.emplace_back(name, value);
    std::printf("figure: %s %.6g\n", name.c_str(), value);
  }
  // Writes the figures as JSON, and the counts. The exit code of the program.
  int finish(const char *file) const {
    if (std::FILE *out = file ? std::fopen(file, "w") : nullptr) {
      std::fputs("{", out);
      for (size_t i = 0; i < figures_.size(); ++i)
        std::fprintf(out, "%s\n  \"%s\": %.6g", i ? "," : "", figures_[i].first.c_str(),
                     figures_[i].second);
      std::fputs("\n}\n", out);
      std::fclose(out);
    }
    std::printf("%d passed, %d failed, %d skipped\n", passed_, failed_, skipped_);
    return failed_ ? 1 : 0;
  }

private:
  int passed_ = 0, failed_ = 0, skipped_ = 0;
  std::vector<std::pair<std::string, double>> figures_;
};

} // namespace sluice::test
