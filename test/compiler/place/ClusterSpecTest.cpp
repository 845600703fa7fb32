// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Good and bad cluster.json files.
#include "compiler/place/ClusterSpec.h"

#include "dialects/wire/Wire.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

namespace sluice::place {
namespace {

std::string device(const std::string &name, const std::string &host, const std::string &port) {
  return "{\"name\": \"" + name + "\", \"host\": " + host + ", \"port\": " + port + "}";
}

std::string task(unsigned number, const std::string &host = "\"h\"",
                 const std::string &port = "7000") {
  return device("/job:worker/task:" + std::to_string(number) + "/device:CPU:0", host, port);
}

std::string cluster(const std::vector<std::string> &devices) {
  std::string list;
  for (const std::string &one : devices)
    list += (list.empty() ? "" : ", ") + one;
  return "{\"devices\": [" + list + "]}";
}

void expectRefused(const std::string &text, const std::string &message) {
  import::DiagnosticList diagnostics;
  EXPECT_FALSE(ClusterSpec::parse("cluster.json", text, diagnostics));
  EXPECT_EQ(diagnostics.exitCode(), import::ExitCode::kBadGraph);
  std::string all;
  for (const import::Diagnostic &one : diagnostics.all())
    all += formatText(one) + "\n";
  EXPECT_NE(all.find("cluster.json: error: " + message), std::string::npos)
      << "expected: " << message << "\nbut got: " << all;
}

TEST(ClusterSpec, Devices) {
  import::DiagnosticList diagnostics;
  auto spec =
      ClusterSpec::parse("c",
                         cluster({task(0, "\"Node1.local\""), task(1, "\"[::1]\"", "65535"),
                                  device("/job:ps/replica:0/task:0/cpu:1", "\"10.0.0.1\"", "1")}),
                         diagnostics);
  ASSERT_TRUE(spec);
  ASSERT_EQ(spec->devices().size(), 3u);
  EXPECT_EQ(spec->devices()[0].name.text(), "/job:worker/replica:0/task:0/device:CPU:0");
  EXPECT_EQ(spec->devices()[0].address(), "node1.local:7000");
  EXPECT_EQ(spec->devices()[1].host, "::1");
  EXPECT_EQ(spec->devices()[1].address(), "[::1]:65535");
  EXPECT_EQ(spec->devices()[2].name.text(), "/job:ps/replica:0/task:0/device:CPU:1");
  EXPECT_EQ(spec->devices()[2].port, 1);
}

TEST(ClusterSpec, LocalDevices) {
  ClusterSpec spec = ClusterSpec::ofLocalDevices(2);
  ASSERT_EQ(spec.devices().size(), 2u);
  EXPECT_EQ(spec.devices()[1].name.text(), "/job:localhost/replica:0/task:1/device:CPU:0");
  EXPECT_EQ(spec.devices()[1].address(), "127.0.0.1:0");
}

TEST(ClusterSpec, DeclaresDevices) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module =
      mlir::OwningOpRef<mlir::ModuleOp>(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  ClusterSpec::ofLocalDevices(1).declareIn(*module);
  std::string text;
  llvm::raw_string_ostream(text) << (*module)->getAttr(wire::kDevices);
  EXPECT_EQ(text, "[{address = \"127.0.0.1:0\", name = "
                  "\"/job:localhost/replica:0/task:0/device:CPU:0\"}]");
}

TEST(ClusterSpec, NoJson) {
  expectRefused("", "expected JSON: ");
  expectRefused("{\"devices\": [}", "expected JSON: ");
  expectRefused("\xff", "expected JSON: ");
  expectRefused("[]", "expected an object with a list 'devices'");
  expectRefused("{}", "expected an object with a list 'devices'");
  expectRefused("{\"devices\": {}}", "expected an object with a list 'devices'");
  expectRefused(std::string(1'000'000, '['),
                "expected at most 32 brackets inside each other but got 33");
  // Brackets in strings are no nesting.
  expectRefused("{\"devices\": [\"\\\"" + std::string(100, '[') + "\"]}",
                "devices[0]: expected an object but got");
}

TEST(ClusterSpec, UnknownMembers) {
  expectRefused("{\"devices\": [" + task(0) + "], \"deviecs\": 1}", "unknown member 'deviecs'");
  expectRefused(cluster({"{\"name\": \"/job:a/task:0/cpu:0\", \"host\": \"h\", \"port\": 1, "
                         "\"gpu\": 1}"}),
                "devices[0]: unknown member 'gpu'; expected 'name', 'host', 'port' and 'target'");
}

TEST(ClusterSpec, Targets) {
  auto device = [](const std::string &target) {
    return cluster({"{\"name\": \"/job:a/task:0/cpu:0\", \"host\": \"h\", \"port\": 1, "
                    "\"target\": " +
                    target + "}"});
  };
  for (const char *target : {"cpu", "cpu:native", "cpu:x86-64-v4", "cpu:znver4", "cuda",
                             "cuda:sm_90", "cuda:sm_80,sm_100", "sim", "2xsim", "16xcuda:sm_90"}) {
    import::DiagnosticList diagnostics;
    auto spec = ClusterSpec::parse("c", device('"' + std::string(target) + '"'), diagnostics);
    ASSERT_TRUE(spec) << target;
    EXPECT_EQ(spec->devices()[0].target, target);
  }
  expectRefused(device("7"),
                "devices[0]: target: expected a text such as \"cpu:x86-64-v4\" but got '7'");
  expectRefused(device("\"cuda:sm_91\""),
                "devices[0]: target: expected the cards of 'cuda' to be some of sm_80, sm_90, "
                "sm_100 in this order, which later ones run as well, but got '\"cuda:sm_91\"'");
  expectRefused(device("\"tpu\""), "devices[0]: target: expected 'cpu', 'cpu:CPU', 'cuda', "
                                   "'cuda:sm_…', 'sim' or '2xsim' but got '\"tpu\"'");
  expectRefused(device("\"0xcuda\""),
                "devices[0]: target: expected 1 to 16 cards but got '\"0xcuda\"'");
  expectRefused(device("\"17xsim\""), "devices[0]: target: expected 1 to 16 cards");
  expectRefused(device("\"2xcpu\""),
                "devices[0]: target: expected a number of cards before 'cuda' or 'sim' only");
  for (const char *wrong : {"cpu:", "cpu:pentium", "cpu:x86-64-v5"})
    expectRefused(
        device('"' + std::string(wrong) + '"'),
        "devices[0]: target: expected the CPU to be native, a level such as x86-64-v3, or "
        "a 64-bit x86 CPU but got '\"" +
            std::string(wrong));
}

TEST(ClusterSpec, NumberOfDevices) {
  expectRefused(cluster({}), "devices: expected 1 to 1024 devices but got 0");
  std::vector<std::string> many;
  for (unsigned i = 0; i < 1024; ++i)
    many.push_back(task(i, "\"h" + std::to_string(i) + "\""));
  import::DiagnosticList diagnostics;
  EXPECT_TRUE(ClusterSpec::parse("c", cluster(many), diagnostics));
  many.resize(2000, task(0));
  expectRefused(cluster(many), "devices: expected 1 to 1024 devices but got 2000");
  many.resize(100'000, task(0));
  expectRefused(cluster(many), "expected at most 50000 lists and objects but got 100002");
}

TEST(ClusterSpec, MissingMembers) {
  expectRefused(cluster({"{}"}), "devices[0]: expected a member 'name'");
  expectRefused(cluster({"{}"}), "devices[0]: expected a member 'host'");
  expectRefused(cluster({task(0), "{}"}), "devices[1]: expected a member 'port'");
  expectRefused(cluster({"3"}), "devices[0]: expected an object but got '3'");
}

TEST(ClusterSpec, Names) {
  const std::string expected =
      "devices[0]: name: expected '/job:NAME/task:N/device:CPU:N' but got ";
  for (const char *name :
       {"", "worker", "/job:/task:0/device:CPU:0", "/job:a/device:CPU:0", "/job:a/task:0",
        "/task:0/device:CPU:0", "/job:a/task:*/device:CPU:0", "/job:a/task:-1/device:CPU:0"})
    expectRefused(cluster({device(name, "\"h\"", "1")}),
                  expected + "'\"" + std::string(name) + "\"'");
  expectRefused(cluster({"{\"name\": 3, \"host\": \"h\", \"port\": 1}"}), expected + "'3'");
  expectRefused(cluster({device("/job:a/task:0/gpu:0", "\"h\"", "1")}),
                "devices[0]: name: this build has no GPU devices, but got "
                "'\"/job:a/task:0/gpu:0\"'");
  expectRefused(cluster({device("/job:a/task:0/device:TPU:0", "\"h\"", "1")}),
                "devices[0]: name: this build has no TPU devices");
}

TEST(ClusterSpec, Hosts) {
  for (const char *host : {"\"\"", "\"a b\"", "\"[::1\"", "\"::1]\"", "3", "null"})
    expectRefused(cluster({task(0, host)}),
                  "devices[0]: host: expected a host name or an IP address but got '" +
                      std::string(host) + "'");
}

TEST(ClusterSpec, Ports) {
  for (const char *port : {"0", "65536", "-1", "7000.5", "1e300", "\"7000\"", "null", "[]"})
    expectRefused(cluster({task(0, "\"h\"", port)}),
                  "devices[0]: port: expected a number from 1 to 65535 but got '");
}

TEST(ClusterSpec, Doubles) {
  expectRefused(cluster({task(0), device("/job:worker/replica:0/task:0/cpu:0", "\"i\"", "1")}),
                "devices[1]: name '/job:worker/replica:0/task:0/device:CPU:0' is that of "
                "devices[0], too");
  expectRefused(cluster({task(0), task(1)}), "devices[1]: address 'h:7000' is that of devices[0]");
  expectRefused(cluster({task(0, "\"[0::1]\""), task(1, "\"::1\"")}),
                "devices[1]: address '[::1]:7000' is that of devices[0], too");
}

TEST(ClusterSpec, GapsBetweenTasks) {
  expectRefused(cluster({task(1)}), "expected tasks without a gap but job 'worker' has no task 0, "
                                    "only task 1");
  expectRefused(cluster({task(2, "\"i\""), task(0)}), "expected tasks without a gap but job "
                                                      "'worker' has no task 1, only task 2");
  // The order does not matter, nor that other jobs have other tasks.
  import::DiagnosticList diagnostics;
  EXPECT_TRUE(ClusterSpec::parse(
      "c", cluster({task(1), task(0, "\"i\""), device("/job:ps/task:0/cpu:0", "\"j\"", "1")}),
      diagnostics));
}

// What has other faults may have no gaps either: they are not told.
TEST(ClusterSpec, GapsAreSoughtLast) {
  import::DiagnosticList diagnostics;
  EXPECT_FALSE(ClusterSpec::parse("c", cluster({task(1), "{}"}), diagnostics));
  EXPECT_EQ(diagnostics.all().size(), 3u); // name, host and port are missing
}

// Tasks of each replica count from 0.
TEST(ClusterSpec, ReplicasHaveTasksOfTheirOwn) {
  import::DiagnosticList diagnostics;
  EXPECT_TRUE(ClusterSpec::parse(
      "c", cluster({task(0), device("/job:worker/replica:1/task:0/cpu:0", "\"i\"", "1")}),
      diagnostics));
  expectRefused(cluster({task(0), device("/job:worker/replica:1/task:1/cpu:0", "\"i\"", "1")}),
                "expected tasks without a gap but job 'worker' has no task 0, only task 1");
}

TEST(ClusterSpec, UnreadableFiles) {
  for (const char *path : {"/nowhere/cluster.json", "/", "/dev/zero"}) {
    import::DiagnosticList diagnostics;
    EXPECT_FALSE(ClusterSpec::read(path, diagnostics));
    EXPECT_EQ(diagnostics.exitCode(), import::ExitCode::kInputOutput) << path;
  }
}

} // namespace
} // namespace sluice::place
