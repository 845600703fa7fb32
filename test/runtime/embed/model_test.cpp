// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State of models: variables in memory and in files, while calls are made.
#include "test/runtime/embed/library_builder.h"

#include "runtime/state/variable.h"
#include "test/runtime/executor/mailbox.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32, kHandle = DType::kHandle;

const Kernel theVariable = {nullptr,
                            [](KernelCall &call) {
                              Object *object = call.environment()->resources[0];
                              call.output(0) = Tensor::handle(Ref<Object>::share(object));
                              return okStatus();
                            },
                            Kernel::kStateful | Kernel::kAllocates};

// v += x; the fetch is what was added.
struct Accumulator : LibraryBuilder {
  explicit Accumulator(Shape shape = {2}) {
    graph.variable("v/w", f32, shape);
    auto x = graph.feed("x", f32);
    auto v = graph.kernel(theVariable, "v", 0, {x}, kHandle);
    auto updated = graph.kernel("state.assign_add", "update", 0, {v, x}, {kHandle, f32},
                                DType::kInvalid, false);
    graph.node(updated).outputTypes.clear();
    graph.node(updated).outputIsScalar.clear();
    graph.fetch("x", x, f32);
    feedPort(0).shape = fetchPort(0).shape = shape;
  }
};

sluice_code write(ModelUnderTest &m, std::vector<float> values) {
  int64_t size = static_cast<int64_t>(values.size());
  sluice_tensor value{SLUICE_F32, 1, &size, values.data(), values.size() * sizeof(float)};
  return sluice_model_write(m.model, 0, &value, &m.error);
}

std::vector<float> read(ModelUnderTest &m) {
  std::vector<float> values(2);
  sluice_tensor value;
  int64_t dims[1] = {-7};
  EXPECT_EQ(sluice_model_read(m.model, 0, values.data(), 2 * sizeof(float), &value, dims, &m.error),
            SLUICE_OK)
      << m.error.message;
  EXPECT_EQ(value.bytes, 2 * sizeof(float));
  EXPECT_EQ(dims[0], 2);
  return values;
}

TEST(EmbeddedModel, KeepsItsVariablesBetweenCalls) {
  Accumulator program;
  ModelUnderTest m(program), other(program);
  float x[] = {1, 10};
  ASSERT_EQ(write(m, {0, 0}), SLUICE_OK) << m.error.message;
  ASSERT_EQ(write(other, {5, 5}), SLUICE_OK);
  ASSERT_EQ(m.feed(0, x, {2}), SLUICE_OK);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(m.run(), SLUICE_OK) << m.error.message;
  EXPECT_EQ(read(m), (std::vector<float>{3, 30}));
  EXPECT_EQ(read(other), (std::vector<float>{5, 5})); // a state of its own
}

TEST(EmbeddedModel, IsDescribed) {
  Accumulator program;
  const sluice_program *description = program.library()->program;
  EXPECT_STREQ(description->name, "test");
  ASSERT_EQ(description->num_variables, 1u);
  EXPECT_STREQ(description->variables[0]->name, "v/w");
  EXPECT_EQ(description->variables[0]->dims[0], 2);
  ASSERT_EQ(description->num_signatures, 1u);
  const sluice_signature &signature = *description->signatures[0];
  EXPECT_STREQ(signature.name, "main");
  ASSERT_EQ(signature.num_feeds, 1u);
  EXPECT_STREQ(signature.feeds[0]->name, "x");
  EXPECT_EQ(signature.feeds[0]->dtype, SLUICE_F32);
  EXPECT_EQ(signature.feeds[0]->rank, 1);
  EXPECT_EQ(sluice_find_signature(description, "main"), 0u);
  EXPECT_EQ(sluice_find_signature(description, "mai"), 1u);
  EXPECT_EQ(sluice_find_signature(description, "main2"), 1u);
  EXPECT_NE(std::string(description->json).find("\"v/w\""), std::string::npos);
}

