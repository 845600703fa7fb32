// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs of nested branches and loops, as text. All values are i32 scalars.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace sluice::lower {

class RandomRegions {
public:
  explicit RandomRegions(uint64_t seed) : random_(seed) {}

  // Two feeds, "a" and "b", and a fetch of all that was made last.
  std::string graph() {
    text_ = "flow.graph @main {\n"
            "%a = flow.feed {name = \"a\"} : () -> tensor<i32>\n"
            "%b = flow.feed {name = \"b\"} : () -> tensor<i32>\n";
    Names values = fill({"%a", "%b"}, /*depth=*/3, /*count=*/8);
    for (size_t i = values.size() - 4; i < values.size(); ++i)
      text_ +=
          "flow.fetch " + values[i] + " {name = \"" + values[i] + "\"} : (tensor<i32>) -> ()\n";
    return text_ + "}\n";
  }

private:
  using Names = std::vector<std::string>;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string fresh() { return "%v" + std::to_string(next_++); }
  const std::string &any(const Names &values) { return values[below(values.size())]; }

  static std::string list(const Names &values) {
    std::string text;
    for (const std::string &value : values)
      text += (text.empty() ? "" : ", ") + value;
    return text;
  }
  static std::string types(size_t count) { return list(Names(count, "tensor<i32>")); }
  static std::string arguments(const Names &names) {
    Names typed;
    for (const std::string &name : names)
      typed.push_back(name + ": tensor<i32>");
    return "^bb0(" + list(typed) + "):\n";
  }
  Names freshNames(size_t count) {
    Names names;
    while (names.size() < count)
      names.push_back(fresh());
    return names;
  }

  std::string constant() {
    std::string name = fresh();
    text_ += name + " = nd.constant {value = dense<" + std::to_string(below(5)) +
             "> : tensor<i32>} : () -> tensor<i32>\n";
    return name;
  }
  // Now and then a constant, or a value gated by something, or by the start of the region.
  std::string operand(const Names &values) {
    unsigned choice = below(8);
    if (choice < 2 || values.empty())
      return constant();
    if (choice > 2)
      return any(values);
    std::string token = fresh(), gated = fresh();
    if (below(2))
      text_ += token + " = flow.start : () -> !flow.token\n";
    else
      text_ += token + " = flow.after " + any(values) + " : (tensor<i32>) -> !flow.token\n";
    if (below(2)) {
      std::string trigger = fresh();
      text_ += trigger + " = flow.trigger " + token + " : (!flow.token) -> !flow.token\n";
      token = trigger;
    }
    text_ += gated + " = flow.gate " + (below(2) ? constant() : any(values)) + ", " + token +
             " : (tensor<i32>, !flow.token) -> tensor<i32>\n";
    return gated;
  }
  std::string binary(const std::string &op, const std::string &x, const std::string &y,
                     const std::string &type = "tensor<i32>") {
    std::string name = fresh();
    text_ += name + " = nd." + op + " " + x + ", " + y + " : (tensor<i32>, tensor<i32>) -> " +
             type + "\n";
    return name;
  }

  // Appends ops to a block in which `values` are known.
  Names fill(Names values, unsigned depth, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      unsigned choice = depth ? below(6) : 0;
      if (choice < 3) {
        static const char *const kOps[] = {"add", "sub", "mul", "maximum"};
        std::string x = operand(values), y = operand(values);
        values.push_back(binary(kOps[below(4)], x, y));
        continue;
      }
      for (std::string &result : choice == 3 ? loop(values, depth - 1) : branch(values, depth - 1))
        values.push_back(std::move(result));
    }
    return values;
  }

  Names someOperands(const Names &values, unsigned count) {
    Names chosen;
    while (chosen.size() < count)
      chosen.push_back(operand(values));
    return chosen;
  }

  // Called before the op's own text is begun, since it may write constants.
  Names branch(const Names &values, unsigned depth) {
    std::string p = binary("less", operand(values), operand(values), "tensor<i1>");
    Names captures = someOperands(values, below(4)), results = freshNames(1 + below(3));
    text_ += list(results) + " = flow.cond " + p + " (" + list(captures) + ") : (tensor<i1>" +
             (captures.empty() ? "" : ", " + types(captures.size())) + ") -> (" +
             types(results.size()) + ") on_true {\n";
    for (const char *end : {"} on_false {\n", "}\n"}) {
      Names inside = freshNames(captures.size());
      text_ += arguments(inside);
      inside = fill(inside, depth, 1 + below(3));
      Names yields = someOperands(inside, results.size());
      text_ += "flow.yield " + list(yields) + " : (" + types(yields.size()) + ") -> ()\n" + end;
    }
    return results;
  }

  // A counter comes first, unless an outside value stops the loop at once.
  Names loop(const Names &values, unsigned depth) {
    unsigned numCarried = 1 + below(3), numCaptures = below(3);
    Names operands = someOperands(values, numCarried + numCaptures);
    operands[0] = constant();
    Names inits(operands.begin(), operands.begin() + numCarried);
    Names captures(operands.begin() + numCarried, operands.end());
    Names results = freshNames(numCarried + 1);
    text_ += list(results) + " = flow.while (" + list(inits) + ") (" + list(captures) +
             ") {frame = \"loop\", parallel_iterations = " + std::to_string(1 + below(4)) +
             " : i64} : (" + types(operands.size()) + ") -> (" + types(results.size()) +
             ") before {\n";
    Names before = freshNames(operands.size());
    text_ += arguments(before);
    Names known = fill(before, depth, below(2));
    std::string extra = operand(known);
    std::string p = binary("less", before[0], constant(), "tensor<i1>");
    Names forwarded(before.begin(), before.begin() + numCarried);
    forwarded.push_back(extra);
    text_ += "flow.condition " + p + " (" + list(forwarded) + ") : (tensor<i1>, " +
             types(forwarded.size()) + ") -> ()\n} body {\n";
    Names body = freshNames(forwarded.size() + numCaptures);
    text_ += arguments(body);
    known = fill(body, depth, 1 + below(3));
    Names yields = someOperands(known, numCarried);
    std::string one = fresh();
    text_ += one + " = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n";
    yields[0] = binary("add", body[0], one);
    text_ += "flow.yield " + list(yields) + " : (" + types(yields.size()) + ") -> ()\n}\n";
    return results;
  }

  std::mt19937_64 random_;
  std::string text_;
  unsigned next_ = 0;
};

} // namespace sluice::lower
