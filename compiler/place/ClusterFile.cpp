// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing and checks of a cluster.json: first each device by itself, then all of them together.
#include "compiler/place/ClusterFile.h"

#include "compiler/import/JsonText.h"
#include "compiler/place/DeviceTarget.h"
#include "compiler/place/HostName.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <set>

namespace sluice::place {

using import::quoted;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

std::string shown(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return quoted(text);
}

class ClusterParser {
public:
  ClusterParser(const std::string &path, import::DiagnosticList &diagnostics,
                const import::Limits &limits)
      : path_(path), diagnostics_(diagnostics), limits_(limits) {}

  std::vector<ClusterDevice> run(StringRef text) {
    llvm::Expected<json::Value> root = import::parseJson(text, limits_);
    if (root)
      parseRoot(*root);
    else
      fail(llvm::toString(root.takeError()));
    if (!diagnostics_.hasErrors())
      checkTasks();
    return std::move(devices_);
  }

private:
  void fail(std::string message) {
    diagnostics_.error(import::ExitCode::kBadGraph, {path_, "", ""}, std::move(message));
  }
  void failDevice(const std::string &message) {
    fail("devices[" + std::to_string(index_) + "]: " + message);
  }

  void parseRoot(const json::Value &root) {
    const json::Object *object = root.getAsObject();
    const json::Value *list = object ? object->get("devices") : nullptr;
    if (!list || !list->getAsArray())
      return fail("expected an object with a list 'devices'");
    for (const auto &[key, value] : *object)
      if (key != "devices")
        fail("unknown member " + quoted(key.str()) + "; expected 'devices' only");
    const json::Array &devices = *list->getAsArray();
    if (devices.empty() || !limits_.allows(import::LimitId::kDevices, devices.size()))
      return fail("devices: expected 1 to " + std::to_string(limits_[import::LimitId::kDevices]) +
                  " devices but got " + std::to_string(devices.size()) +
                  (devices.empty() ? "" : limits_.remedy(import::LimitId::kDevices)));
    for (index_ = 0; index_ < devices.size(); ++index_)
      parseDevice(devices[index_]);
  }

  void parseDevice(const json::Value &value) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return failDevice("expected an object but got " + shown(value));
    for (const auto &[key, member] : *object)
      if (key != "name" && key != "host" && key != "port" && key != "target")
        failDevice("unknown member " + quoted(key.str()) +
                   "; expected 'name', 'host', 'port' and 'target'");
    auto name = parseName(*object);
    auto host = parseHost(*object);
    auto port = parsePort(*object);
    auto target = parseTarget(*object);
    if (!name || !host || !port || !target)
      return;
    devices_.push_back({std::move(*name), std::move(*host), *port, std::move(*target)});
    checkIsNew(devices_.back());
  }

  // A member that must be there; null after a complaint.
  const json::Value *member(const json::Object &object, StringRef name) {
    const json::Value *value = object.get(name);
    if (!value)
      failDevice("expected a member " + quoted(name.str()));
    return value;
  }

  std::optional<import::DeviceName> parseName(const json::Object &object) {
    const json::Value *value = member(object, "name");
    if (!value)
      return std::nullopt;
    auto text = value->getAsString();
    auto name = text ? import::DeviceName::parse(*text) : std::nullopt;
    if (name && !name->replica)
      name->replica = 0;
    if (!name || !name->isFull()) {
      failDevice("name: expected '/job:NAME/task:N/device:CPU:N' but got " + shown(*value));
      return std::nullopt;
    }
    if (*name->type != "CPU") {
      failDevice("name: this build has no " + *name->type + " devices, but got " + shown(*value));
      return std::nullopt;
    }
    return name;
  }

  std::optional<std::string> parseHost(const json::Object &object) {
    const json::Value *value = member(object, "host");
    if (!value)
      return std::nullopt;
    auto text = value->getAsString();
    auto host = text ? canonicalHost(*text) : std::nullopt;
    if (!host)
      failDevice("host: expected a host name or an IP address but got " + shown(*value));
    return host;
  }

  std::optional<uint16_t> parsePort(const json::Object &object) {
    const json::Value *value = member(object, "port");
    if (!value)
      return std::nullopt;
    int64_t port = value->getAsInteger().value_or(0);
    if (port < 1 || port > UINT16_MAX) {
      failDevice("port: expected a number from 1 to 65535 but got " + shown(*value));
      return std::nullopt;
    }
    return static_cast<uint16_t>(port);
  }

  std::optional<std::string> parseTarget(const json::Object &object) {
    const json::Value *value = object.get("target");
    if (!value)
      return std::string();
    auto text = value->getAsString();
    std::string problem =
        text ? problemOfTarget(*text) : std::string("expected a text such as \"cpu:x86-64-v4\"");
    if (problem.empty())
      return text->str();
    failDevice("target: " + problem + " but got " + shown(*value));
    return std::nullopt;
  }

  void checkIsNew(const ClusterDevice &device) {
    auto [sameName, newName] = names_.try_emplace(device.name.text(), index_);
    if (!newName)
      failDevice("name " + quoted(device.name.text()) + " is that of devices[" +
                 std::to_string(sameName->second) + "], too");
    auto [sameAddress, newAddress] = addresses_.try_emplace(device.address(), index_);
    if (!newAddress)
      failDevice("address " + quoted(device.address()) + " is that of devices[" +
                 std::to_string(sameAddress->second) + "], too");
  }

  // A missing task is more often forgotten than meant.
  void checkTasks() {
    std::map<std::pair<std::string, uint32_t>, std::set<uint32_t>> tasks;
    for (const ClusterDevice &device : devices_)
      tasks[{*device.name.job, *device.name.replica}].insert(*device.name.task);
    for (const auto &[job, present] : tasks) {
      uint32_t next = 0;
      while (present.contains(next))
        ++next;
      if (next < present.size())
        fail("expected tasks without a gap but job " + quoted(job.first) + " has no task " +
             std::to_string(next) + ", only task " + std::to_string(*present.upper_bound(next)));
    }
  }

  const std::string &path_;
  import::DiagnosticList &diagnostics_;
  const import::Limits &limits_;
  std::vector<ClusterDevice> devices_;
  size_t index_ = 0; // of the device that is being parsed
  llvm::StringMap<size_t> names_;
  llvm::StringMap<size_t> addresses_;
};

} // namespace

std::vector<ClusterDevice> parseClusterFile(const std::string &path, StringRef text,
                                            import::DiagnosticList &diagnostics,
                                            const import::Limits &limits) {
  return ClusterParser(path, diagnostics, limits).run(text);
}

} // namespace sluice::place