TEST(EmbeddedModel, RefusesWhatTheVariableCannotHold) {
  Accumulator program;
  ModelUnderTest m(program);
  EXPECT_EQ(write(m, {1, 2, 3}), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "variable 'v/w': expected f32[2] but got f32[3]");
  sluice_tensor value;
  EXPECT_EQ(sluice_model_read(m.model, 0, nullptr, 0, &value, nullptr, &m.error),
            SLUICE_FAILED_PRECONDITION);
  EXPECT_STREQ(m.error.message, "variable 'v/w' has no value");
  EXPECT_EQ(sluice_model_read(m.model, 1, nullptr, 0, &value, nullptr, &m.error),
            SLUICE_INVALID_ARGUMENT);
}

TEST(EmbeddedModel, TellsHowMuchRoomAVariableNeeds) {
  Accumulator program;
  ModelUnderTest m(program);
  ASSERT_EQ(write(m, {1, 2}), SLUICE_OK);
  sluice_tensor value;
  char room[7];
  EXPECT_EQ(sluice_model_read(m.model, 0, nullptr, 0, &value, nullptr, &m.error), SLUICE_OK);
  EXPECT_EQ(value.bytes, 8u);
  EXPECT_EQ(value.data, nullptr);
  EXPECT_EQ(sluice_model_read(m.model, 0, room, sizeof room, &value, nullptr, &m.error),
            SLUICE_OUT_OF_RANGE);
  EXPECT_EQ(value.bytes, 8u);
}

TEST(EmbeddedModel, ReadsTextsBehindTheirArray) {
  LibraryBuilder program;
  program.graph.variable("s", DType::kString, Shape{2});
  program.graph.fetch("y", program.graph.feed("x", f32), f32);
  ModelUnderTest m(program);
  sluice_string texts[] = {{"ab", 2}, {"", 0}};
  int64_t size = 2;
  sluice_tensor value{SLUICE_STRING, 1, &size, texts, sizeof texts};
  ASSERT_EQ(sluice_model_write(m.model, 0, &value, &m.error), SLUICE_OK) << m.error.message;
  alignas(sluice_string) char room[100];
  ASSERT_EQ(sluice_model_read(m.model, 0, room, sizeof room, &value, nullptr, &m.error), SLUICE_OK);
  EXPECT_EQ(value.bytes, sizeof texts + 2);
  auto *read = static_cast<const sluice_string *>(value.data);
  EXPECT_EQ(std::string(read[0].data, read[0].size), "ab");
  EXPECT_EQ(read[0].data, room + sizeof texts);
  EXPECT_EQ(read[1].size, 0u);
}

