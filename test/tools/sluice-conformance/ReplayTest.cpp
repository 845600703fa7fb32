// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole replays with shell scripts in place of the compiler, and the processes they need.
#include "tools/sluice-conformance/replay.h"

#include "test/tools/sluice-conformance/RecordFolder.h"
#include "tools/sluice-conformance/subprocess.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace fs = llvm::sys::fs;

namespace {

TEST(Subprocess, OutputAndExitCodeAreCollected) {
  Finished finished =
      runProgram({"/bin/sh", "-c", "echo out; echo err >&2; exit 7"}, std::chrono::seconds(20));
  EXPECT_EQ(finished.out, "out\n");
  EXPECT_EQ(finished.err, "err\n");
  EXPECT_EQ(finished.exitCode, 7);
}

TEST(Subprocess, SignalsAreReported) {
  Finished finished = runProgram({"/bin/sh", "-c", "kill -SEGV $$"}, std::chrono::seconds(20));
  EXPECT_EQ(finished.signal, 11);
}

TEST(Subprocess, TheDeadlineKillsGrandchildrenToo) {
  auto start = std::chrono::steady_clock::now();
  Finished finished = runProgram({"/bin/sh", "-c", "sleep 60 & wait"}, std::chrono::seconds(1));
  EXPECT_TRUE(finished.timedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Subprocess, ClosedStreamsDoNotHideAHang) {
  Finished finished =
      runProgram({"/bin/sh", "-c", "exec >&- 2>&-; sleep 60"}, std::chrono::seconds(1));
  EXPECT_TRUE(finished.timedOut);
}

TEST(Subprocess, MissingProgramsAreReported) {
  Finished finished = runProgram({"/nowhere/program"}, std::chrono::seconds(1));
  EXPECT_NE(finished.startError, "");
}

// A folder with two runs of one graph; the program's answers are lines of a shell script.
class ReplayFolder : public RecordFolder {
protected:
  void SetUp() override {
    RecordFolder::SetUp();
    write("graph1.pb", "");
    write("runs.json", R"({"runs":[
      {"graph":"graph1.pb","feeds":{},"fetches":["y:0"],"targets":[],"state_before":{},
       "expect":[{"dtype":"bool","shape":[],"b64":"AQ=="}],"state_after":{}},
      {"graph":"graph1.pb","feeds":{},"fetches":["y:0"],"targets":[],"state_before":{},
       "error":["OutOfRangeError","text"]}]})");
    settings_.deadline = std::chrono::seconds(2);
  }
  // Arguments of the compiler: GRAPH --signatures FILE -o OUT.
  Outcome replayWith(const std::string &compiler) {
    write("compiler", "#!/bin/sh\n" + compiler);
    fs::setPermissions(path("compiler"), fs::all_all);
    settings_.compiler = path("compiler");
    return replay({"t", std::string(root_), path("runs.json")}, settings_, std::string(root_));
  }
  static std::string program(const std::string &body) {
    return "cat > $5 <<'END'\n#!/bin/sh\n" + body + "\nEND\nchmod +x $5\n";
  }

  Settings settings_;
};

#define TRUE_ANSWER                                                                                \
  R"(echo '{"outputs":[{"dtype":"bool","shape":[],"b64":"AQ=="}],"state":{},"leftover_tokens":0}')"
#define ERROR_ANSWER                                                                               \
  R"(echo '{"error":{"code":"OUT_OF_RANGE","node":"n","message":"m"},"state":{}}')"

TEST_F(ReplayFolder, GoodProgramsPass) {
  Outcome outcome = replayWith(program(TRUE_ANSWER "\n" ERROR_ANSWER "\nexit 1"));
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
  EXPECT_EQ(outcome.digest.size(), 32u);
}

TEST_F(ReplayFolder, PrintedTextBetweenAnswersIsIgnored) {
  Outcome outcome = replayWith(program("echo hello\n" TRUE_ANSWER "\n" ERROR_ANSWER "\nexit 1"));
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
}

// "y" of op "Foo" with an input "x" of op "Bar", and "z" of op "Baz", which is not needed.
constexpr llvm::StringLiteral kUnsupportedGraph("\x0a\x0b\x0a\x01y\x12\x03"
                                                "Foo\x1a\x01x\x0a\x08\x0a\x01x\x12\x03"
                                                "Bar\x0a\x08\x0a\x01z\x12\x03"
                                                "Baz");
// "y" of op "Neg".
constexpr llvm::StringLiteral kSupportedGraph("\x0a\x08\x0a\x01y\x12\x03Neg");

