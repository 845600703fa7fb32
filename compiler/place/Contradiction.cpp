// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words for why there is no placement. The links of a group are a tree, so there is one way
// from one member to another, and that is the explanation.
#include "compiler/place/Contradiction.h"

#include "compiler/import/Diagnostic.h"
#include "compiler/place/Requests.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/state/State.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace sluice::place {

using import::quoted;

namespace {

std::string describe(Operation *op) {
  StringRef node = nodeNameOf(op->getLoc());
  return node.empty() ? "op " + quoted(op->getName().getStringRef().str())
                      : "node " + quoted(node.str());
}

// "both …", as the predicate of two members.
std::string describe(const Tie &tie) {
  std::string name = tie.name.empty() ? "" : " " + quoted(tie.name.str());
  switch (tie.kind) {
  case Tie::kColocation:
    return "are colocated with" + name;
  case Tie::kVariable:
    return "use variable" + name;
  case Tie::kGenerator:
    return "use the random generator" + name;
  case Tie::kObject:
    return "use the " + tie.object.str() + name;
  case Tie::kArray:
    return "use TensorArray" + name;
  case Tie::kList:
    return "use TensorArray or stack" + name;
  case Tie::kStack:
    return "use stack" + name;
  case Tie::kFrame:
    return "belong to loop" + name + ", which has no LoopCond and so cannot be divided";
  case Tie::kFirstIteration:
    return "belong to what loop" + name +
           " does in its first iteration only, which cannot be divided";
  }
  return "";
}

std::string listOf(ArrayRef<import::DeviceName> devices) {
  constexpr size_t kShown = 8;
  std::string text;
  for (const import::DeviceName &device : devices.take_front(kShown))
    text += (text.empty() ? "" : ", ") + quoted(device.text());
  if (devices.size() > kShown)
    text += ", … (" + std::to_string(devices.size()) + " in all)";
  return text;
}

void noteDevices(InFlightDiagnostic &error, ArrayRef<import::DeviceName> devices) {
  error.attachNote() << "the devices are " << listOf(devices);
}

// The links on the way from one member of a group to another, each turned so that it leads on.
std::vector<Link> findWay(const Groups &groups, unsigned from, unsigned to) {
  llvm::DenseMap<unsigned, SmallVector<Link, 2>> linksOf;
  for (const Link &link : groups.links())
    if (groups.groupOf(link.from) == groups.groupOf(from)) {
      linksOf[link.from].push_back(link);
      linksOf[link.to].push_back({link.to, link.from, link.tie});
    }
  llvm::DenseMap<unsigned, Link> cameBy;
  std::vector<unsigned> open{from};
  for (size_t i = 0; i < open.size() && !cameBy.contains(to); ++i)
    for (const Link &link : linksOf[open[i]])
      if (link.to != from && cameBy.try_emplace(link.to, link).second)
        open.push_back(link.to);
  std::vector<Link> way;
  for (unsigned at = to; at != from; at = cameBy.find(at)->second.from)
    way.push_back(cameBy.find(at)->second);
  return {way.rbegin(), way.rend()};
}

// Several links of one kind are one reason.
std::vector<Link> shortened(ArrayRef<Link> way) {
  std::vector<Link> result;
  for (const Link &link : way) {
    Link *last = result.empty() ? nullptr : &result.back();
    bool isSame =
        last && last->tie.kind == link.tie.kind && last->tie.object == link.tie.object &&
        (last->tie.name == link.tie.name || last->tie.name.empty() || link.tie.name.empty());
    if (!isSame) {
      result.push_back(link);
      continue;
    }
    last->to = link.to;
    if (last->tie.name.empty())
      last->tie.name = link.tie.name;
  }
  return result;
}

void noteWay(InFlightDiagnostic &error, const Groups &groups, unsigned from, unsigned to) {
  constexpr size_t kShown = 8;
  std::vector<Link> way = shortened(findWay(groups, from, to));
  for (const Link &link : ArrayRef(way).take_front(kShown)) {
    Operation *a = groups.members()[link.from], *b = groups.members()[link.to];
    error.attachNote(b->getLoc()) << "must be where " << describe(a) << " is, as both "
                                  << describe(link.tie);
  }
  if (way.size() > kShown)
    error.attachNote() << way.size() - kShown << " more such ties are not shown";
}

bool disagree(StringRef a, StringRef b, ArrayRef<import::DeviceName> devices) {
  auto first = import::DeviceName::parse(a), second = import::DeviceName::parse(b);
  return llvm::none_of(devices, [&](const import::DeviceName &device) {
    return first->allows(device) && second->allows(device);
  });
}

} // namespace

void reportNoDevice(Operation *op, StringRef request, ArrayRef<import::DeviceName> devices,
                    ArrayRef<import::DeviceName> cards) {
  auto name = import::DeviceName::parse(request);
  InFlightDiagnostic error = emitError(op->getLoc());
  if (!name)
    error << "expected " << import::DeviceName::expectedForm() << ", but got "
          << quoted(request.str());
  else if (name->type && *name->type != "CPU" && (*name->type != "GPU" || cards.empty()))
    error << "asks for " << quoted(request.str()) << ", but this build has no " << *name->type
          << " devices";
  else
    error << "asks for " << quoted(request.str()) << ", but there is no such device";
  std::vector<import::DeviceName> all(devices);
  all.insert(all.end(), cards.begin(), cards.end());
  noteDevices(error, all);
}

void reportContradiction(const Groups &groups, ArrayRef<unsigned> askers,
                         ArrayRef<import::DeviceName> devices) {
  auto opOf = [&](unsigned member) { return groups.members()[member]; };
  unsigned last = askers.back(), other = askers.front();
  StringAttr request = requestOf(opOf(last));
  for (unsigned asker : askers.drop_back())
    if (disagree(requestOf(opOf(asker)), request, devices)) {
      other = asker;
      break;
    }
  InFlightDiagnostic error = emitError(opOf(last)->getLoc());
  error << "asks for " << quoted(request.str()) << " but must be where " << describe(opOf(other))
        << " is, which asks for " << quoted(requestOf(opOf(other)).str());
  for (unsigned asker : askers.drop_back())
    if (asker != other && !disagree(requestOf(opOf(other)), request, devices))
      error.attachNote(opOf(asker)->getLoc())
          << "must be there, too, and asks for " << quoted(requestOf(opOf(asker)).str());
  noteWay(error, groups, other, last);
  noteDevices(error, devices);
}

} // namespace sluice::place
