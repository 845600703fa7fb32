// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From tf2xla.Config to a request. That names exist in the graph is checked like those of flags.
#include "compiler/import/ConfigFile.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/ParseMessage.h"
#include "compiler/import/config.pb.h"

namespace sluice::import {

namespace {

class Reader {
public:
  Reader(const std::string &path, const Limits &limits, DiagnosticList &diagnostics)
      : path_(path), limits_(limits), diagnostics_(diagnostics) {}

  std::optional<ConfigFile> read(const config::Config &config) {
    const uint64_t ports =
        static_cast<uint64_t>(config.feed_size()) + static_cast<uint64_t>(config.fetch_size());
    if (!limits_.allows(LimitId::kSignatures, ports))
      fail(limits_.excess(LimitId::kSignatures, "feeds and fetches", ports));
    else
      fill(config);
    return failed_ ? std::nullopt : std::optional(std::move(result_));
  }

private:
  void fill(const config::Config &config) {
    for (const config::Feed &feed : config.feed()) {
      TensorRequest request = tensor("feed", feed.id(), feed.name());
      if (feed.has_shape() || feed.type() != graphdef::DT_INVALID) {
        checkShape("feed", request.tensor, feed.shape());
        request.declared = TensorRequest::Declared{feed.type(), feed.shape()};
        if (!feed.has_shape())
          request.declared->shape.set_unknown_rank(true);
      }
      result_.signature.feeds.push_back(std::move(request));
    }
    for (const config::Fetch &fetch : config.fetch())
      result_.signature.fetches.push_back(tensor("fetch", fetch.id(), fetch.name()));
    for (const config::Variable &variable : config.variable()) {
      if (variable.node_name().empty())
        fail("variable: expected a node_name");
      result_.variables.push_back({variable.node_name(), variable.name()});
    }
    if (config.fetch().empty())
      fail("expected at least one fetch");
  }

  TensorRequest tensor(const char *kind, const config::TensorId &id, const std::string &name) {
    if (id.node_name().empty())
      fail(std::string(kind) + ": expected an id with a node_name");
    else if (id.output_index() < 0)
      fail(std::string(kind) + " " + quoted(id.node_name()) +
           ": expected an output_index of 0 or more but got " + std::to_string(id.output_index()));
    TensorRequest request(id.node_name() + ":" + std::to_string(id.output_index()));
    request.name = name;
    return request;
  }

  void checkShape(const char *kind, const std::string &tensor,
                  const graphdef::TensorShapeProto &shape) {
    for (const auto &dim : shape.dim())
      if (dim.size() < -1)
        fail(std::string(kind) + " " + quoted(tensor) + ": expected sizes of -1 or more but got " +
             std::to_string(dim.size()));
  }

  void fail(const std::string &problem) {
    diagnostics_.error(ExitCode::kUsage, {path_, "", ""}, problem);
    failed_ = true;
  }

  const std::string &path_;
  const Limits &limits_;
  DiagnosticList &diagnostics_;
  ConfigFile result_;
  bool failed_ = false;
};

} // namespace

std::optional<ConfigFile> parseConfig(const std::string &path, const std::string &content,
                                      const Limits &limits, DiagnosticList &diagnostics) {
  config::Config config;
  if (!parseMessage(path, content, "tf2xla.Config", config, limits, diagnostics))
    return std::nullopt;
  return Reader(path, limits, diagnostics).read(config);
}

std::optional<ConfigFile> readConfig(const std::string &path, const Limits &limits,
                                     DiagnosticList &diagnostics) {
  auto content = readRegularFile(path, limits, LimitId::kJsonBytes, diagnostics);
  return content ? parseConfig(path, *content, limits, diagnostics) : std::nullopt;
}

} // namespace sluice::import
