// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on readers: what their attributes and operands say, on files of this machine.
#include "runtime/kernels/environment.h"
#include "runtime/state/object_slot.h"
#include "runtime/state/reader.h"
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

#include <filesystem>
#include <fstream>

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;
constexpr DType kString = DType::kString, kI64 = DType::kI64;

// Its queue always has what a firing asks for.
struct NeverParks final : Parking {
  std::unique_ptr<ParkedCall> park(Waitable &, const char *) override {
    ADD_FAILURE() << "a firing would wait";
    return nullptr;
  }
};

class ReaderKernels : public testing::Test {
protected:
  ReaderKernels() {
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
    environment_.resources = resources_;
    environment_.parking = &firing_;
    Queue::Options options;
    options.components = Components({{kString, Shape()}});
    queue_ = Tensor::handle(Ref<Object>::adopt(Queue::make(options)->take()));
  }
  ~ReaderKernels() override { std::filesystem::remove_all(folder_); }

  KernelResult call(const Kernel &kernel, const std::vector<Tensor> &inputs,
                    const std::vector<DType> &types, const std::vector<Attr> &attrs = {}) {
    std::vector<const Tensor *> pointers;
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    KernelResult result;
    result.outputs.resize(types.size());
    result.status = runKernel(kernel, pointers, result.outputs, attrs, types, &environment_);
    return result;
  }
  KernelResult handle(const char *form, const char *compression = "", int64_t skipped = 0,
                      int64_t header = 0, int64_t record = 0, int64_t footer = 0, int64_t hop = 0) {
    return call(sluice_kernel_state_reader_handle_any, {}, {DType::kHandle},
                {textAttr(compression), intAttr(footer), textAttr(form), intAttr(header),
                 intAttr(hop), textAttr("r"), intAttr(0), intAttr(record), intAttr(skipped)});
  }
  // Of a reader of this form alone.
  Tensor reader(const char *form, int64_t skipped = 0, int64_t header = 0, int64_t record = 0,
                int64_t footer = 0, int64_t hop = 0) {
    slot_ = Ref<ObjectSlot>::adopt(new ObjectSlot(ObjectSlot::typeOf("reader")));
    resources_[0] = slot_.get();
    KernelResult made = handle(form, "", skipped, header, record, footer, hop);
    EXPECT_TRUE(made.ok()) << made.status.toString();
    return *made;
  }
  std::string path(const std::string &name) const { return folder_ + "/" + name; }
  void put(const std::string &name, const std::string &content) {
    std::ofstream(path(name)) << content;
    auto *queue = static_cast<Queue *>(queue_.object());
    ASSERT_TRUE(queue->enqueue({Tensor::string(path(name))}, false, {}).ok());
  }
  Status await(const Tensor &reader, const Tensor &count) {
    return call(sluice_kernel_state_reader_await_any, {reader, queue_, count}, {}).status;
  }
  KernelResult readOnce(const Tensor &reader, const Tensor &count) {
    return call(sluice_kernel_state_reader_read_any, {reader, count},
                {DType::kBool, kString, kString});
  }
  // "key=value" of up to so many, without the folder.
  Texts read(const Tensor &reader, int64_t count) {
    EXPECT_TRUE(await(reader, Tensor::scalar(count)).ok());
    KernelResult got = readOnce(reader, Tensor::scalar(count));
    EXPECT_TRUE(got.ok()) << got.status.toString();
    Texts records;
    for (int64_t i = 0; got.ok() && i < got.outputs[1].elements(); ++i)
      records.push_back(got.outputs[1].data<std::string>()[i].substr(folder_.size() + 1) + "=" +
                        got.outputs[2].data<std::string>()[i]);
    return records;
  }
  int64_t count(const Tensor &reader, const char *what) {
    return call(sluice_kernel_state_reader_count_any, {reader}, {kI64}, {textAttr(what)})
        ->data<int64_t>()[0];
  }

  std::string folder_ = testing::TempDir() + "/sluice-reader-XXXXXX";
  Object *resources_[1] = {};
  NeverParks firing_;
  Environment environment_;
  Ref<ObjectSlot> slot_;
  Tensor queue_;
};

