// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From files to a module: values of variables, signatures, initializers.
#include "compiler/import/savedmodel/ImportModel.h"
#include "test/compiler/import/savedmodel/ModelText.h"
#include "test/compiler/import/savedmodel/TestFolder.h"
#include "test/runtime/io/bundle/checkpoint_by_hand.h"
#include "test/runtime/io/safetensors_bytes.h"

namespace sluice::import {
namespace {

using rt::by_hand::BundleByHand;

// y = read(v) + x, with a variable beside it that nothing is said of.
const std::string kGraph =
    variable("v", "shared") + variable("u") + placeholder("x") +
    node("read", "ReadVariableOp", {"v"}, type("dtype", "DT_FLOAT")) +
    node("y", "AddV2", {"read", "x"}, kFloat) +
    node("other", "ReadVariableOp", {"u"}, type("dtype", "DT_FLOAT")) + strings("file", {"f"}) +
    strings("names", {"path/of/v"}) + strings("parts", {""}) +
    node("restore", "RestoreV2", {"file", "names", "parts"},
         attr("dtypes", "list { type: DT_FLOAT }")) +
    node("set", "AssignVariableOp", {"v", "restore"}, type("dtype", "DT_FLOAT"));
const std::string kSaver = "saver_def { restore_op_name: \"set\" version: V2 }\n";
const std::string kServing =
    signature("serving_default", "inputs " + port("in", tensorInfo("x:0")) + "outputs " +
                                     port("out", tensorInfo("y:0")));

struct ImportedModel {
  TestFolder folder;
  ModelRequest request;

