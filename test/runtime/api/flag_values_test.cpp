// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the values of flags go, and the least and the greatest that each takes.
#include "runtime/api/diagnostics.h"
#include "runtime/api/flag_table.h"
#include "runtime/api/options.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

// What rank 0 of a cluster, which knows all flags, makes of one flag.
std::optional<Options> parsed(const std::string &flag) {
  std::vector<const char *> arguments{flag.c_str()};
  if (flag.starts_with("--trace-limit"))
    arguments.push_back("--trace=t");
  if (flag.starts_with("--rtol") || flag.starts_with("--atol"))
    arguments.push_back("--expected=y=zeros");
  Options options;
  if (parseOptions(arguments, options, Role::kFirstRank))
    return std::nullopt;
  return options;
}

TEST(FlagValues, HaveTheirRanges) {
  for (const char *good : {"--workers=0",
                           "--workers=1024",
                           "--steps=1",
                           "--steps=9223372036854775807",
                           "--trace-limit=1",
                           "--trace-limit=100000000",
                           "--parallel-iterations=1",
                           "--parallel-iterations=2147483647",
                           "--schedule-seed=0",
                           "--random-seed=0",
                           "--random-seed=18446744073709551615",
                           "--timeout=0.1",
                           "--timeout=86400",
                           "--connect-timeout=0.1",
                           "--peer-timeout=86400",
                           "--listen-fd=0",
                           "--listen-fd=2147483647",
                           "--rtol=0",
                           "--atol=0",
                           "--memory-limit=1",
                           "--memory-limit=18446744073709551615",
                           "--memory-limit=18014398509481983K",
                           "--limit=json-depth=1",
                           "--limit=json-depth=1000",
                           "--limit=request-bytes=512K"})
    EXPECT_TRUE(parsed(good)) << good;
  for (const char *bad : {"--workers=-1",
                          "--workers=1025",
                          "--steps=0",
                          "--steps=9223372036854775808",
                          "--trace-limit=0",
                          "--trace-limit=100000001",
                          "--parallel-iterations=0",
                          "--parallel-iterations=2147483648",
                          "--schedule-seed=-1",
                          "--random-seed=1x",
                          "--timeout=0.09",
                          "--timeout=86400.1",
                          "--timeout=1s",
                          "--connect-timeout=0",
                          "--peer-timeout=86401",
                          "--listen-fd=-1",
                          "--listen-fd=2147483648",
                          "--rtol=inf",
                          "--atol=1e",
                          "--memory-limit=0K",
                          "--memory-limit=18014398509481984K",
                          "--memory-limit=K",
                          "--limit=json-depth=0",
                          "--limit=json-depth=1001",
                          "--limit=json-depth=1K",
                          "--limit=request-bytes=",
                          "--limit=request-bytes=5k",
                          "--limit=request-bytes",
                          "--peers=a:1,,b:2",
                          "--peers=a:1,"})
    EXPECT_FALSE(parsed(bad)) << bad;
}