// They are looked at where they are copied, since they may have changed since they were given.
TEST(EmbeddedModel, RefusesTextsThatAreNowhere) {
  LibraryBuilder program;
  program.graph.variable("s", DType::kString, Shape{2});
  program.graph.fetch("y", program.graph.feed("x", DType::kString), DType::kString);
  program.feedPort(0).shape = Shape{2};
  ModelUnderTest m(program);
  sluice_string texts[] = {{nullptr, 0}, {nullptr, 3}};
  int64_t size = 2;
  sluice_tensor value{SLUICE_STRING, 1, &size, texts, sizeof texts};
  EXPECT_EQ(sluice_model_write(m.model, 0, &value, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "variable 's': string 1: expected 3 bytes but got a null pointer");
  ASSERT_EQ(sluice_call_feed(m.call, 0, &value, &m.error), SLUICE_OK) << m.error.message;
  EXPECT_EQ(m.run(), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'x': string 1: expected 3 bytes but got a null pointer");
  texts[1] = {"abc", 3};
  EXPECT_EQ(m.run(), SLUICE_OK) << m.error.message;
  texts[1].data = nullptr; // an empty one may be nowhere, also in the place of another
  texts[1].size = 0;
  EXPECT_EQ(m.run(), SLUICE_OK) << m.error.message;
  EXPECT_EQ(static_cast<const sluice_string *>(m.fetch(0).data)[1].size, 0u);
}

TEST(EmbeddedModel, SaysWhatItIsNotLoadedFrom) {
  Accumulator program;
  ModelUnderTest m(program);
  const std::string path = testing::TempDir() + "/sluice-no-checkpoint";
  for (auto [content, says] :
       {std::pair(std::string("\0zip and more", 13), "13 bytes that begin with '\\x00zip and '"),
        std::pair(std::string("{}"), "2 bytes that begin with '{}'"),
        std::pair(std::string(), "an empty file")}) {
    ASSERT_TRUE(std::ofstream(path).write(content.data(), std::ssize(content)));
    EXPECT_EQ(sluice_model_load(m.model, path.c_str(), &m.error), SLUICE_INVALID_ARGUMENT);
    EXPECT_EQ(
        std::string(m.error.message),
        "'" + path +
            "': expected a safetensors file, or a checkpoint of TensorFlow by its prefix, its "
            ".index or one of its .data files, but got " +
            std::string(says));
  }
  (void)std::remove(path.c_str());
}

// Each library has a table of its own.
TEST(EmbeddedModel, IsOfOneLibrary) {
  Accumulator program;
  ModelUnderTest m(program);
  EXPECT_EQ(sluice_model_check(m.model, program.library(), nullptr), SLUICE_OK);
  const sluice_api table = *m.model->api;
  const sluice_library other{&table, program.library()->program};
  EXPECT_EQ(sluice_model_check(m.model, &other, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "the model is one of another library");
}

TEST(EmbeddedModel, GoesOnFromAFile) {
  Accumulator program;
  char folder[] = "/tmp/sluice-embed-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  for (const char *name : {"/state.safetensors", "/state.ckpt"}) {
    const std::string path = std::string(folder) + name;
    {
      ModelUnderTest m(program);
      ASSERT_EQ(write(m, {3, 4}), SLUICE_OK);
      ASSERT_EQ(sluice_model_save(m.model, path.c_str(), &m.error), SLUICE_OK) << m.error.message;
    }
    ModelUnderTest m(program);
    ASSERT_EQ(sluice_model_load(m.model, path.c_str(), &m.error), SLUICE_OK) << m.error.message;
    EXPECT_EQ(read(m), (std::vector<float>{3, 4}));
  }
  ModelUnderTest m(program);
  EXPECT_EQ(sluice_model_load(m.model, (std::string(folder) + "/none").c_str(), &m.error),
            SLUICE_NOT_FOUND);
  EXPECT_EQ(std::system(("rm -r " + std::string(folder)).c_str()), 0);
}

// Whoever looks at the state never sees half of a call.
TEST(EmbeddedModel, IsReadWhileOthersCall) {
  Accumulator program;
  ModelUnderTest m(program);
  ASSERT_EQ(write(m, {0, 0}), SLUICE_OK);
  std::atomic<bool> ends = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      sluice_call *call = nullptr;
      ASSERT_EQ(sluice_call_create(m.model, 0, &call, nullptr), SLUICE_OK);
      float x[] = {1, 1};
      int64_t size = 2;
      sluice_tensor value{SLUICE_F32, 1, &size, x, sizeof x};
      ASSERT_EQ(sluice_call_feed(call, 0, &value, nullptr), SLUICE_OK);
      do
        ASSERT_EQ(sluice_call_run(call, 0, nullptr), SLUICE_OK);
      while (!ends);
      sluice_call_free(call);
    });
  for (int i = 0; i < 50; ++i) {
    std::vector<float> values = read(m);
    EXPECT_EQ(values[0], values[1]);
  }
  ends = true;
  for (std::thread &thread : threads)
    thread.join();
}

Mailbox *mailbox = nullptr; // of the program
const Kernel theMailbox = {nullptr,
                           [](KernelCall &call) {
                             call.output(0) = Tensor::handle(Ref<Object>::share(mailbox));
                             return okStatus();
                           },
                           Kernel::kStateful | Kernel::kAllocates};
