// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything but graphs, which have a file of their own.
#include "compiler/report/WriteJson.h"

#include "compiler/report/JsonObject.h"
#include "compiler/report/WriteGraphJson.h"

#include "llvm/ADT/StringMap.h"

namespace sluice::report {

using namespace llvm;

namespace {

class FactsWriter {
public:
  FactsWriter(const Report &report, JsonObject &out) : report_(report), out_(out) {}

  void write() {
    out_.text("format", "sluice-report-1");
    out_.object("program", [&] { writeProgram(); });
    out_.list("signatures", report_.signatures, [&](const Signature &s) { writeSignature(s); });
    out_.text("graphPhase", report_.graphPhase);
    out_.list("graphs", report_.graphs, [&](const DrawnGraph &g) { writeGraph(g, out_); });
    writePhases();
    out_.list("wires", report_.traffic, [&](const auto &signature) { writeTraffic(signature); });
    out_.list("loops", report_.verdicts, [&](const auto &verdict) { writeVerdict(verdict); });
    out_.list("raised", report_.raised, [&](const auto &outcome) { writeRaised(outcome); });
    out_.list("codelets", report_.codelets, [&](const CodeletRow &row) { writeCodelet(row); });
    out_.list("programs", report_.programs, [&](const ProgramRow &row) { writeProgram(row); });
  }

private:
  void writeFile(const File &file) {
    out_.text("name", file.name);
    out_.number("bytes", file.bytes);
  }

  void writeProgram() {
    out_.text("name", report_.name);
    out_.text("compiler", report_.compiler);
    out_.text("target", report_.target);
    out_.text("march", report_.march);
    out_.text("programHash", report_.programHash);
    out_.text("clusterHash", report_.clusterHash);
    out_.object("input", [&] { writeFile(report_.input); });
    out_.list("outputs", report_.outputs, [&](const File &file) { writeFile(file); });
    out_.list("devices", report_.devices, [&](const Device &device) {
      out_.text("name", device.name);
      out_.text("address", device.address);
    });
  }

  void writeSignature(const Signature &signature) {
    auto port = [&](const Port &p) {
      out_.text("name", p.name);
      if (!p.type.empty())
        out_.text("type", p.type);
    };
    out_.text("name", signature.name);
    out_.list("feeds", signature.feeds, port);
    out_.list("fetches", signature.fetches, port);
    out_.list("targets", signature.targets, port);
  }

  // Lines name their nodes by numbers, since most names come up many times.
  void writePhases() {
    StringMap<unsigned> numbers;
    std::vector<std::string> names;
    out_.list("phases", report_.phases, [&](const PhaseSnapshot &phase) {
      out_.text("name", phase.name);
      out_.text("summary", phase.summary);
      out_.object("ops", [&] {
        for (const auto &[op, count] : phase.ops)
          out_.number(op, count);
      });
      out_.number("allLines", phase.allLines);
      out_.texts("lines", phase.lines);
      std::vector<int64_t> nodes;
      for (const std::string &node : phase.nodes) {
        if (node.empty()) {
          nodes.push_back(-1);
          continue;
        }
        auto [place, isNew] = numbers.try_emplace(node, names.size());
        if (isNew)
          names.push_back(node);
        nodes.push_back(place->second);
      }
      out_.numbers("nodes", nodes);
    });
    out_.texts("names", names);
  }

  void writeTraffic(const partition::SignatureTraffic &signature) {
    out_.text("signature", signature.signature);
    out_.list("messages", signature.traffic, [&](const partition::Traffic &sum) {
      out_.text("loop", sum.loop);
      out_.number("from", sum.from);
      out_.number("to", sum.to);
      out_.number("messages", sum.messages);
      out_.number("predicates", sum.predicates);
      out_.number("bytes", sum.bytes);
      out_.flag("complete", !sum.isUnknown);
    });
    out_.list("loops", signature.loops, [&](const partition::LoopRanks &loop) {
      out_.text("loop", loop.loop);
      out_.numbers("ranks", loop.ranks);
      if (loop.decidedOn)
        out_.number("decidedOn", *loop.decidedOn);
    });
  }