  ImportedModel() {
    folder.write("m/saved_model.pbtxt", savedModel({metaGraph(kGraph, kSaver + kServing)}));
  }
  void writeBundle(const std::string &prefix, const BundleByHand &writer) {
    folder.write(prefix + ".index", writer.index());
    folder.write(prefix + ".data-00000-of-00001", writer.data);
  }
  // The module, or what was said.
  std::string run(const std::string &path = "m") {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    DiagnosticList diagnostics;
    auto module = importModel(context, folder.path(path), request, {}, diagnostics);
    std::string text = formatLines(diagnostics, false);
    if (module)
      llvm::raw_string_ostream(text) << *module;
    return text;
  }
  void expect(const std::string &part, const std::string &path = "m") {
    std::string got = run(path);
    EXPECT_NE(got.find(part), std::string::npos) << got << "\nlacks " << part;
  }
};

TEST(ImportModel, VariablesHaveTheValuesOfTheirCheckpoint) {
  ImportedModel m;
  BundleByHand w;
  w.addFloats("path/of/v", {2}, {1.5, -2});
  w.addFloats("shared", {2}, {9, 9}); // a name, which the model itself does not go by
  m.writeBundle("m/variables/variables", w);
  m.expect("state.variable @shared {initial = dense<[1.500000e+00, -2.000000e+00]>");
  m.expect("flow.feed  {name = \"in\"}");
}

TEST(ImportModel, OnlyWhatIsUsedIsRead) {
  ImportedModel m;
  BundleByHand w;
  w.addFloats("path/of/v", {2}, {1, 2});
  w.addFloats("u", {2}, {3, 4});
  w.data.back() ^= 1; // of u
  m.writeBundle("m/variables/variables", w);
  m.expect("dense<[1.000000e+00, 2.000000e+00]>");
  m.request.direct = {SignatureRequest()};
  m.request.direct[0].fetches = {"other"};
  m.expect("tensor 'u': wrong checksum of its elements");
}

TEST(ImportModel, CheckpointsThatDoNotFit) {
  ImportedModel m;
  m.expect("m/variables/variables.index: error: cannot be opened");
  BundleByHand none;
  m.writeBundle("m/variables/variables", none);
  m.expect("variable 'shared': checkpoint ");
  m.expect("has no tensor 'path/of/v'");
  BundleByHand shape;
  shape.addFloats("path/of/v", {3}, {1, 2, 3});
  m.writeBundle("m/variables/variables", shape);
  m.expect("node 'v' (VarHandleOp): error: variable 'shared': expected tensor<2xf32> but tensor "
           "'path/of/v' of ");
  BundleByHand element;
  element.add("path/of/v", graphdef::DT_INT32, {2}, std::string(8, '\1'));
  m.writeBundle("m/variables/variables", element);
  m.expect("is tensor<2xi32>");
}

TEST(ImportModel, WeightsByNameAndByObject) {
  ImportedModel m;
  m.folder.write("g.pbtxt", kGraph);
  m.request.direct = {SignatureRequest()};
  m.request.direct[0].fetches = {"read", "other"};
  BundleByHand w;
  w.addFloats("shared", {2}, {7, 7});
  m.writeBundle("ck/model-1", w);
  for (const char *weights : {"ck/model-1", "ck/model-1.index", "ck/model-1.data-00000-of-00001"}) {
    m.request.weights = m.folder.path(weights);
    m.expect("@shared {initial = dense<7.000000e+00> : tensor<2xf32>", "g.pbtxt");
    m.expect("warning: there is no value for 1 variable: 'u'", "g.pbtxt");
  }
  graphdef::ObjectGraph objects;
  auto *tensor = objects.add_nodes()->add_attributes();
  tensor->set_name("VARIABLE_VALUE");
  tensor->set_full_name("u");
  tensor->set_checkpoint_key("model/u/value");
  w.addStrings("_CHECKPOINTABLE_OBJECT_GRAPH", {}, {objects.SerializeAsString()});
  w.addFloats("model/u/value", {2}, {3, 4});
  m.writeBundle("ck/model-1", w);
  m.expect("@u {initial = dense<[3.000000e+00, 4.000000e+00]>", "g.pbtxt");
  w.addStrings("_CHECKPOINTABLE_OBJECT_GRAPH", {}, {"\x0a\x05"});
  m.writeBundle("ck/model-1", w);
  m.expect("tensor '_CHECKPOINTABLE_OBJECT_GRAPH': is no graph of objects", "g.pbtxt");
  m.request.weights = m.folder.path("ck");
  m.expect("is a folder: give what the files of a checkpoint in it begin with", "g.pbtxt");
  m.request.weights = m.folder.path("ck/model-2");
  m.expect("there is no '", "g.pbtxt");
}

TEST(ImportModel, WeightsOfSafetensors) {
  ImportedModel m;
  auto write = [&](std::vector<rt::NamedTensor> tensors) {
    auto bytes = rt::encodeSafetensors(std::move(tensors));
    ASSERT_TRUE(bytes.ok());
    m.folder.write("w.safetensors", *bytes);
  };
  m.request.weights = m.folder.path("w.safetensors");
  write({{"shared", rt::Tensor::vector<float>(std::vector<float>{1, 2})}});
  m.expect("@shared {initial = dense<[1.000000e+00, 2.000000e+00]>");
  write({{"sharde", rt::Tensor::vector<float>(std::vector<float>{1, 2})}});
  m.expect("there is no value for 1 variable: 'shared' (did you mean 'sharde'?)");
  m.expect("none of its tensors is one of a variable");
  write({{"shared", rt::Tensor::vector<int32_t>(std::vector<int32_t>{1, 2})}});
  m.expect("variable 'shared': expected tensor<2xf32> but ");
  m.folder.write("w.safetensors", "nothing");
  m.expect("w.safetensors: error: ");
}

TEST(ImportModel, InitializersAreGraphsOfTheirOwn) {
  ImportedModel m;
  BundleByHand w;
  w.addFloats("path/of/v", {2}, {1, 2});
  m.writeBundle("m/variables/variables", w);
  std::string init = node("two", "Const", {},
                          type("dtype", "DT_FLOAT") +
                              attr("value", "tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 "
                                            "} } float_val: 2 }")) +
                     node("init", "AssignVariableOp", {"u", "two"}, type("dtype", "DT_FLOAT"));
  m.folder.write("m/saved_model.pbtxt",
                 savedModel({metaGraph(kGraph + init,
                                       kSaver + kServing +
                                           "collection_def { key: \"saved_model_main_op\" value { "
                                           "node_list { value: \"init\" } } }")}));
  std::string module = m.run();
  EXPECT_LT(module.find("flow.graph @serving_default"),
            module.find("flow.graph @__saved_model_init_op attributes {initializes}"))
      << module;
  EXPECT_NE(module.find("state.variable @u {key = \"u\""), std::string::npos) << module;
}

TEST(ImportModel, NothingToCompile) {
  ImportedModel m;
  m.folder.write("m/saved_model.pbtxt", savedModel({metaGraph(kGraph)}));
  m.expect("the model has no signatures");
  m.folder.write("g.pbtxt", kGraph);
  m.expect("expected a fetch or a target", "g.pbtxt");
  m.request.signatures = {"x"};
  m.expect("a GraphDef has none", "g.pbtxt");
}

} // namespace
} // namespace sluice::import