TEST(FlagValues, AreStored) {
  EXPECT_TRUE(parsed("--help")->help);
  EXPECT_TRUE(parsed("-h")->help);
  EXPECT_TRUE(parsed("--version")->version);
  EXPECT_TRUE(parsed("--describe")->describe);
  EXPECT_TRUE(parsed("--stats")->stats);
  EXPECT_TRUE(parsed("--stats-json")->statsJson);
  EXPECT_TRUE(parsed("--insecure")->cluster.insecure);
  EXPECT_EQ(parsed("--signature=a")->signature, "a");
  EXPECT_EQ(parsed("--load=a")->load, "a");
  EXPECT_EQ(parsed("--save=a")->save, "a");
  EXPECT_EQ(parsed("--calls=a")->calls, "a");
  EXPECT_EQ(parsed("--trace=a")->trace, "a");
  EXPECT_EQ(parsed("--key-file=a")->cluster.keyFile, "a");
  EXPECT_EQ(parsed("--run-id=a")->cluster.runId, "a");
  EXPECT_EQ(parsed("--peers=a:1,b:2")->cluster.peers, (std::vector<std::string>{"a:1", "b:2"}));
  EXPECT_EQ(parsed("--listen-fd=7")->cluster.listenFd, 7);
  EXPECT_EQ(parsed("--connect-timeout=7.5")->cluster.connectTimeout, 7.5);
  EXPECT_EQ(parsed("--peer-timeout=7.5")->cluster.peerTimeout, 7.5);
  EXPECT_EQ(parsed("--timeout=7.5")->timeout, 7.5);
  EXPECT_EQ(parsed("--rtol=0.5")->rtol, 0.5);
  EXPECT_EQ(parsed("--atol=0.5")->atol, 0.5);
  EXPECT_EQ(parsed("--steps=7")->steps, 7u);
  EXPECT_EQ(parsed("--trace-limit=7")->traceLimit, 7u);
  EXPECT_EQ(parsed("--random-seed=7")->randomSeed, 7u);
  EXPECT_EQ(parsed("--schedule-seed=7")->run.scheduleSeed, 7u);
  EXPECT_EQ(parsed("--parallel-iterations=7")->run.parallelIterations, 7);
  EXPECT_EQ(parsed("--workers=7")->run.workers, 7);
  EXPECT_EQ(parsed("--memory-limit=7")->memoryLimit, 7u);
  EXPECT_EQ(parsed("--memory-limit=7K")->memoryLimit, 7u << 10);
  EXPECT_EQ(parsed("--memory-limit=7M")->memoryLimit, 7u << 20);
  EXPECT_EQ(parsed("--memory-limit=7G")->memoryLimit, uint64_t{7} << 30);
  EXPECT_EQ(parsed("--card-library=auto")->run.cardLibrary, true);
  EXPECT_EQ(parsed("--card-library=never")->run.cardLibrary, false);
  EXPECT_EQ(parsed("--allow-tf32")->run.allowTf32, true);
  EXPECT_EQ(parsed("--guard-pages=behind")->guardPages, GuardSide::kBehind);
  EXPECT_EQ(parsed("--guard-pages=before")->guardPages, GuardSide::kBefore);
  EXPECT_EQ(parsed("--limit=request-bytes=2K")->run.limits[Limit::kRequestBytes], 2048u);
}

TEST(FlagValues, ExcludeEachOther) {
  const std::pair<std::vector<const char *>, const char *> table[] = {
      {{"--insecure", "--key-file=k"}, "--insecure and --key-file exclude each other"},
      {{"--trace-limit=1"}, "--trace-limit needs --trace"},
      {{"--rtol=1"}, "--rtol needs --expected"},
      {{"--calls=-", "--output=y=-"},
       "--calls and --output exclude each other: requests name their own"},
      {{"--calls=-", "--expected=y=zeros"},
       "--calls and --expected exclude each other: requests name their own"},
      {{"--calls=-", "--run=t"}, "--calls and --run exclude each other: requests name their own"},
      {{"--calls=-", "--signature=s"},
       "--calls and --signature exclude each other: requests name their own"},
      {{"--limit=json-depth=2", "--limit=json-depth=3"}, "--limit is given twice for 'json-depth'"},
  };
  for (const auto &[arguments, message] : table) {
    Options options;
    EXPECT_EQ(parseOptions(arguments, options, Role::kFirstRank).status.message(), message);
  }
}

// Figures that the documentation promises.
TEST(FlagValues, HaveTheirDefaults) {
  Options options;
  EXPECT_EQ(options.cluster.connectTimeout, 30);
  EXPECT_EQ(options.cluster.peerTimeout, 4);
  EXPECT_EQ(options.randomSeed, 0u);
}

