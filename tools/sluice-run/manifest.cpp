// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and checking of manifests.
#include "tools/sluice-run/manifest.h"

#include "runtime/io/disk.h"
#include "runtime/io/json.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::run {

namespace {

using rt::Json;

constexpr std::string_view kFormat = "sluice-manifest-1";
constexpr size_t kMaxRanks = 1024;

class Reader {
public:
  explicit Reader(const std::string &path) : path_(path) {}

  rt::Result<std::vector<Rank>> read(std::string_view text) {
    rt::Result<Json> root = rt::parseJson(text);
    if (!root.ok())
      return bad(root.status().message());
    const Json *format = root->find("format");
    if (!format || !format->is(Json::Kind::kString))
      return bad("expected \"format\": \"" + std::string(kFormat) + "\"");
    if (format->string != kFormat)
      return bad("expected format '" + std::string(kFormat) + "' but got '" + format->string +
                 "'; compile the cluster again");
    const Json *devices = root->find("devices");
    if (!devices || !devices->is(Json::Kind::kArray) || devices->items.empty() ||
        devices->items.size() > kMaxRanks)
      return bad("expected \"devices\" to be a list of 1 to 1024 devices");
    std::vector<Rank> ranks;
    for (const Json &device : devices->items)
      SLUICE_RETURN_IF_ERROR(add(device, ranks));
    return ranks;
  }

private:
  rt::Status bad(const std::string &why) const {
    return rt::invalidArgument("'" + path_ + "' is no manifest: " + why);
  }

  rt::Status add(const Json &device, std::vector<Rank> &ranks) const {
    std::string number = std::to_string(ranks.size());
    const Json *rank = device.find("rank");
    if (!rank || !rank->is(Json::Kind::kInteger) ||
        rank->integer != static_cast<int64_t>(ranks.size()))
      return bad("expected device " + number + " of the list to have \"rank\": " + number);
    Rank &out = ranks.emplace_back();
    for (auto [name, place] : {std::pair("device", &out.device),
                               {"executable", &out.executable},
                               {"address", &out.address}}) {
      const Json *member = device.find(name);
      if (!member || !member->is(Json::Kind::kString) || member->string.empty() ||
          member->string.find('\0') != std::string::npos)
        return bad("rank " + number + ": expected \"" + name + "\" to be a text");
      *place = member->string;
    }
    if (!out.executable.starts_with('/'))
      out.executable.insert(0, folder());
    return rt::okStatus();
  }

  // With a slash at the end; never empty, so that nothing is looked up in PATH.
  std::string folder() const {
    size_t slash = path_.rfind('/');
    return slash == std::string::npos ? "./" : path_.substr(0, slash + 1);
  }

  const std::string &path_;
};

rt::Status checkExecutable(size_t rank, const std::string &path) {
  struct stat status;
  std::string place = "rank " + std::to_string(rank) + ": ";
  if (::stat(path.c_str(), &status) || ::access(path.c_str(), X_OK))
    return rt::notFound(place + "cannot execute '" + path + "': " + std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return rt::failedPrecondition(place + "cannot execute '" + path + "': it is no regular file");
  return rt::okStatus();
}

} // namespace

rt::Result<std::vector<Rank>> parseManifest(const std::string &path, std::string_view text) {
  return Reader(path).read(text);
}

rt::Result<std::vector<Rank>> readManifest(const std::string &path) {
  constexpr uint64_t kMaxBytes = 1 << 20;
  SLUICE_ASSIGN_OR_RETURN(std::string text, rt::HostDisk().read(path, kMaxBytes));
  SLUICE_ASSIGN_OR_RETURN(std::vector<Rank> ranks, parseManifest(path, text));
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    SLUICE_RETURN_IF_ERROR(checkExecutable(rank, ranks[rank].executable));
  return ranks;
}

} // namespace sluice::run
