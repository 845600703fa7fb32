// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LineReader.
#include "runtime/api/line_reader.h"

#include "runtime/base/limits.h"
#include "runtime/io/base64_vectors.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace sluice::rt {

namespace {
// The system copies slower in smaller parts, most of all what is in no cache.
constexpr size_t kBlock = 524288;
// Where it copies fastest to.
constexpr size_t kAlignment = 64;
// Characters that are searched at once, and the fewest that are worth taking out.
constexpr size_t kStep = 4096, kLeastText = 1024;
// Lines are like the one before: so much longer may a text be without a second buffer.
constexpr size_t kMoreThanExpected = 512;
static_assert(kMoreThanExpected / 3 * 4 >= 2 * kLeastVectors && kLeastText >= kLeastVectors);
} // namespace

void LineReader::Release::operator()(char *text) const {
  ::operator delete(text, std::align_val_t(kAlignment));
}

Result<bool> LineReader::next(RequestLine &line) {
  line = {};
  searched_ = at_;
  takenOut_ = 0;
  decodes_ = false;
  for (;;) {
    const size_t newline = search(line);
    if (newline - at_ + takenOut_ > longest_)
      return Status(Code::kOutOfRange, "expected lines of at most " + std::to_string(longest_) +
                                           " bytes on input" + seeLimit(Limit::kRequestBytes));
    const bool found = newline < end_;
    if (found || ended_) {
      line.text = {text_.get() + at_, newline - at_};
      at_ = newline + found;
      expected_.clear();
      for (const DecodedText &part : line.decoded)
        expected_.push_back(part.bytes + kMoreThanExpected);
      return found || !line.text.empty();
    }
    makeRoom();
    SLUICE_ASSIGN_OR_RETURN(size_t n, source_.read(text_.get() + end_, kBlock));
    end_ += n;
    ended_ = n == 0;
  }
}

size_t LineReader::search(RequestLine &line) {
  while (searched_ < end_) {
    if (decodes_)
      decode(line);
    const size_t size = std::min(end_ - searched_, kStep);
    const char *from = text_.get() + searched_;
    if (const void *found = std::memchr(from, '\n', size))
      return searched_ + static_cast<size_t>(static_cast<const char *>(found) - from);
    searched_ += size;
    if (!decodes_)
      beginText(line);
  }
  return end_;
}

// If one ends where the search does. One that began before the step would have been seen there.
void LineReader::beginText(RequestLine &line) {
  const char *end = text_.get() + searched_;
  unsigned char bytes[kLeastVectors];
  if (searched_ - at_ < kLeastText ||
      decodeVectors(end - kLeastVectors, kLeastVectors, bytes).characters / 64 * 64 <
          kLeastVectors - kMostLeft)
    return;
  const size_t size = std::min(searched_ - at_, kStep + kLeastText);
  const auto *quote = static_cast<const char *>(::memrchr(end - size, '"', size));
  if (!quote || static_cast<size_t>(end - quote) <= kLeastText)
    return;
  const size_t index = line.decoded.size();
  const size_t at = static_cast<size_t>(quote + 1 - text_.get()) - at_;
  if (index > 0 && line.decoded.back().at == at) // it was searched from there again
    return;
  // Without memory, the line stays as it is.
  if (Buffer *buffer = Buffer::allocate(index < expected_.size() ? expected_[index] : kStep)) {
    line.decoded.push_back({at, 0, Ref<Buffer>::adopt(buffer)});
    decodes_ = true;
  }
}

void LineReader::decode(RequestLine &line) {
  DecodedText &part = line.decoded.back();
  const size_t begin = at_ + part.at;
  size_t at = begin;
  for (;;) {
    const size_t size = end_ - at;
    const size_t few = std::min(size, (part.buffer->bytes() - part.bytes) / 3 * 4);
    const auto [done, hasDenormals] =
        decodeVectors(text_.get() + at, few, part.data() + part.bytes);
    at += done;
    part.bytes += done / 4 * 3;
    part.hasDenormals |= hasDenormals;
    const bool isFull = few < size && few - done < kLeastVectors;
    decodes_ = isFull ? part.resize(2 * part.buffer->bytes()) : size - done < kLeastVectors;
    if (!isFull || !decodes_)
      break;
  }
  takeOut(begin, at);
}

// Moves what is shorter: the line before it, or all behind it.
void LineReader::takeOut(size_t begin, size_t end) {
  char *text = text_.get();
  const size_t size = end - begin;
  takenOut_ += size;
  searched_ = std::max(searched_, end); // never back, so that each step gets on
  if (begin - at_ < end_ - end) {
    std::memmove(text + at_ + size, text + at_, begin - at_);
    at_ += size;
  } else {
    std::memmove(text + begin, text + end, end_ - end);
    end_ -= size;
    searched_ -= size;
  }
}

void LineReader::makeRoom() {
  const size_t size = end_ - at_, begin = (0 - size) % kAlignment;
  if (room_ - end_ >= kBlock && size > at_) // else near memory is used again
    return;
  if (room_ < begin + size + kBlock) {
    room_ = std::max(2 * room_, 4 * kBlock);
    auto *larger = static_cast<char *>(::operator new(room_, std::align_val_t(kAlignment)));
    if (size)
      std::memcpy(larger + begin, text_.get() + at_, size);
    text_.reset(larger);
  } else if (size) {
    std::memmove(text_.get() + begin, text_.get() + at_, size);
  }
  searched_ = begin + (searched_ - at_);
  at_ = begin;
  end_ = begin + size;
}

} // namespace sluice::rt
