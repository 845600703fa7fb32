// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of model files, and which of their graphs is meant.
#include "compiler/import/savedmodel/Assets.h"
#include "test/compiler/import/savedmodel/ModelText.h"
#include "test/compiler/import/savedmodel/TestFolder.h"

#include <google/protobuf/text_format.h>

namespace sluice::import {
namespace {

const std::string kGraph = placeholder("x") + node("y", "Neg", {"x"}, kFloat);

TEST(Model, KindsAreToldByContent) {
  ReadModel graph(kGraph);
  ASSERT_TRUE(graph.model) << graph.said();
  EXPECT_EQ(graph.model->kind, Model::Kind::kGraph);
  ReadModel meta("# comment\n" + metaGraph(kGraph), {}, "any.name");
  ASSERT_TRUE(meta.model) << meta.said();
  EXPECT_EQ(meta.model->kind, Model::Kind::kMetaGraph);
  EXPECT_EQ(meta.model->graph->graph().node_size(), 2);
  ReadModel saved(savedModel({metaGraph(kGraph)}), {}, "folder/saved_model.pbtxt");
  ASSERT_TRUE(saved.model) << saved.said();
  EXPECT_EQ(saved.model->kind, Model::Kind::kSavedModel);
  EXPECT_EQ(saved.model->folder, "folder");
  EXPECT_EQ(saved.model->checkpointPrefix(), "folder/variables/variables");
}

TEST(Model, BinaryForms) {
  graphdef::SavedModel message;
  ASSERT_TRUE(
      google::protobuf::TextFormat::ParseFromString(savedModel({metaGraph(kGraph)}), &message));
  message.mutable_meta_graphs(0)->mutable_meta_info_def()->set_tensorflow_version("2.18.1");
  ReadModel saved(message.SerializeAsString());
  ASSERT_TRUE(saved.model) << saved.said();
  EXPECT_EQ(saved.model->kind, Model::Kind::kSavedModel);
  EXPECT_EQ(tagsOf(saved.model->meta), "serve");
  ReadModel meta(message.meta_graphs(0).SerializeAsString());
  ASSERT_TRUE(meta.model) << meta.said();
  EXPECT_EQ(meta.model->kind, Model::Kind::kMetaGraph);
  std::string bytes = message.SerializeAsString();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(ReadModel(bytes.substr(0, size)).model) << size;
}

TEST(Model, PositionsOfNodes) {
  ReadModel saved("saved_model_schema_version: 1\nmeta_graphs {\n graph_def {\n" + kGraph +
                  " }\n}\n");
  ASSERT_TRUE(saved.model) << saved.said();
  EXPECT_EQ(saved.model->graph->nodeLocation(1), "m.pbtxt:5:1");
  ReadModel meta("graph_def {\n\n" + kGraph + " }\n");
  ASSERT_TRUE(meta.model) << meta.said();
  EXPECT_EQ(meta.model->graph->nodeLocation(0), "m.pbtxt:3:1");
}

TEST(Model, ChoosesByTags) {
  std::string two = savedModel({metaGraph(kGraph, "", "tags: 'serve' tags: 'gpu'"),
                                metaGraph(kGraph, "", "tags: 'serve'"),
                                metaGraph(kGraph, "", "tags: 'train'"), metaGraph(kGraph, "", "")});
  auto chosen = [&](const std::vector<std::string> &tags) {
    ReadModel read(two, tags);
    return read.model ? tagsOf(read.model->meta) : read.said();
  };
  EXPECT_EQ(chosen({}), "serve");
  EXPECT_EQ(chosen({"serve"}), "serve");
  EXPECT_EQ(chosen({"gpu"}), "serve, gpu");
  EXPECT_EQ(chosen({"gpu", "serve"}), "serve, gpu");
  EXPECT_EQ(chosen({"train"}), "train");
  EXPECT_NE(chosen({"tpu"}).find("no graph has the tags tpu: choose with --tag; those of the "
                                 "graphs are serve, gpu; serve; train; none"),
            std::string::npos)
      << chosen({"tpu"});
  ReadModel only(savedModel({metaGraph(kGraph, "", "tags: 'mine'")}));
  EXPECT_TRUE(only.model) << only.said();
  ReadModel unclear(
      savedModel({metaGraph(kGraph, "", "tags: 'a'"), metaGraph(kGraph, "", "tags: 'b'")}));
  EXPECT_TRUE(unclear.says("no graph has the tags serve")) << unclear.said();
  EXPECT_EQ(static_cast<int>(unclear.diagnostics.exitCode()), 2);
  ReadModel same(savedModel({metaGraph(kGraph), metaGraph(kGraph)}));
  EXPECT_TRUE(same.says("several graphs have the tags serve")) << same.said();
}

TEST(Model, Refusals) {
  EXPECT_TRUE(
      ReadModel("saved_model_schema_version: 2").says("expected a SavedModel of version 1"));
  EXPECT_TRUE(ReadModel("saved_model_schema_version: 1").says("the SavedModel has no graphs"));
  EXPECT_TRUE(ReadModel(savedModel({"graph_def {}"})).says("the graph has no nodes"));
  EXPECT_TRUE(ReadModel("meta_info_def {}").says("the graph has no nodes"));
  EXPECT_TRUE(ReadModel(kGraph, {"serve"}).says("--tag chooses among the graphs of a SavedModel"));
  EXPECT_TRUE(ReadModel(metaGraph(kGraph), {"serve"}).says("--tag"));
  EXPECT_TRUE(ReadModel("meta_graphs { graph_def { node { name: 1 } } }").says("m.pbtxt:1:"));
}

TEST(Model, Folders) {
  TestFolder folder;
  auto said = [&] {
    DiagnosticList diagnostics;
    auto model = readModel(folder.path(""), {}, {}, diagnostics);
    return model ? model->folder : formatLines(diagnostics, false);
  };
  EXPECT_NE(said().find("expected a graph file or a SavedModel but got a directory"),
            std::string::npos)
      << said();
  folder.write("saved_model.cpb", "chunks");
  EXPECT_NE(said().find("a SavedModel in chunks"), std::string::npos) << said();
  folder.write("saved_model.pbtxt", savedModel({metaGraph(kGraph)}));
  EXPECT_EQ(said(), folder.path(""));
  folder.write("saved_model.pb", "");
  EXPECT_NE(said().find("saved_model.pb: error: "), std::string::npos) << said();
}

TEST(Assets, HaveThePathsOfTheirFiles) {
  TestFolder folder;
  folder.write("assets/sub/words.txt", "a\nb\n");
  auto read = [&](const std::string &file, const std::string &tensor) {
    std::string asset =
        "asset_file_def { tensor_info { name: \"" + tensor + "\" } filename: \"" + file + "\" }";
    folder.write("saved_model.pbtxt",
                 savedModel({metaGraph(
                     strings("Const", {""}) +
                         node("fed", "Placeholder", {}, type("dtype", "DT_STRING")) + kGraph,
                     asset)}));
    DiagnosticList diagnostics;
    auto model = readModel(folder.path(""), {}, {}, diagnostics);
    if (!model || !resolveAssets(*model, diagnostics))
      return formatLines(diagnostics, false);
    const graphdef::NodeDef &path = model->graph->graph().node(tensor == "fed:0" ? 1 : 0);
    return path.op() + " " + path.attr(1).value().tensor().string_val(0);
  };
  for (const char *tensor : {"Const:0", "fed:0"})
    EXPECT_EQ(read("sub/words.txt", tensor), "Const " + folder.path("assets/sub/words.txt"));
  for (const char *file : {"../saved_model.pbtxt", "/etc/passwd", "", "sub/../../x"})
    EXPECT_NE(read(file, "Const:0").find("expected a file below the model's folder of assets"),
              std::string::npos)
        << read(file, "Const:0");
  EXPECT_NE(read("other.txt", "Const:0").find("there is no file"), std::string::npos);
  EXPECT_NE(read("sub", "Const:0").find("there is no file"), std::string::npos);
  for (const char *tensor : {"x:0", "nowhere:0", "Const:1", "", "^Const"})
    EXPECT_NE(read("sub/words.txt", tensor).find("expected a constant or a placeholder"),
              std::string::npos)
        << tensor;
}

} // namespace
} // namespace sluice::import
