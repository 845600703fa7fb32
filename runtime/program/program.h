// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as the executor walks it: tables with every reference resolved to a pointer.
// Immutable after loading and shared by all calls.
#pragma once

#include "runtime/kernels/kernel.h"
#include "runtime/memory/tensor.h"
#include "runtime/program/attr_storage.h"
#include "runtime/program/codelet.h"
#include "runtime/program/device_choice.h"
#include "runtime/program/node_kind.h"
#include "runtime/program/signature_info.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct Node;

// Where a token goes. `slot` is an index into the iteration's slots, or one of the two marks.
// Merges and receives have rules of their own for what arrives.
struct Edge {
  static constexpr uint32_t kControl = ~0u;   // counts, deadness kills
  static constexpr uint32_t kOrder = ~0u - 1; // counts, deadness does not matter
  const Node *node;
  uint32_t slot;
  // Copies from `node`, so that a delivery need not read it.
  uint32_t index : 29;
  uint32_t toMerge : 1;
  uint32_t toRecv : 1;
  uint32_t toSend : 1;
  bool carriesValue() const { return slot < kOrder; }
};

struct Input {
  const Tensor *constant; // null: the operand arrives in `slot`
  uint32_t slot;
};

// How long something took when it was done last, in microseconds; any thread may say so.
class LastTime {
public:
  static constexpr uint32_t kUnknown = ~0u;
  LastTime() = default;
  LastTime(const LastTime &other) : time_(other.get()) {}
  LastTime &operator=(const LastTime &other) { return time_.store(other.get()), *this; }
  uint32_t get() const { return time_.load(std::memory_order_relaxed); }
  void note(uint64_t nanoseconds) {
    uint64_t time = std::min<uint64_t>(nanoseconds / 1000, kUnknown - 1);
    time_.store(static_cast<uint32_t>(time), std::memory_order_relaxed);
  }

private:
  std::atomic<uint32_t> time_ = kUnknown;
};

struct Node {
  NodeKind kind;
  bool constant = false;    // enter: into every iteration
  bool scalarPath = false;  // kernel with `scalar`, all inputs and the output of rank 0
  bool stateful = false;    // kernel needs an environment
  bool floatValued = false; // kernel that computes floats; reading a variable or array does not
  bool keepsOfCard = false; // kernel of a program with cards that pushes on a list or pops of one
  bool isSent = false;      // copy to the host: some of it goes to another rank
  bool onlyFirst = false;   // can only fire in iteration 0: waits for what an enter brings once
  int32_t fallback = -1;    // merge: operand that is a constant, for when all others are dead
  uint32_t index = 0;       // position in its frame's node states
  uint32_t pending = 0;     // tokens to wait for; merge: control tokens only
  uint32_t frame = 0;
  uint32_t child = 0;                // enter, call: the child frame's StaticFrame::id
  uint32_t constantEnter = 0;        // constant enter: position among the child frame's
  uint32_t port = 0;                 // feed, fetch, target: position in the signature
  uint32_t edge = 0;                 // send, recv: number of the wire edge
  uint32_t peer = 0;                 // send, recv: the rank at the other end
  uint32_t recursion = 0;            // call: what its random numbers differ by; 0: by nothing
  // Copy: where the value goes. Recv: the card that copies of the value go to, if there is one.
  MemoryNumber memory = kHostMemory;
  uint32_t firstSlot = 0;
  uint32_t numSlots = 0; // operands that are no constants
  // Merge: how many values come in iteration 0, and in a later one: when all are dead, so is the
  // merge. kNever where none comes.
  uint32_t valuesInFirst = 0, valuesInLater = 0;
  static constexpr uint32_t kNever = ~0u;
  const Kernel *kernel = nullptr;
  const Codelet *codelet = nullptr;
  mutable LastTime lastTime; // of codelets whose work nobody knows before
  std::span<const Input> inputs;
  std::span<const std::span<const Edge>> ports;
  std::span<const DType> outputTypes;
  Attrs attrs;
  std::string_view name;
};

struct StaticFrame {
  uint32_t parent = 0;
  uint32_t childPosition = 0; // among the parent's children
  uint32_t window = 1;
  uint32_t numChildren = 0;
  uint32_t numEnters = 0;
  uint32_t numSlots = 0;
  uint32_t id = 0;
  bool isFunction = false; // instances are made by calls, by any number of them from an iteration
  std::string_view name;
  std::vector<const Node *> nodes; // by Node::index
  // Functions: nodes that wait for nothing, and those that stand for arguments, in their order.
  std::vector<const Node *> sources, arguments;
  std::vector<const Node *> constantEnters;
  std::vector<const Node *> exits;
  uint32_t numNextIterations = 0;
  // Between ranks.
  uint32_t globalId = 0;            // the same on all ranks
  std::vector<uint32_t> path;       // frames from below the root down to this one
  std::vector<uint32_t> upstream;   // ranks that send tokens of this frame or a nested one to us
  std::vector<uint32_t> downstream; // ranks that we send such tokens to
};

