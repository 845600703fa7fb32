// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of many turns: kernels on records, patterns and files.
#include "test/runtime/io/records/compressed.h"
#include "test/runtime/io/records/example_by_hand.h"
#include "test/runtime/kernels/long_firing.h"

#include "runtime/state/reader.h"

#include <filesystem>
#include <fstream>
#include <numeric>

namespace sluice::rt {
namespace {

constexpr DType kString = DType::kString;

Attr numbersAttr(std::span<const int64_t> values) {
  Attr attr;
  attr.kind = Attr::Kind::kInts;
  attr.ints = values;
  return attr;
}
Tensor repeated(const std::string &text, size_t count) {
  return tensor<std::string>({static_cast<int64_t>(count)}, std::vector<std::string>(count, text));
}

void addPatterns(std::vector<LongCase> &cases) {
  cases.push_back({"nd.match_pattern", [] {
                     return LongFiring{{texts(2000), Tensor::string("(a|[b-z ])*[0-9]+")},
                                       {DType::kBool}};
                   }});
  cases.push_back({"nd.replace_pattern", [] {
                     return LongFiring{
                         {texts(2000), Tensor::string("[aeiou]+"), Tensor::string("<\\0>")},
                         {kString},
                         {intAttr(1)}};
                   }});
}

void addBytes(std::vector<LongCase> &cases) {
  cases.push_back({"nd.decode_raw", [] {
                     return LongFiring{
                         {repeated(std::string(4000, 'x'), 300)}, {DType::kI32}, {intAttr(0)}};
                   }});
  cases.push_back({"nd.decode_padded_raw", [] {
                     return LongFiring{
                         {repeated(std::string(3000, 'x'), 300), Tensor::scalar(4000)},
                         {DType::kI32},
                         {intAttr(0)}};
                   }});
  cases.push_back({"nd.decompress", [] {
                     return LongFiring{{repeated(compressed(std::string(90'000, 'x'), true), 20)},
                                       {kString},
                                       {textAttr("gzip")}};
                   }});
  cases.push_back({"nd.decode_csv", [] {
                     return LongFiring{{repeated("1,\"two\",3.5", 3000), indices({1}, 5),
                                        Tensor::string(""), Tensor::scalar(1.0f)},
                                       {DType::kI32, kString, DType::kF32},
                                       {numbersAttr({}), textAttr(","), textAttr(""), intAttr(1)}};
                   }});
}

void addMessages(std::vector<LongCase> &cases) {
  cases.push_back(
      {"nd.parse_example", [] {
         using namespace by_hand;
         std::string one =
             example({entry("a", floatList({1, 2, 3})), entry("s", bytesList({"x", "yy"}))});
         static const int64_t shapes[] = {1, 3};
         Tensor none = *Tensor::allocate(kString, Shape({0}));
         Tensor s = tensor<std::string>({1}, {"s"}), a = tensor<std::string>({1}, {"a"});
         return LongFiring{
             {repeated(one, 3000), none, s, a, none, *Tensor::allocate(DType::kF32, Shape({0}))},
             {DType::kI64, kString, DType::kI64, DType::kF32},
             {numbersAttr(shapes), intAttr(-1), intAttr(1)}};
       }});
  cases.push_back(
      {"nd.serialize_tensor", [] { return LongFiring{{fractions({500, 700})}, {kString}}; }});
  auto rows = [] {
    std::vector<int64_t> starts(700), ends(700);
    std::iota(starts.begin(), starts.end(), 0);
    std::iota(ends.begin(), ends.end(), 1);
    return LongFiring{
        {fractions({700, 500}), tensor<int64_t>({700}, starts), tensor<int64_t>({700}, ends)},
        {kString},
        {intAttr(0)}};
  };
  cases.push_back({"nd.serialize_rows", rows});
  cases.push_back({"nd.parse_rows", [rows] {
                     LongRun run({"nd.serialize_rows", rows});
                     return LongFiring{{run.outputs[0]}, {DType::kF32, DType::kI64}};
                   }});
  cases.push_back({"nd.parse_tensor", [] {
                     LongRun run({"nd.serialize_tensor",
                                  [] { return LongFiring{{fractions({500, 700})}, {kString}}; }});
                     return LongFiring{{run.outputs[0]}, {DType::kF32}};
                   }});
}

std::string pathOf(const std::string &name) { return folderOfFiles() + "/" + name; }

void addFiles(std::vector<LongCase> &cases) {
  cases.push_back({"state.read_file", [] {
                     std::ofstream(pathOf("read")) << std::string(3'000'000, 'x');
                     return LongFiring{{Tensor::string(pathOf("read"))}, {kString}};
                   }});
  cases.push_back({"state.write_file", [] {
                     return LongFiring{{Tensor::string(pathOf("written")),
                                        Tensor::string(std::string(3'000'000, 'x'))},
                                       {}};
                   }});
  cases.push_back({"state.matching_files", [] {
                     std::filesystem::create_directory(pathOf("many"));
                     for (int i = 0; i < 300; ++i)
                       std::ofstream(pathOf("many/") + std::to_string(i));
                     return LongFiring{{Tensor::string(pathOf("many/*"))}, {kString}};
                   }});
  cases.push_back({"state.reader_read", [] {
                     std::ofstream file(pathOf("lines"));
                     for (int i = 0; i < 3000; ++i)
                       file << "line " << i << '\n';
                     Queue::Options options;
                     options.components = Components({{kString, Shape()}});
                     Ref<Queue> queue = *Queue::make(options);
                     EXPECT_TRUE(queue->enqueue({Tensor::string(pathOf("lines"))}, false, {}).ok());
                     Ref<Reader> reader =
                         *Reader::make({"reader", {.kind = RecordForm::Kind::kLines}});
                     struct NeverParks final : Parking {
                       std::unique_ptr<ParkedCall> park(Waitable &, const char *) override {
                         return nullptr;
                       }
                     } parking;
                     EXPECT_TRUE(reader->awaitFile(*queue, {{}, &parking}).ok());
                     return LongFiring{{Tensor::handle(Ref<Object>::adopt(reader.take())),
                                        Tensor::scalar(int64_t{5000})},
                                       {DType::kBool, kString, kString}};
                   }});
}

} // namespace

std::vector<LongCase> longRecordCases() {
  std::vector<LongCase> cases;
  addPatterns(cases);
  addBytes(cases);
  addMessages(cases);
  addFiles(cases);
  return cases;
}

} // namespace sluice::rt
