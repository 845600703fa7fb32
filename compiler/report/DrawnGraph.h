// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph of one signature as it is drawn: ops, edges between them, and boxes around them. The
// parts of several ranks make one picture, in which a loop is one box whichever ranks it lies on.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <utility>
#include <vector>

namespace sluice::report {

struct ConstantOperand {
  unsigned operand = 0;
  std::string name, value;
};

struct Node {
  std::string name, op;
  unsigned rank = 0;
  unsigned box = 0;
  std::vector<std::string> types; // of the results
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<ConstantOperand> constants; // not drawn
  std::string place;                      // "model.pbtxt:12:3", where the file has lines
};

enum class EdgeKind { kValue, kControl, kBack, kWire };

struct Edge {
  unsigned from = 0, to = 0;
  EdgeKind kind = EdgeKind::kValue;
  std::string type;
};

enum class BoxKind { kGraph, kLoop, kBranch, kCodelet, kScope, kPart };

struct Box {
  BoxKind kind = BoxKind::kGraph;
  std::string title;
  std::string name;    // with '/' between scopes, as nodes have
  std::string note;    // "window 10"; the symbol of a codelet
  unsigned parent = 0; // the first box is the graph itself, and its own parent
};

// A child of a box.
struct Item {
  bool isBox = false;
  unsigned index = 0;
  friend bool operator==(const Item &, const Item &) = default;
};

// How the children of a box stand; bends have numbers of their own.
struct Arrangement {
  struct Place {
    Item item;
    bool isBend = false; // then item.index is its number
  };
  struct Route {
    bool fromAbove = false, toBelow = false; // then the item of that side says nothing
    Item from, to;
    std::vector<unsigned> bends;
  };
  std::vector<std::vector<Place>> layers;
  std::vector<Route> routes; // those with bends
};

struct DrawnGraph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Box> boxes;                // parents before children
  std::vector<Arrangement> arrangements; // of each box, by arrangeBoxes
  unsigned constants = 0;                // which are not drawn
};

// "f32[2,?]", "control", or the type as IR has it.
std::string typeText(mlir::Type type);
// "model.pbtxt:12:3", or nothing.
std::string placeOf(mlir::Location location);

// One for each signature of the modules, one for each rank, of any phase before emit. Without
// arrangements.
std::vector<DrawnGraph> drawGraphs(llvm::ArrayRef<mlir::ModuleOp> ranks);

} // namespace sluice::report
