// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of a stream. Long base64 texts in them are decoded while they are in a near cache.
#pragma once

#include "runtime/io/disk.h"
#include "runtime/io/request_line.h"

#include <memory>

namespace sluice::rt {

class LineReader {
public:
  LineReader(ByteSource &source, uint64_t longest) : source_(source), longest_(longest) {}
  // The next line, whose text stays until the next call. False at the end. OUT_OF_RANGE for a line
  // that is too long.
  Result<bool> next(RequestLine &line);

private:
  struct Release {
    void operator()(char *text) const;
  };
  // The place of the newline in what has been read, or the end of that.
  size_t search(RequestLine &line);
  void beginText(RequestLine &line);
  void decode(RequestLine &line);
  void takeOut(size_t begin, size_t end);
  // Room for a block behind what is there.
  void makeRoom();

  ByteSource &source_;
  const uint64_t longest_;
  std::unique_ptr<char, Release> text_; // of which `at_` to `end_` have not been given away
  size_t room_ = 0, at_ = 0, end_ = 0;
  size_t searched_ = 0;          // up to there the line has no newline
  size_t takenOut_ = 0;          // characters of the line
  bool decodes_ = false;         // its last text may go on
  std::vector<size_t> expected_; // room for each of its texts
  bool ended_ = false;
};

} // namespace sluice::rt