// What is too long for the first column has its help on a line of its own.
TEST(Help, IsInTwoColumns) {
  constexpr size_t kColumn = 28;
  const std::string blank(kColumn, ' ');
  for (const std::string &text : {flagsText(Role::kFirstRank), limitsText()}) {
    size_t lines = 0;
    for (size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
      std::string line = text.substr(begin, end - begin);
      ++lines;
      if (text.compare(end + 1, kColumn, blank) == 0) {
        EXPECT_GT(line.size() + 2, kColumn) << line;
        continue;
      }
      ASSERT_GT(line.size(), kColumn) << line;
      EXPECT_EQ(line[kColumn - 1], ' ') << line;
      EXPECT_NE(line[kColumn], ' ') << line;
    }
    EXPECT_GT(lines, 5u);
  }
}

TEST(Suggestion, IsAsNearAsTheNameIsLong) {
  const std::string many(256, 'a');
  const struct {
    std::string wrong, name;
    bool near;
  } table[] = {
      {"abc", "abd", true},
      {"abc", "aed", false},
      {"abcd", "abef", true},
      {"abcd", "aefg", false},
      {"abcdefgh", "abcdeXXX", false},
      {"abcdefghi", "abcdefXXX", true},
      {"abcdefghi", "abcdeXXXX", false},
      {"abcd", "abcdef", true},
      {"abcd", "abcdefg", false},
      {many, many.substr(1), true},
      {many + "a", many, false},
      {many, many + "a", false},
  };
  for (const auto &row : table)
    EXPECT_EQ(suggestion(row.wrong, {row.name}),
              row.near ? " (did you mean '" + row.name + "'?)" : "")
        << row.wrong;
  EXPECT_EQ(suggestion("name", {"nema", "nam", "gnat", "nami"}), " (did you mean 'nam'?)");
  EXPECT_EQ(suggestion("", {}), "");
}

TEST(Diagnostics, AreOneLine) {
  EXPECT_EQ(named("a\n'b"), "'a\\n\\'b'");
  EXPECT_EQ(named(std::string(200, 'a')), "'" + std::string(200, 'a') + "'");
  EXPECT_EQ(named(std::string(201, 'a')), "'" + std::string(200, 'a') + "'...");
  MemoryConsole console;
  Diagnostics diagnostics(console);
  diagnostics.warning("a\n\t\x1f \x7f~");
  diagnostics.error({ExitCode::kFailed, invalidArgument("why\n").atNode("n\n")});
  EXPECT_EQ(console.err, "warning: a\\n\\x09\\x1f \\x7f~\n"
                         "error: INVALID_ARGUMENT: node 'n\\n': why\\n\n");
}

TEST(Diagnostics, ExitCodesSayWhatHasFailed) {
  auto model = [](Code code) { return modelFailure(Status(code, "m")).exit; };
  EXPECT_EQ(model(Code::kResourceExhausted), ExitCode::kOutOfMemory);
  EXPECT_EQ(model(Code::kDeadlineExceeded), ExitCode::kTimedOut);
  EXPECT_EQ(model(Code::kInvalidArgument), ExitCode::kFailed);
  EXPECT_FALSE(modelFailure(okStatus(), "where"));
  EXPECT_FALSE(ioFailure(okStatus()));
  EXPECT_EQ(modelFailure(invalidArgument("m").atNode("n"), "f").status.toString(),
            "INVALID_ARGUMENT: node 'n': f: m");
  using Kind = ClusterEnd::Kind;
  auto cluster = [](Kind kind, Code code) { return clusterFailure({kind, Status(code, "")}).exit; };
  EXPECT_EQ(cluster(Kind::kNone, Code::kResourceExhausted), ExitCode::kOk);
  EXPECT_EQ(cluster(Kind::kLost, Code::kResourceExhausted), ExitCode::kOutOfMemory);
  EXPECT_EQ(cluster(Kind::kLost, Code::kUnavailable), ExitCode::kPeerLost);
  EXPECT_EQ(cluster(Kind::kRefused, Code::kUnavailable), ExitCode::kPeerRefused);
  EXPECT_EQ(cluster(Kind::kTimedOut, Code::kUnavailable), ExitCode::kTimedOut);
  EXPECT_EQ(cluster(Kind::kLocal, Code::kUnavailable), ExitCode::kInputOutput);
}

} // namespace
