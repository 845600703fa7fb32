// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files in which ranks leave their traces until these are merged.
#pragma once

#include <string>
#include <unistd.h>
#include <vector>

namespace sluice::run {

inline std::string traceOfRank(const std::string &merged, size_t rank) {
  return merged + ".rank" + std::to_string(rank);
}

// Removes what an earlier run has left, and at the end what this one has.
class RankTraceFiles {
public:
  RankTraceFiles(const std::string &merged, size_t ranks) {
    for (size_t rank = 0; rank < ranks; ++rank)
      paths_.push_back(traceOfRank(merged, rank));
    removeAll();
  }
  ~RankTraceFiles() { removeAll(); }
  RankTraceFiles(const RankTraceFiles &) = delete;
  RankTraceFiles &operator=(const RankTraceFiles &) = delete;

  std::vector<std::string> written() const {
    std::vector<std::string> files;
    for (const std::string &path : paths_)
      if (::access(path.c_str(), F_OK) == 0)
        files.push_back(path);
    return files;
  }
  std::vector<size_t> missing() const {
    std::vector<size_t> ranks;
    for (size_t rank = 0; rank < paths_.size(); ++rank)
      if (::access(paths_[rank].c_str(), F_OK) != 0)
        ranks.push_back(rank);
    return ranks;
  }

private:
  void removeAll() {
    for (const std::string &path : paths_)
      ::unlink(path.c_str());
  }

  std::vector<std::string> paths_;
};

} // namespace sluice::run