  void writeVerdict(const codegen::LoopVerdict &verdict) {
    out_.text("signature", verdict.signature);
    out_.number("rank", verdict.rank);
    out_.text("kind", verdict.isLoop ? "loop" : "branch");
    out_.text("name", verdict.name);
    out_.number("depth", verdict.depth);
    out_.number("ops", verdict.ops);
    out_.flag("collapsed", verdict.isCollapsed);
    if (verdict.isLoop) {
      out_.number("window", verdict.window);
      std::vector<std::string> carried;
      for (mlir::Type type : verdict.carried)
        carried.push_back(typeText(type));
      out_.texts("carried", carried);
    }
    if (verdict.isCollapsed) {
      out_.number("byKernels", verdict.calls);
      out_.texts("kernels", verdict.kernels);
      return;
    }
    out_.text("why", verdict.keeper.empty() ? "it " + verdict.reason
                                            : verdict.keeper + " " + verdict.reason);
    out_.text("node", verdict.keeperNode);
  }

  void writeRaised(const raise::RaiseOutcome &outcome) {
    out_.text("signature", outcome.signature);
    out_.number("branches", outcome.branches);
    out_.number("loops", outcome.loops);
    out_.list("primitives", outcome.primitives, [&](const raise::Primitive &primitive) {
      out_.text("what", primitive.what);
      out_.text("where", primitive.where);
      out_.text("why", primitive.why);
    });
  }

  void writeCodelet(const CodeletRow &row) {
    out_.text("symbol", row.symbol);
    out_.number("rank", row.rank);
    out_.number("codeBytes", row.codeBytes);
    out_.number("ops", row.ops);
    out_.number("loops", row.loops);
    out_.number("branches", row.branches);
    out_.number("nodes", row.nodes);
    out_.texts("members", row.members);
  }

  void writeProgram(const ProgramRow &row) {
    out_.number("rank", row.rank);
    out_.text("imageHash", row.imageHash);
    out_.number("nodes", row.nodes);
    out_.number("imageBytes", row.imageBytes);
    out_.number("codeBytes", row.codeBytes);
    out_.number("constantBytes", row.constantBytes);
    out_.list("variables", row.variables, [&](const Variable &variable) {
      out_.text("name", variable.name);
      out_.text("type", variable.type);
      if (variable.bytes)
        out_.number("bytes", *variable.bytes);
    });
    out_.list("frames", row.frames, [&](const FrameRow &frame) {
      out_.text("signature", frame.signature);
      out_.text("name", frame.name);
      out_.number("window", frame.window);
      out_.number("nodes", frame.nodes);
    });
  }

  const Report &report_;
  JsonObject &out_;
};

} // namespace

static void writeTimes(const Report &report, JsonObject &out) {
  out.list("phases", report.phases, [&](const PhaseSnapshot &phase) {
    out.text("name", phase.name);
    out.milliseconds("milliseconds", phase.milliseconds);
  });
  if (report.writeMilliseconds)
    out.milliseconds("write", *report.writeMilliseconds);
  out.list("codelets", report.codelets, [&](const CodeletRow &row) {
    out.text("symbol", row.symbol);
    out.number("rank", row.rank);
    out.milliseconds("milliseconds", row.milliseconds);
  });
}

std::string reportJson(const Report &report) {
  JsonObject out;
  FactsWriter(report, out).write();
  out.object("times", [&] { writeTimes(report, out); });
  return out.finish() + "\n";
}

std::string factsJson(const Report &report) {
  JsonObject out;
  FactsWriter(report, out).write();
  return out.finish();
}

std::string timesJson(const Report &report) {
  JsonObject out;
  writeTimes(report, out);
  return out.finish();
}

} // namespace sluice::report
