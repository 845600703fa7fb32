// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of protobuf in both forms, within limits.
//
// Whatever the bytes are, parsing ends with a message or with diagnostics: sizes and nesting are
// checked before anything recursive sees them.
#pragma once

#include "compiler/import/GraphFile.h"

#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <string>

namespace sluice::import {

// The form is found from the content. `what` is what the message is, as "GraphDef". With
// `positions` it is told where in a text the fields are. False after a diagnostic; `path` only
// names the content.
bool parseMessage(const std::string &path, const std::string &content, const char *what,
                  google::protobuf::Message &message, const Limits &limits,
                  DiagnosticList &diagnostics,
                  google::protobuf::TextFormat::ParseInfoTree *positions = nullptr);

// Where the nodes of a graph are in the text that it was parsed from.
std::vector<TextPosition>
positionsOfNodes(const google::protobuf::TextFormat::ParseInfoTree &positions,
                 const graphdef::GraphDef &graph);

// "model.pbtxt:12:3" for positions that are counted from 0, or the path alone for negative ones.
std::string withPosition(const std::string &path, int line, int column);

} // namespace sluice::import
