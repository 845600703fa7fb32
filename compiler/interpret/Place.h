// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where tokens are: in iterations of frames and in regions of branches, which lie inside each
// other.
//
// Places form a tree, as deep as loops and branches are nested. Each holds what waits there, and
// all of it goes when an iteration retires. Maps are ordered, so that messages do not depend on
// addresses.
#pragma once

#include "compiler/interpret/Graph.h"
#include "runtime/kernels/firing_number.h"

#include <map>
#include <memory>
#include <ranges>
#include <set>

namespace sluice::interpret {

// A value or a control token.
struct Token {
  rt::Tensor value; // invalid in control tokens and dead ones
  bool dead = false;
  uint64_t number = 0; // on the tape, if there is one
};

// Tokens that have arrived at one op in one place.
struct Cell {
  std::vector<std::optional<Token>> operands; // nothing: not arrived, or a constant
  unsigned numArrived = 0;
  unsigned numControls = 0;          // merge: control tokens among them
  unsigned numDead = 0;              // merge: dead values among them
  bool fired = false;                // only merges and what is piecewise are kept after that
  std::optional<unsigned> liveInput; // merge: the value that it takes
  std::optional<bool> decision;      // branch, condition: its predicate; nothing if that is dead
};

struct Place;

// One instance of a frame. Iterations oldest … next-1 exist.
struct Frame {
  // Its name, which belongs to the IR; and 1 + the position of its flow.while, or 0 for a frame
  // that flow.enter makes.
  using Key = std::pair<std::string_view, unsigned>;

  Key key;
  Place *around = nullptr;
  std::map<uint64_t, std::unique_ptr<Place>> iterations;
  uint64_t oldest = 0, next = 0;
  uint64_t window = 1;
  unsigned numEnters = 0, entersArrived = 0;
  std::map<unsigned, Token> constants; // by constant enter, or by operand of the flow.while
  // Live values that wait for room in the window: all for iteration `next`, with their users.
  std::vector<std::pair<const std::vector<Use> *, Token>> deferred;
  std::vector<const std::vector<Use> *> deadBacks; // users of dead values for iteration `next`
  std::vector<unsigned> deadExits;                 // of the newest iteration
  std::set<unsigned> liveExits;                    // of any
  const Node *loop = nullptr;                      // the flow.while whose frame it is
  bool dead = false;                               // of a flow.while: nothing runs
  const Node *call = nullptr;                      // the flow.call whose frame it is
  std::vector<Token> arguments;                    // of the call

  bool hasRoom() const { return next - oldest < window; }
  Place &first() { return *iterations.begin()->second; }
};

// An iteration of a frame, the root frame with its single iteration, or the region of a branch.
struct Place {
  Place() : iteration(this) {}
  Place(Frame &of, uint64_t n)
      : around(of.around), callDepth(of.around->callDepth + (of.call != nullptr)), frame(&of),
        number(n), iteration(this), firing(firingIn(of, n)) {}
  explicit Place(Place &branchIn) // branches come and go with the iteration around them
      : around(&branchIn), callDepth(branchIn.callDepth), iteration(branchIn.iteration),
        firing(branchIn.firing) {}
  static rt::FiringNumber firingIn(const Frame &frame, uint64_t iteration);
  Place(const Place &) = delete;
  Place &operator=(const Place &) = delete;

  // The place and all inside it, branches first. What is inside is looked at after the visit.
  template <typename Visit> void visit(Visit see) const {
    std::vector<const Place *> open{this};
    while (!open.empty()) {
      const Place *place = open.back();
      open.pop_back();
      see(*place);
      for (const auto &[key, frame] : std::views::reverse(place->frames))
        for (const auto &[n, inner] : std::views::reverse(frame.iterations))
          open.push_back(inner.get());
      for (const auto &[key, branch] : std::views::reverse(place->branches))
        open.push_back(branch.get());
    }
  }

  Place *around = nullptr; // nothing around the root frame
  uint64_t callDepth = 0;  // calls of functions around it
  Frame *frame = nullptr;  // whose iteration it is, if it is one
  uint64_t number = 0;     // of the iteration
  Place *iteration;        // that it is in; often itself
  rt::FiringNumber firing;

  std::map<unsigned, Cell> cells;                                       // by node
  std::map<std::pair<unsigned, bool>, std::unique_ptr<Place>> branches; // by node and way
  std::map<Frame::Key, Frame> frames;

  // Of iterations only.
  unsigned outstanding = 0; // firings that are ready or running
  unsigned liveChildren = 0;
  bool runsBody = false; // of a flow.while
};

// A call is as if the function's ops stood in its place, unless the function calls itself.
inline rt::FiringNumber Place::firingIn(const Frame &frame, uint64_t iteration) {
  const rt::FiringNumber &around = frame.around->firing;
  if (!frame.call)
    return around.inFrame(iteration);
  auto recursion = mlir::cast<flow::CallOp>(frame.call->op).getRecursion();
  return recursion ? around.inFrame(*recursion) : around;
}

} // namespace sluice::interpret
