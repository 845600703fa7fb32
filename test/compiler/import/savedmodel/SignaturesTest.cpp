// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures of models as requests, and which of them are compiled.
#include "compiler/import/savedmodel/Signatures.h"
#include "test/compiler/import/savedmodel/ModelText.h"

namespace sluice::import {
namespace {

const std::string kGraph = placeholder("x") + node("y", "Neg", {"x"}, kFloat);

std::string describe(const SignatureRequest &request) {
  std::string text = request.name + "(";
  for (const TensorRequest &feed : request.feeds)
    text += feed.name + "=" + feed.tensor + (feed.declared ? "" : "?") + " ";
  text += "->";
  for (const TensorRequest &fetch : request.fetches)
    text += " " + fetch.name + "=" + fetch.tensor;
  for (const std::string &target : request.targets)
    text += " run " + target;
  return text + ")";
}

// All chosen signatures, or what was said.
std::string chosen(const std::string &signatures, const std::vector<std::string> &names = {}) {
  ReadModel read(metaGraph(kGraph, signatures));
  if (!read.model)
    return read.said();
  DiagnosticList diagnostics;
  auto requests = signaturesOf(*read.model, names, {}, diagnostics);
  if (!requests)
    return formatLines(diagnostics, false);
  std::string text;
  for (const SignatureRequest &request : *requests)
    text += (text.empty() ? "" : "; ") + describe(request);
  return text;
}

void expectSays(const std::string &got, const std::string &part) {
  EXPECT_NE(got.find(part), std::string::npos) << got;
}

const std::string kIn = "inputs " + port("in", tensorInfo("x:0"));
const std::string kOut = "outputs " + port("out", tensorInfo("y:0"));
const std::string kBoth = signature("serving_default", kIn + kOut) +
                          signature("a", kOut + "outputs " + port("b", tensorInfo("y:0")) + kIn +
                                             "inputs " + port("aa", tensorInfo("z:0")));
const std::string kInit =
    signature("__saved_model_init_op", "outputs " + port("__saved_model_init_op", "name: \"y\""));

TEST(Signatures, AllOfThemByName) {
  EXPECT_EQ(chosen(kBoth + kInit), "a(aa=z:0 in=x:0 -> b=y:0 out=y:0); "
                                   "serving_default(in=x:0 -> out=y:0)");
  EXPECT_EQ(chosen(kBoth, {"serving_default"}), "serving_default(in=x:0 -> out=y:0)");
  EXPECT_EQ(chosen(kBoth, {"a", "a"}), "a(aa=z:0 in=x:0 -> b=y:0 out=y:0)");
  EXPECT_EQ(chosen(kInit), "");
  EXPECT_EQ(chosen(signature("train", "outputs " + port("op", "name: \"y\""))), "train(-> run y)");
}

TEST(Signatures, Refusals) {
  expectSays(chosen(kBoth, {"servin_default"}), "there is no signature 'servin_default' (did you "
                                                "mean 'serving_default'?); there are 'a', "
                                                "'serving_default'");
  expectSays(chosen("", {"x"}), "there are none");
  expectSays(chosen(kBoth + signature("a", kOut)), "two signatures have the name 'a'");
  expectSays(chosen(signature("s", kIn + kIn + kOut)), "two inputs have the name 'in'");
  expectSays(chosen(signature("s", kOut + kOut)), "two outputs have the name 'out'");
  expectSays(chosen(signature("s", "inputs " + port("in", "coo_sparse {} dtype: DT_FLOAT"))),
             "signature 's': input 'in': sparse tensors are not supported");
  expectSays(chosen(signature("s", "outputs " + port("o", "composite_tensor {} dtype: DT_FLOAT"))),
             "output 'o': composite tensors, such as ragged ones, are not supported");
  expectSays(chosen(signature("s", "inputs " + port("in", "dtype: DT_FLOAT"))),
             "input 'in': it does not say which tensor it is");
  expectSays(chosen(signature("s", "inputs " + port("", tensorInfo("x:0")))),
             "expected a name but got an empty one");
  expectSays(chosen(signature(
                 "s", "inputs " + port("in", tensorInfo("x:0", "DT_FLOAT", "dim { size: -2 }")))),
             "input 'in': ");
}

std::string initializer(const std::string &rest, const std::string &nodes = "",
                        std::vector<std::string> tableImports = {}) {
  ReadModel read(metaGraph(kGraph + nodes, rest));
  EXPECT_TRUE(read.model) << read.said();
  read.model->tableImports = std::move(tableImports);
  DiagnosticList diagnostics;
  std::string text;
  for (const SignatureRequest &request : initializersOf(*read.model, diagnostics)) {
    EXPECT_TRUE(request.initializes);
    text += describe(request);
  }
  return !diagnostics.hasErrors() ? text : formatLines(diagnostics, false);
}

TEST(Initializers, AreFoundInEachOfThreeWays) {
  auto collection = [](const std::string &name, const std::string &node) {
    return "collection_def { key: \"" + name + "\" value { node_list { value: \"" + node +
           "\" } } }\n";
  };
  EXPECT_EQ(initializer(kInit), "__saved_model_init_op(-> run y)");
  EXPECT_EQ(initializer(collection("saved_model_main_op", "x")), "__saved_model_init_op(-> run x)");
  EXPECT_EQ(initializer(collection("legacy_init_op", "x:0")), "__saved_model_init_op(-> run x)");
  EXPECT_EQ(initializer(collection("saved_model_main_op", "x") + kInit),
            "__saved_model_init_op(-> run y)");
  EXPECT_EQ(initializer(""), "");
  EXPECT_EQ(initializer(collection("saved_model_main_op", "nothing"), node("nothing", "NoOp")), "");
  EXPECT_EQ(initializer(collection("saved_model_main_op", "n"), node("n", "NoOp", {"^y"})),
            "__saved_model_init_op(-> run n)");
  expectSays(initializer(collection("saved_model_main_op", "^y")),
             "expected the name of the node that initializes the model but got '^y'");
}

// A model that changes its tables when it is loaded changes what was restored.
TEST(Initializers, BeginWithTablesThatAreRestored) {
  EXPECT_EQ(initializer("", "", {"a", "b"}), "__restored_tables(-> run a run b)");
  EXPECT_EQ(initializer(kInit, "", {"a"}),
            "__restored_tables(-> run a)__saved_model_init_op(-> run y)");
}

// ---- Requests with names of their own -----------------------------------------------------------

SignatureRequest renamed(TensorRequest feed, TensorRequest fetch) {
  SignatureRequest request;
  request.feeds = {std::move(feed)};
  request.fetches = {std::move(fetch)};
  return request;
}

TensorRequest named(const std::string &tensor, const std::string &name,
                    graphdef::DataType type = graphdef::DT_FLOAT, std::vector<int64_t> dims = {}) {
  TensorRequest request(tensor);
  request.name = name;
  request.declared.emplace();
  request.declared->type = type;
  for (int64_t dim : dims)
    request.declared->shape.add_dim()->set_size(dim);
  return request;
}

TEST(NamedTensors, HaveTheNamesAndShapesOfTheSignature) {
  std::string graph = node("x", "Placeholder", {},
                           type("dtype", "DT_FLOAT") +
                               attr("shape", "shape { dim { size: -1 } dim { size: 3 } }")) +
                      node("y", "Neg", {"x"}, kFloat) + "versions { producer: 100 }";
  Outcome outcome = importText(graph, renamed(named("x", "in", graphdef::DT_FLOAT, {2, -1}),
                                              named("y:0", "out", graphdef::DT_FLOAT, {-1, -1})));
  EXPECT_NE(outcome.module.find("flow.feed  {name = \"in\"} : () -> tensor<2x3xf32>"),
            std::string::npos)
      << outcome.module << outcome.diagnostics;
  EXPECT_NE(outcome.module.find("{name = \"out\"}"), std::string::npos) << outcome.module;
  expectRefused(graph, renamed(named("x", "in", graphdef::DT_FLOAT, {2, 4}), "y"), 1,
                "feed 'in': the signature says tensor<2x4xf32> but the graph tensor<?x3xf32>");
  expectRefused(graph, renamed(named("x", "in", graphdef::DT_INT32), "y"), 2,
                "feed 'x': expected int32 as the signature says but the graph has float");
  expectRefused(graph, renamed("x", named("y", "out", graphdef::DT_INT32)), 2,
                "fetch 'y': expected int32 as the signature says but the graph has float");
}

TEST(NamedTensors, AnInputMayBeAnOutput) {
  Outcome outcome = importText(kGraph, renamed(named("x", "in"), named("x:0", "same")));
  EXPECT_NE(outcome.module.find("flow.fetch %0 {name = \"same\"}"), std::string::npos)
      << outcome.module;
}

TEST(NamedTensors, NamesDiffer) {
  SignatureRequest request = renamed(named("x", "in"), named("y", "out"));
  request.fetches.push_back(named("y", "out:0"));
  expectRefused(kGraph, request, 2, "two fetches have the name 'out:0'");
  request.fetches.back().name = "again";
  EXPECT_EQ(importText(kGraph, request).exitCode, 0);
  request.feeds.push_back(named("y", "in"));
  expectRefused(kGraph, request, 2, "two feeds have the name 'in'");
}

} // namespace
} // namespace sluice::import