TEST_F(ReaderKernels, FormsOfFiles) {
  put("n", "x");
  EXPECT_EQ(read(reader("names"), 1), Texts{"n=" + path("n")});
  put("w", "a\nb");
  EXPECT_EQ(read(reader("whole"), 1), Texts{"w=a\nb"});
  put("l", "a\nb\nc\nd\n");
  EXPECT_EQ(read(reader("lines", 1), 2), (Texts{"l:2=b", "l:3=c"}));
  put("f", "Habcdefghijkl__");
  EXPECT_EQ(read(reader("fixed", 0, 1, 3, 2, 4), 9), (Texts{"f:0=abc", "f:1=efg", "f:2=ijk"}));
}

TEST_F(ReaderKernels, OneReaderOfOneForm) {
  Tensor lines = reader("lines");
  KernelResult again = handle("lines");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->object(), lines.object());
  EXPECT_EQ(handle("lines", "GZIP").status.code(), Code::kInvalidArgument);
  EXPECT_EQ(handle("pages").status.toString(), "INTERNAL: no reader has the form 'pages'");
  EXPECT_EQ(handle("lines", "LZ4").status.code(), Code::kInternal);
  slot_ = Ref<ObjectSlot>::adopt(new ObjectSlot(ObjectSlot::typeOf("reader")));
  resources_[0] = slot_.get();
  EXPECT_EQ(errorOf(handle("lines", "", -1)),
            "reader 'r': skip_header_lines must be >= 0 but got -1");
}

TEST_F(ReaderKernels, RecordsAndCounts) {
  put("a", "1\n2\n3\n");
  Tensor lines = reader("lines");
  EXPECT_EQ(count(lines, "records"), 0);
  EXPECT_EQ(read(lines, 2), (Texts{"a:1=1", "a:2=2"}));
  EXPECT_EQ(count(lines, "records"), 2);
  EXPECT_EQ(count(lines, "files"), 0);
  EXPECT_EQ(read(lines, 9), Texts{"a:3=3"});
  EXPECT_EQ(count(lines, "files"), 1);
  // Without a file there is none, unless none is wanted.
  KernelResult none = readOnce(lines, Tensor::scalar(int64_t{1}));
  EXPECT_FALSE(*none->data<bool>());
  EXPECT_EQ(none.outputs[2].shape(), Shape({0}));
  Tensor zero = Tensor::scalar(int64_t{0});
  EXPECT_TRUE(await(lines, zero).ok());
  EXPECT_TRUE(*readOnce(lines, zero)->data<bool>());
  EXPECT_TRUE(call(sluice_kernel_state_reader_reset_any, {lines}, {}).ok());
  EXPECT_EQ(count(lines, "records"), 0);
}

TEST_F(ReaderKernels, CountsThatCannotBe) {
  Tensor lines = reader("lines"), minus = Tensor::scalar(int64_t{-1}),
         vector = *Tensor::allocate(kI64, Shape({1}));
  EXPECT_EQ(await(lines, minus).message(), "num_records must be at least 0 but got -1");
  EXPECT_EQ(errorOf(readOnce(lines, minus)), "num_records must be at least 0 but got -1");
  EXPECT_EQ(await(lines, vector).message(), "num_records must be scalar, got shape [1]");
  EXPECT_EQ(errorOf(readOnce(lines, vector)), "num_records must be scalar, got shape [1]");
}

TEST_F(ReaderKernels, States) {
  put("a", "x");
  Tensor names = reader("names");
  ASSERT_EQ(read(names, 1).size(), 1u);
  KernelResult state = call(sluice_kernel_state_reader_save_any, {names}, {kString});
  ASSERT_TRUE(state.ok());
  Tensor other = reader("names");
  auto restored = [&](const Tensor &text) {
    return call(sluice_kernel_state_reader_restore_any, {other, text}, {});
  };
  EXPECT_TRUE(restored(*state).ok());
  EXPECT_EQ(count(other, "files"), 1);
  EXPECT_EQ(errorOf(restored(*Tensor::allocate(kString, Shape({1})))),
            "Reader state must be scalar, but had shape: [1]");
  EXPECT_EQ(count(other, "files"), 1);
  EXPECT_EQ(errorOf(restored(Tensor::string("\xff"))), "Could not parse state for reader 'r'");
  EXPECT_EQ(call(sluice_kernel_state_reader_save_any, {reader("lines")}, {kString}).status.code(),
            Code::kUnimplemented);
}

} // namespace
} // namespace sluice::rt
