// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints as the importer sees them: values, diagnostics, exit codes, limits.
#include "compiler/import/savedmodel/StoredTensors.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "test/compiler/import/savedmodel/TestFolder.h"
#include "test/runtime/io/bundle/checkpoint_by_hand.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sluice::import {
namespace {

using rt::by_hand::BundleByHand;

struct OnDisk {
  TestFolder folder;
  DiagnosticList diagnostics;
  Limits limits;

  std::optional<TensorValue> read(const BundleByHand &bundle, const std::string &name,
                                  const std::string &part = "") {
    folder.write("c.index", bundle.index());
    folder.write("c.data-00000-of-00001", bundle.data);
    return readAgain(name, part);
  }
  std::optional<TensorValue> readAgain(const std::string &name, const std::string &part = "") {
    diagnostics = {};
    auto stored = StoredTensors::open(folder.path("c"), limits, diagnostics);
    return stored ? stored->read(name, part, diagnostics) : std::nullopt;
  }
  void expectRefused(const BundleByHand &bundle, const std::string &name, const std::string &says,
                     ExitCode code = ExitCode::kBadGraph) {
    EXPECT_FALSE(read(bundle, name));
    expectSaid(says, code);
  }
  void expectSaid(const std::string &says, ExitCode code) {
    std::string said = formatLines(diagnostics, false);
    EXPECT_NE(said.find(says), std::string::npos) << "'" << said << "' lacks '" << says << "'";
    EXPECT_EQ(diagnostics.exitCode(), code) << said;
  }
};

TEST(StoredTensors, Values) {
  OnDisk c;
  BundleByHand w;
  w.addFloats("a", {2}, {1, 2});
  w.addStrings("s", {2}, {"x", "yy"});
  auto a = c.read(w, "a");
  ASSERT_TRUE(a) << formatLines(c.diagnostics, false);
  EXPECT_EQ(a->type, graphdef::DT_FLOAT);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(a->elements, 2);
  float second;
  std::memcpy(&second, a->bytes.data() + 4, 4);
  EXPECT_EQ(second, 2);
  EXPECT_EQ(c.readAgain("a", "2 1,1")->elements, 1);
  EXPECT_EQ(c.readAgain("s")->strings, (std::vector<std::string>{"x", "yy"}));
}

TEST(StoredTensors, ProblemsAndTheirExitCodes) {
  OnDisk c;
  BundleByHand w;
  w.addFloats("weights", {2}, {1, 2});
  c.expectRefused(w, "wieghts",
                  "c.index: error: tensor 'wieghts': the checkpoint has no such tensor (did you "
                  "mean 'weights'?)");
  w.data[3] ^= 1;
  c.expectRefused(w, "weights", "tensor 'weights': wrong checksum of its elements: ");
  c.folder.remove("c.data-00000-of-00001");
  EXPECT_FALSE(c.readAgain("weights"));
  c.expectSaid("c.data-00000-of-00001': No such file", ExitCode::kInputOutput);
  w.entries["weights"].type = BundleByHand::kVariant;
  c.expectRefused(w, "weights", "values of variant are not supported", ExitCode::kUnsupported);
  w.entries["weights"].type = 999;
  c.expectRefused(w, "weights", "expected the type of a tensor but got type 999");
  w.header.shards = 0;
  c.expectRefused(w, "weights", "c.index: error: header: expected 1 to 99999 data files but got 0");
  c.folder.remove("c.index");
  EXPECT_FALSE(c.readAgain("weights"));
  c.expectSaid("c.index: error: cannot be opened", ExitCode::kInputOutput);
}

TEST(StoredTensors, TheFirstFormat) {
  OnDisk c;
  rt::Tensor x = rt::Tensor::scalar(5.0f);
  rt::HostDisk disk;
  const rt::SavedTensor saved[] = {{"x", {}, rt::TensorSlice::whole(0), &x}};
  ASSERT_TRUE(rt::writeTableCheckpoint(c.folder.path("c"), saved, disk).ok());
  auto value = c.readAgain("x");
  ASSERT_TRUE(value) << formatLines(c.diagnostics, false);
  EXPECT_EQ(value->type, graphdef::DT_FLOAT);
  EXPECT_EQ(value->bytes.size(), 4u);
  EXPECT_FALSE(c.readAgain("y"));
  c.expectSaid("/c: error: tensor 'y': the checkpoint has no such tensor", ExitCode::kBadGraph);
  c.folder.write("c", std::string(100, 'x')); // is no table, so an index is looked for
  EXPECT_FALSE(c.readAgain("x"));
  c.expectSaid("c.index: error: cannot be opened", ExitCode::kInputOutput);
}

TEST(StoredTensors, LimitsOfTheCompiler) {
  BundleByHand w;
  w.addFloats("layer/a", {2}, {1, 2}); // the third one shares its beginning
  w.addFloats("layer/bias", {2}, {1, 2});
  w.addFloats("layer/kernel", {2}, {1, 2});
  auto expectLimited = [&](const char *limit, const std::string &says) {
    OnDisk c;
    EXPECT_FALSE(c.limits.set(limit));
    c.expectRefused(w, "layer/bias", says);
  };
  expectLimited("index-bytes=9", "expected at most 9 bytes");
  expectLimited("checkpoint-entries=2", "expected at most 2 entries but got 3; --limit");
  expectLimited("grown-bytes=5",
                "expected at most 5 bytes of shared beginnings of names but got 6");
  expectLimited("constant-bytes=7", "expected at most 7 bytes but got 8; --limit constant-bytes=N");
}

} // namespace
} // namespace sluice::import
