// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses at what a file is that the compiler does not read.
#pragma once

#include <string>
#include <string_view>

namespace sluice::import {

// What the bytes are if they are no GraphDef, as a hint for the user; empty if nobody knows.
std::string foreignFormat(std::string_view content);

// Whether the bytes are a MetaGraphDef, which protobuf may read as a GraphDef of one node, or a
// SavedModel.
bool looksLikeMetaGraph(std::string_view content);
bool looksLikeSavedModel(std::string_view content);

// Whose IR it is, in MLIR's text or bytecode; empty if it may be ours.
std::string foreignIr(std::string_view content);

// "; the file looks like …", or nothing.
std::string looksLike(const std::string &format);

} // namespace sluice::import