TEST_F(ReplayFolder, UnsupportedOpsSkipAndAllAreNamed) {
  write("graph1.pb", kUnsupportedGraph);
  Outcome outcome = replayWith("echo 'error: op Foo is not supported' >&2; exit 4");
  EXPECT_EQ(outcome.verdict, Verdict::kSkipped);
  EXPECT_EQ(outcome.reason, "Bar, Foo");
}

TEST_F(ReplayFolder, ACompilerThatRefusesSupportedOpsIsNotBelieved) {
  write("graph1.pb", kSupportedGraph);
  Outcome outcome = replayWith("echo 'error: op Neg is not supported' >&2; exit 4");
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason, "compiler: exit code 4, but every op that is needed is supported: "
                            "error: op Neg is not supported");
}

TEST_F(ReplayFolder, ElementTypesThatAreNotSupportedSkipByTheNameOfANode) {
  write("graph1.pb", kSupportedGraph);
  Outcome outcome = replayWith("echo \"node 'y': error: not supported for half\" >&2; exit 4");
  EXPECT_EQ(outcome.verdict, Verdict::kSkipped);
  EXPECT_EQ(outcome.reason, "node 'y': error: not supported for half");
  EXPECT_EQ(replayWith("echo \"node 'z': error: not supported\" >&2; exit 4").verdict,
            Verdict::kFailed);
}

TEST_F(ReplayFolder, ACrashOnTheJoinedGraphIsNotForgiven) {
  // The second graph holds the first; each of them alone would compile.
  write("graph1.pb", kSupportedGraph);
  write("graph2.pb", (kSupportedGraph + llvm::StringRef("\x0a\x08\x0a\x01z\x12\x03Neg")).str());
  write("runs.json", R"({"runs":[
      {"graph":"graph1.pb","fetches":["y:0"],"state_before":{},
       "expect":[{"dtype":"bool","shape":[],"b64":"AQ=="}],"state_after":{}},
      {"graph":"graph2.pb","fetches":["z:0"],"state_before":{},
       "expect":[{"dtype":"bool","shape":[],"b64":"AQ=="}],"state_after":{}}]})");
  std::string alone = "grep -q s1 $3 || {\n" + program(TRUE_ANSWER) + "exit 0\n}\n";
  Outcome outcome = replayWith(alone + "kill -SEGV $$");
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason.substr(0, 30), "compiler: killed by signal 11 ");
  // A refusal is: what was rewritten may have made the earlier run invalid.
  EXPECT_EQ(replayWith(alone + "echo 'error: bad' >&2; exit 1").reason, "");
}

TEST_F(ReplayFolder, ARunThatMustFailMayBeRefused) {
  write("runs.json", R"({"runs":[
      {"graph":"graph1.pb","fetches":["y:0"],"state_before":{},
       "expect":[{"dtype":"bool","shape":[],"b64":"AQ=="}],"state_after":{}},
      {"graph":"graph1.pb","fetches":["bad:0"],"state_before":{},
       "error":["InvalidArgumentError","text"]}]})");
  std::string good = "grep -q bad $3 || {\n" + program(TRUE_ANSWER) + "exit 0\n}\n";
  EXPECT_EQ(replayWith(good + "echo 'error: bad' >&2; exit 1").reason, "");
  // By the right code only, and nothing else may be refused with it.
  EXPECT_EQ(replayWith(good + "exit 2").verdict, Verdict::kFailed);
  EXPECT_EQ(replayWith(good + "kill -SEGV $$").verdict, Verdict::kFailed);
  EXPECT_EQ(replayWith("echo 'error: bad' >&2; exit 1").verdict, Verdict::kFailed);
}

TEST_F(ReplayFolder, CompilerErrorsFail) {
  Outcome outcome = replayWith("echo 'g.pb: error: bad' >&2; exit 1");
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason, "compiler: exit code 1: g.pb: error: bad");
}

TEST_F(ReplayFolder, CrashesNameTheRun) {
  Outcome outcome = replayWith(program(TRUE_ANSWER "\nkill -SEGV $$"));
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason.substr(0, 39), "run 2: no answer: killed by signal 11 (");
}

TEST_F(ReplayFolder, HangsFail) {
  Outcome outcome = replayWith(program(TRUE_ANSWER "\nsleep 60"));
  EXPECT_EQ(outcome.reason, "run 2: no answer: no end after 2 s: ");
}

