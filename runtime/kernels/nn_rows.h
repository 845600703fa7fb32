// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of images as rows of a matrix, some rows and columns at a time: what products of windows
// multiply without ever having the whole matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::rt {

// Along a spatial dim of the images, row r reads the places r * step + offset.
struct RowAxis {
  int64_t size = 1, rows = 1, step = 1;
  std::vector<int64_t> offsets{0}; // rising
};

// Columns of the matrix whose elements lie one after another in an image: `taps` places along the
// last spatial dim, `channels` at each; of several places, all channels there are.
struct RowSegment {
  std::array<int64_t, 3> offsets;
  int64_t taps, channel, channels;
  int64_t columns() const { return taps * channels; }
};

// Some segments, at most `mostColumns` wide.
struct RowChunk {
  std::size_t begin, end; // of segments
  int64_t column, columns;
};

// The columns of a row are the offsets of the first dim, of the second, of the last, and channels.
template <typename T> class WindowRows {
public:
  WindowRows(const T *images, int64_t batch, std::array<RowAxis, 3> axes, int64_t allChannels,
             int64_t channel, int64_t channels, int64_t mostColumns);

  int64_t rows() const { return batch_ * axes_[0].rows * axes_[1].rows * axes_[2].rows; }
  int64_t columns() const { return columns_; }
  const std::vector<RowChunk> &chunks() const { return chunks_; }
  const T *images() const { return images_; }
  int64_t batch() const { return batch_; }
  const RowAxis &axis(std::size_t dim) const { return axes_[dim]; }
  // Of the images, and which of them columns are.
  int64_t allChannels() const { return allChannels_; }
  int64_t channel() const { return channel_; }
  int64_t channels() const { return channels_; }
  // The rows are those of the images themselves, `allChannels` apart, and begin here; else null.
  const T *plain() const;
  // `to` is a matrix of the chunk's columns.
  void gather(int64_t row, int64_t rows, const RowChunk &chunk, T *to) const;

private:
  struct Place {
    int64_t image;
    std::array<int64_t, 3> at; // rows along each dim
  };
  Place placeOf(int64_t row) const;
  void next(Place &place) const;
  void gatherRow(const Place &place, const RowChunk &chunk, T *to) const;
  void addSegments(int64_t first, int64_t second, int64_t mostColumns);
  void addSegment(const RowSegment &segment, int64_t mostColumns);

  const T *images_;
  int64_t batch_;
  std::array<RowAxis, 3> axes_;
  int64_t allChannels_, channel_, channels_;
  std::vector<RowSegment> segments_;
  std::vector<RowChunk> chunks_;
  int64_t columns_ = 0;
};

} // namespace sluice::rt
