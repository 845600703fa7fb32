// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes what one rank of a cluster hears from another one, while calls begin and end. The first
// byte says which rank is real. Then for each message: type, flags, subject, call, length of the
// payload, payload. Whatever comes, the rank goes on or ends.
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/cluster/pair.h"
#include "test/runtime/cluster/split_loop.h"

using namespace sluice::rt;

namespace {

class Silent final : public Transport::Handler {
public:
  Result<uint64_t> admit(uint32_t, const MessageHeader &) override { return kLargestMessage; }
  void receive(uint32_t, const MessageHeader &, std::span<const char>) override {}
  void lost(uint32_t, const Status &) override {}
};

// One real rank of a loop that is split over two; the input plays the other one.
class Scene {
public:
  explicit Scene(uint32_t real) : other_(1 - real), hub_(2) {
    GraphBuilder &program = real == 0 ? loop_.first() : loop_.second();
    program.variable("v", DType::kF32, Shape{2});
    member_ = std::make_unique<Member>(program.buildProgram(), systemThreads(), clock_);
    RunOptions options;
    options.workers = 0;
    options.print = [](std::string_view) {};
    member_->executor().setOptions(options);
    realEnd_ = hub_.endpoint(real);
    end_ = hub_.endpoint(other_);
    member_->attach(*realEnd_);
  }

  void say(const MessageHeader &header, std::span<const char> payload) {
    end_->send(1 - other_, header, payload);
    end_->flush();
    act();
  }
  void startCall() {
    if (other_ != 1 || !member_->allReady() || !member_->callsOver() || member_->ended())
      return;
    takeResult();
    Tensor limit = Tensor::scalar<int32_t>(5);
    call_ = member_->startCall(0, std::span(&limit, 1));
    act();
  }
  void takeResult() {
    if (call_ && member_->callOver(*call_))
      (void)member_->takeResult(*std::exchange(call_, std::nullopt));
  }
  bool ended() const { return member_->ended(); }

private:
  void act() {
    for (int i = 0; i < 8; ++i) {
      (void)member_->progress();
      (void)end_->poll(silent_);
    }
  }

  const uint32_t other_;
  std::optional<uint32_t> call_;
  SplitLoop loop_;
  TestClock clock_;
  Silent silent_;
  Hub hub_;
  std::unique_ptr<Member> member_;
  std::unique_ptr<Transport> realEnd_, end_;
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  Scene scene(data[0] % 2);
  constexpr size_t kHead = 6, kMostMessages = 32;
  size_t at = 1;
  for (size_t i = 0; i < kMostMessages && size - at >= kHead && !scene.ended(); ++i) {
    MessageHeader header;
    header.type = data[at];
    header.flags = data[at + 1];
    header.count = data[at + 2] & 1;
    header.subject = data[at + 2] >> 1;
    header.call = data[at + 3];
    size_t length = std::min<size_t>(data[at + 4], size - at - kHead);
    if (data[at + 5] == 1)
      scene.startCall();
    at += kHead;
    scene.say(header, {reinterpret_cast<const char *>(data) + at, length});
    at += length;
  }
  scene.takeResult();
  return 0;
}