TEST_F(ReplayFolder, InterpretedProgramsSkipAndPassToo) {
  settings_.interpretPhase = "optimize";
  write("graph1.pb", kUnsupportedGraph);
  EXPECT_EQ(replayWith("echo 'error: op Foo is not supported' >&2; exit 4").verdict,
            Verdict::kSkipped);
  Outcome outcome = replayWith("test $4 = --interpret=optimize || exit 9\n" TRUE_ANSWER
                               "\n" ERROR_ANSWER "\nexit 1");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
}

TEST_F(ReplayFolder, PlacedProgramsRunInsideTheCompiler) {
  settings_.placement = Placement{3, 7, Transport::kSimulated};
  Outcome outcome = replayWith(
      R"(test "$4 $5 $6 $7 $8" = "--devices 3 --placement-seed 7 --partition-summary" || exit 9
test "${10}" = --execute=sim || exit 9
echo '{"edges":5,"edges_in_loops":3,"edges_in_nested_loops":1}' > $9
echo 'trace digest: 12ab' >&2
)" TRUE_ANSWER "\n" ERROR_ANSWER "\nexit 1");
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
  EXPECT_EQ(outcome.traceDigest, "12ab");
  EXPECT_EQ(outcome.cut.all, 5u);
  EXPECT_EQ(outcome.cut.inLoops, 3u);
  EXPECT_EQ(outcome.cut.inNestedLoops, 1u);
}

TEST_F(ReplayFolder, PlacedProgramsWithoutASummaryFail) {
  settings_.placement = Placement{2, std::nullopt, Transport::kLocal};
  EXPECT_EQ(replayWith(TRUE_ANSWER "\n" ERROR_ANSWER "\nexit 1").verdict, Verdict::kFailed);
}

TEST_F(ReplayFolder, ClustersAreStartedByTheLauncher) {
  settings_.placement = Placement{2, 1, Transport::kTcp};
  write("launcher", "#!/bin/sh\ntest -e $1 -a $2 = --calls || exit 9\n" TRUE_ANSWER
                    "\n" ERROR_ANSWER "\nexit 1");
  fs::setPermissions(path("launcher"), fs::all_all);
  settings_.launcher = path("launcher");
  // Arguments: GRAPH --signatures FILE --devices K --placement-seed S --partition-summary FILE
  // -o FOLDER.
  Outcome outcome = replayWith(
      R"(echo '{"edges":1,"edges_in_loops":0,"edges_in_nested_loops":0}' > $9
mkdir ${11} && touch ${11}/manifest.json)");
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.cut.all, 1u);
}

TEST_F(ReplayFolder, LeftoverTokensFail) {
  Outcome outcome = replayWith(program(R"(echo '{"outputs":[{"dtype":"bool","shape":[],)"
                                       R"("b64":"AQ=="}],"state":{},"leftover_tokens":2}')"));
  EXPECT_EQ(outcome.reason, "run 1: expected no leftover tokens but got 2");
}

// As sanitizers leave a program after its last answer: with their own exit code, or that of a call
// that has failed.
TEST_F(ReplayFolder, ReportsOfSanitizersFail) {
  for (const char *report :
       {"==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1",
        "==7==ERROR: LeakSanitizer: detected memory leaks", "WARNING: ThreadSanitizer: data race",
        "rank 1: a.cpp:3:1: runtime error: index 4 out of bounds"}) {
    std::string line = std::string("\necho '") + report + "' >&2\nexit 1";
    Outcome outcome = replayWith(program(TRUE_ANSWER "\n" ERROR_ANSWER + line));
    EXPECT_EQ(outcome.verdict, Verdict::kFailed);
    EXPECT_EQ(outcome.reason, report);
  }
}

TEST_F(ReplayFolder, ExitCodesSayWhetherACallFailed) {
  EXPECT_EQ(replayWith(program(TRUE_ANSWER "\n" ERROR_ANSWER)).reason,
            "after the last run: exit code 0: ");
  write("runs.json", R"({"runs":[{"graph":"graph1.pb","feeds":{},"fetches":["y:0"],"targets":[],
    "state_before":{},"expect":[{"dtype":"bool","shape":[],"b64":"AQ=="}],"state_after":{}}]})");
  EXPECT_EQ(replayWith(program(TRUE_ANSWER)).verdict, Verdict::kPassed);
  EXPECT_EQ(replayWith(program(TRUE_ANSWER "\necho 'error: late' >&2\nexit 1")).reason,
            "after the last run: exit code 1: error: late");
}

} // namespace