// A wire edge that ends here.
struct WireInput {
  const Node *recv = nullptr;    // null: the edge does not end here
  DType dtype = DType::kInvalid; // kInvalid: a control token
  Shape shape;                   // as far as it is known
};

struct Signature {
  SignatureInfo info;
  std::vector<StaticFrame> frames; // the root is the first
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<const Node *> sources; // root nodes that wait for nothing; feeds among them
  std::deque<Tensor> constants;
  std::vector<MemoryNumber> memories; // of the constants; missing ones are of the host
  std::deque<Codelet> codelets;
  std::vector<WireInput> wireInputs;   // by edge
  std::vector<const Node *> rootRecvs; // armed at the start of a call
  std::vector<uint32_t> frameOfId; // by StaticFrame::globalId; kNoFrame where it has no part here
  static constexpr uint32_t kNoFrame = ~0u;
};

struct ClusterDevice {
  std::string_view name;
  std::string_view address; // host:port; port 0: told at start
};

struct Resource {
  ResourceKind kind;
  std::string key;
  DType dtype;
  Shape shape;
  Tensor initial = {}; // invalid: none; its elements lie in the image
  MemoryNumber memory = kHostMemory;
};

class Cards;
class Program;
struct CardOptions {
  DeviceChoice device;
  uint64_t memoryLimit = 0; // of each card, in bytes; 0: none
  Swapping swapping = Swapping::kWhenFull;
  bool library = true;    // products by the library of the cards' makers, where it is found
  bool allowTf32 = false; // there, of f32
};
// Opens the cards of a program, in the order of their numbers, and puts there what it has for them.
// UNAVAILABLE says what is missing on this machine.
using OpenCards = void (*)(Program &program, const CardOptions &options,
                           std::unique_ptr<Cards> &cards, Status &status);

class Program {
public:
  // What the image's indices refer to.
  struct Tables {
    std::span<const Kernel *const> kernels;
    std::span<const SluiceCodelet *const> codelets;
    OpenCards openCards = nullptr;
  };
  // The image and what is in the tables must outlive the program. INTERNAL when the image ends
  // early or refers to what is not there; as for the rest it is trusted like the code beside it.
  static Result<std::unique_ptr<Program>> load(std::span<const char> image, const Tables &tables);

  std::string_view name() const { return name_; }
  std::string_view version() const { return version_; }
  // Empty for a program that runs alone; a device's rank is its position.
  std::span<const ClusterDevice> devices() const { return devices_; }
  uint32_t rank() const { return rank_; }
  // How many cards the rank has beside its host.
  uint32_t cards() const { return cards_; }
  OpenCards openCards() const { return openCards_; }
  // "nd.matmul"; empty if the image does not say.
  std::string_view opOf(const Kernel &kernel) const;
  // For runs whose buffers are guarded: constants move out of the image, and no codelet is fired
  // with operands or results that lie elsewhere. A constant for which there is no memory stays.
  void guardOperands();
  std::string_view programHash() const { return programHash_; }
  std::string_view clusterHash() const { return clusterHash_; }
  std::span<const Resource> resources() const { return resources_; }
  std::span<const std::unique_ptr<Signature>> signatures() const { return signatures_; }
  // Whether it can run without its cards, from `leaveCards` on. Nobody has a signature then.
  bool canLeaveCards() const { return cards_ == 0 || !hostSignatures_.empty(); }
  void leaveCards();

private:
  friend class ProgramLoader;
  friend class NodeConnector;
  std::string_view name_, version_, programHash_, clusterHash_;
  std::vector<ClusterDevice> devices_;
  uint32_t rank_ = 0, cards_ = 0;
  OpenCards openCards_ = nullptr;
  std::vector<std::pair<const Kernel *, std::string_view>> kernelOps_;
  std::vector<Resource> resources_;
  std::vector<std::unique_ptr<Signature>> signatures_, hostSignatures_;
  // Arrays that nodes point into.
  std::deque<std::vector<Input>> inputs_;
  std::deque<std::vector<Edge>> edges_;
  std::deque<std::vector<std::span<const Edge>>> ports_;
  std::deque<std::vector<DType>> types_;
  AttrStorage attrs_;
};

} // namespace sluice::rt
