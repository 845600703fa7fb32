// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps from back to front: each node is told where it goes on.
#include "runtime/pattern/pattern_program.h"

namespace sluice::rt {

namespace {

constexpr size_t kMostSteps = 350'000;

class PatternCompiler {
public:
  explicit PatternCompiler(SyntaxTree &tree) : tree_(tree), setOfNode_(tree.nodes.size(), kNoSet) {}

  Result<PatternProgram> compile() {
    uint32_t match = add({});
    uint32_t end = add({PatternStep::Kind::kMark, match, 1});
    uint32_t body = build(tree_.root, end);
    program_.start = add({PatternStep::Kind::kMark, body, 0});
    program_.groups = tree_.groups;
    if (program_.steps.size() >= kMostSteps)
      return invalidArgument("pattern too large - compile failed");
    return std::move(program_);
  }

private:
  static constexpr uint32_t kNoSet = UINT32_MAX;
  using Kind = SyntaxNode::Kind;

  // Once there are too many, none is added, and the program is not used.
  uint32_t add(PatternStep step) {
    if (program_.steps.size() < kMostSteps)
      program_.steps.push_back(step);
    return static_cast<uint32_t>(program_.steps.size() - 1);
  }
  bool isFull() const { return program_.steps.size() >= kMostSteps; }

  // The step at which the node begins, if it goes on at `next`.
  uint32_t build(uint32_t index, uint32_t next) {
    const SyntaxNode &node = tree_.nodes[index];
    if (isFull())
      return next;
    switch (node.kind) {
    case Kind::kSequence:
      for (size_t i = node.children.size(); i-- > 0;)
        next = build(node.children[i], next);
      return next;
    case Kind::kAlternative: {
      uint32_t begin = build(node.children.back(), next);
      for (size_t i = node.children.size() - 1; i-- > 0;)
        begin = add({PatternStep::Kind::kSplit, build(node.children[i], next), begin});
      return begin;
    }
    case Kind::kRune:
      return add({PatternStep::Kind::kRune, next, numberOfSet(index)});
    case Kind::kPlace:
      return add({PatternStep::Kind::kPlace, next, static_cast<uint32_t>(node.place)});
    case Kind::kGroup: {
      uint32_t end = add({PatternStep::Kind::kMark, next, 2 * node.group + 1});
      uint32_t body = build(node.children[0], end);
      return add({PatternStep::Kind::kMark, body, 2 * node.group});
    }
    case Kind::kRepeat:
      return buildRepeat(node, next);
    }
    return next;
  }

  uint32_t buildRepeat(const SyntaxNode &node, uint32_t next) {
    uint32_t child = node.children[0];
    int fixed = node.least;
    if (node.most == SyntaxNode::kUnbounded) {
      // What may match nothing does so once at least before it is left out.
      bool isOnceAtLeast = node.least > 0 || tree_.nodes[child].mayBeEmpty;
      uint32_t loop = add({PatternStep::Kind::kSplit});
      uint32_t body = build(child, loop);
      branch(loop, body, next, node.lazy);
      next = isOnceAtLeast ? body : loop;
      if (isOnceAtLeast && node.least == 0)
        next = optional(body, program_.steps[loop], node.lazy);
      fixed = std::max(fixed - 1, 0);
    } else {
      const uint32_t end = next;
      for (int i = node.least; i < node.most && !isFull(); ++i) {
        uint32_t split = add({PatternStep::Kind::kSplit});
        branch(split, build(child, next), end, node.lazy);
        next = split;
      }
    }
    for (int i = 0; i < fixed && !isFull(); ++i)
      next = build(child, next);
    return next;
  }

  void branch(uint32_t split, uint32_t body, uint32_t end, bool lazy) {
    program_.steps[split].next = lazy ? end : body;
    program_.steps[split].other = lazy ? body : end;
  }
  // The body of a loop, or what comes behind it.
  uint32_t optional(uint32_t body, PatternStep loop, bool lazy) {
    uint32_t split = add({PatternStep::Kind::kSplit});
    branch(split, body, lazy ? loop.next : loop.other, lazy);
    return split;
  }

  uint32_t numberOfSet(uint32_t index) {
    if (setOfNode_[index] == kNoSet) {
      setOfNode_[index] = static_cast<uint32_t>(program_.sets.size());
      program_.sets.push_back(std::move(tree_.nodes[index].set));
    }
    return setOfNode_[index];
  }

  SyntaxTree &tree_;
  std::vector<uint32_t> setOfNode_;
  PatternProgram program_;
};

} // namespace

Result<PatternProgram> compilePattern(SyntaxTree tree) { return PatternCompiler(tree).compile(); }

} // namespace sluice::rt