const Kernel takeMail = {nullptr,
                         [](KernelCall &call) {
                           mailboxOf(call).take(call);
                           return okStatus();
                         },
                         Kernel::kStateful | Kernel::kAllocates};

// A call that waits for others has done what comes before, and goes on afterwards.
TEST(EmbeddedModel, IsReadAndSavedWhileACallWaitsForOthers) {
  Ref<Mailbox> mail = Ref<Mailbox>::adopt(mailbox = new Mailbox());
  Accumulator program;
  auto box = program.graph.kernel(theMailbox, "box", 0, {program.graph.feed("go", f32)}, kHandle);
  program.graph.fetch("taken", program.graph.kernel(takeMail, "take", 0, {box}, f32), f32);
  ModelUnderTest m(program);
  ASSERT_EQ(write(m, {0, 0}), SLUICE_OK);
  const float x[] = {1, 10}, go = 0;
  ASSERT_EQ(m.feed(0, x, {2}), SLUICE_OK);
  ASSERT_EQ(m.feed(1, &go), SLUICE_OK);
  sluice_error error{};
  sluice_code code = SLUICE_UNKNOWN;
  std::thread waiting([&] { code = sluice_call_run(m.call, 60, &error); });
  while (mail->numWaiting() == 0)
    std::this_thread::yield();
  EXPECT_EQ(read(m), (std::vector<float>{1, 10}));
  EXPECT_EQ(write(m, {2, 3}), SLUICE_OK) << m.error.message;
  const std::string path = testing::TempDir() + "/sluice-saved-beside-a-call";
  EXPECT_EQ(sluice_model_save(m.model, path.c_str(), &m.error), SLUICE_OK) << m.error.message;
  EXPECT_EQ(sluice_model_load(m.model, path.c_str(), &m.error), SLUICE_OK) << m.error.message;
  std::this_thread::sleep_for(std::chrono::milliseconds(120)); // some looks
  EXPECT_EQ(read(m), (std::vector<float>{2, 3}));
  mail->put(Tensor::scalar(7.f));
  waiting.join();
  EXPECT_EQ(code, SLUICE_OK) << error.message;
  EXPECT_EQ(m.fetched<float>(1), std::vector<float>{7});
  (void)std::remove(path.c_str());
}

const Kernel print = {nullptr,
                      [](KernelCall &call) {
                        call.output(0) = call.input(0);
                        (*call.environment()->print)("a line");
                        return okStatus();
                      },
                      Kernel::kStateful | Kernel::kAllocates};

TEST(EmbeddedModel, PrintsWhereItIsTold) {
  LibraryBuilder program;
  program.graph.fetch(
      "y", program.graph.kernel(print, "print", 0, {program.graph.feed("x", f32)}, f32), f32);
  std::string printed;
  sluice_model_options options{};
  options.size = sizeof options;
  options.user = &printed;
  options.print = [](void *user, const char *text, size_t size) {
    static_cast<std::string *>(user)->append(text, size);
  };
  float x = 1;
  ModelUnderTest m(program, nullptr, &options), silent(program);
  for (ModelUnderTest *model : {&m, &silent}) {
    (void)model->feed(0, &x);
    ASSERT_EQ(model->run(), SLUICE_OK);
  }
  EXPECT_EQ(printed, "a line");
}

// Options of callers that were compiled when there were fewer.
TEST(EmbeddedModel, KnowsShorterOptions) {
  LibraryBuilder program;
  program.graph.fetch("y", program.graph.feed("x", f32), f32);
  sluice_model_options options;
  std::memset(&options, 0xff, sizeof options);
  options.size = sizeof options.size;
  ModelUnderTest m(program, nullptr, &options);
}

TEST(EmbeddedModel, IsNoRankOfACluster) {
  LibraryBuilder program;
  program.graph.makeRank(0, 2);
  program.graph.fetch("y", program.graph.feed("x", f32), f32);
  auto loaded = Library::load(program.graph.makeImage(), program.graph.tables());
  EXPECT_EQ(loaded.status().code(), Code::kUnimplemented);
}

} // namespace
} // namespace sluice::rt
