// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the page that are tables: header, messages, loops, codelets, memory.
function fillHeader() {
  const program = report.program;
  const port =
      (p) => [make("b", {}, p.name), p.type ? make("span", {class: "type"}, " " + p.type) : null];
  const list = (ports) => ports.flatMap((p, i) => [i ? ", " : "", port(p)]);
  byId("signatures")
      .append(...report.signatures.map(
          (signature) => make(
              "p", {},
              report.signatures.length > 1 ? make("span", {class: "tag"}, signature.name) : null,
              list(signature.feeds), make("span", {class: "arrow"}, " → "),
              list([...signature.fetches, ...signature.targets]))));
  const tile = (value, label) =>
      make("div", {class: "tile"}, make("b", {}, value), make("span", {}, label));
  const loops = report.loops.filter((verdict) => verdict.kind === "loop");
  const bytes = program.outputs.reduce((sum, file) => sum + file.bytes, 0);
  const took = times.phases.reduce((sum, phase) => sum + phase.milliseconds, times.write || 0);
  byId("tiles").append(
      ...[tile(
              report.graphs.reduce((sum, graph) => sum + graph.nodes.length, 0)
                  .toLocaleString("en"),
              "ops"),
          devices.length ? tile(devices.length, devices.length === 1 ? "device" : "devices") : null,
          loops.length ?
              tile(
                  `${loops.filter((verdict) => verdict.collapsed).length} of ${loops.length}`,
                  "loops native") :
              null,
          tile(report.codelets.length, "codelets"),
          bytes ?
              tile(bytesText(bytes), program.outputs.length === 1 ? "executable" : "executables") :
              null,
          tile(timeText(took), "compile time")]
          .filter(Boolean));
  byId("program-facts").append(facts([
    ["input", `${program.input.name}, ${bytesText(program.input.bytes)}`],
    ["compiler", program.compiler], ["target", program.target], ["CPU of codelets", program.march],
    ["program hash", program.programHash], ["cluster hash", program.clusterHash],
    ...report.programs.map(
        (row) => [devices.length ? `image hash of rank ${row.rank}` : "image hash", row.imageHash]),
    ...program.outputs.map((file) => [file.name, bytesText(file.bytes)]),
    ...devices.map((device, rank) => [`device ${rank}`, `${device.name} at ${device.address}`])
  ]));
  fillTimes(took);
}

function fillTimes(took) {
  const parts = times.phases.map((phase) => [phase.name, phase.milliseconds]);
  if (times.write) parts.push(["write", times.write]);
  byId("times").setAttribute(
      "aria-label", "time: " + parts.map(([name, ms]) => `${name} ${timeText(ms)}`).join(", "));
  byId("times").append(...parts.map(
      ([name, ms], i) => make(
          "span", {
            class: "part" + (i % 9),
            style: `flex-grow:${Math.max(ms / took, 0.004)}`,
            title: `${name}: ${timeText(ms)}`
          },
          ms / took > 0.07 ? `${name} ${timeText(ms)}` : "")));
}

const traffic = (sum) => sum.messages ?
    `${sum.messages} · ${sum.bytes || sum.complete ? bytesText(sum.bytes) : ""}${
        sum.complete  ? "" :
            sum.bytes ? " + ?" :
                        "?"}` :
    "";

function fillWires() {
  const section = byId("wires");
  if (!report.wires.some((signature) => signature.messages.length))
    return section.append(
        heading("Messages"),
        note(
            devices.length > 1 ? "The devices send each other nothing." :
                                 "The program runs on one device: there are no messages."));
  for (const signature of report.wires) {
    section.append(
        heading(`Messages${report.wires.length > 1 ? ` of '${signature.signature}'` : ""}`));
    const places = [...new Set(signature.messages.map((sum) => sum.loop))];
    const ranks = devices.map((_, rank) => rank);
    section.append(
        make("div", {class: "matrices"}, places.map((place) => {
          const at = (from, to) => signature.messages.find(
              (sum) => sum.loop === place && sum.from === from && sum.to === to);
          const most = Math.max(
              ...signature.messages.filter((sum) => sum.loop === place).map((sum) => sum.messages));
          return make(
              "figure", {},
              make(
                  "figcaption", {},
                  place ? ["in each iteration of ", make("b", {}, place)] : "in each call"),
              make(
                  "table", {class: "matrix"},
                  make(
                      "thead", {},
                      make(
                          "tr", {}, make("th", {}, "from ↓ to →"),
                          ranks.map(
                              (rank) => make(
                                  "th", {scope: "col", title: deviceName(rank)},
                                  make("span", {class: "swatch device" + (rank % 8)}), rank)))),
                  make(
                      "tbody", {},
                      ranks.map(
                          (from) => make(
                              "tr", {},
                              make(
                                  "th", {scope: "row", title: deviceName(from)},
                                  make("span", {class: "swatch device" + (from % 8)}), from),
                              ranks.map((to) => {
                                const sum = at(from, to);
                                return make(
                                    "td",
                                    sum ? {
                                      style: `--heat:${(sum.messages / most).toFixed(2)}`,
                                      class: "heat",
                                      title: count(sum.messages, "message")
                                    } :
                                          {},
                                    sum             ? traffic(sum) :
                                        from === to ? "–" :
                                                      "");
                              }))))));
        })),
        note(
            "Messages · bytes of their elements, as far as shapes are known; ",
            "'?' stands for what is not."));
    section.append(table(
        ["in each", "from", "to", "messages", "bytes", "predicates"],
        signature.messages.map(
            (sum) =>
                [sum.loop ? `iteration of ${sum.loop}` : "call", sum.from, sum.to, sum.messages,
                 traffic(sum).replace(/^.* · /, ""), sum.predicates])));
    if (signature.loops.length)
      section.append(
          heading("Loops and their devices"),
          table(
              ["loop", "on ranks", "decided on"],
              signature.loops.map(
                  (loop) =>
                      [loop.loop, loop.ranks.join(", "),
                       loop.decidedOn === undefined ? "itself" : `rank ${loop.decidedOn}`])));
  }
}

const showButton = (name, text) =>
    make("button", {class: "link", onclick: () => findName(name)}, text);

// How a loop or branch that is machine code runs.
const codeText = (verdict) =>
    verdict.byKernels ? `machine code, ${verdict.byKernels} by kernels` : "machine code";

function verdictRow(verdict) {
  const how = make(
      "span", {class: "tag " + (verdict.collapsed ? "good" : "plain")},
      verdict.collapsed ? codeText(verdict) : "tokens");
  const why = verdict.collapsed ?
      verdict.kernels.map((kernel) => make("div", {}, kernel)) :
      make("span", {}, verdict.why, " ", verdict.node ? showButton(verdict.node, "show") : null);
  return [
    verdict.kind, make("span", {style: `padding-left:${verdict.depth}em`}, verdict.name || "–"),
    verdict.rank, verdict.window === undefined ? "" : verdict.window,
    (verdict.carried || []).join(", "), verdict.ops, how, why
  ];
}

function fillLoops() {
  const section = byId("loops");
  section.append(heading("Loops and branches"));
  if (report.loops.length)
    section.append(table(
        ["", "name", "rank", "window", "carries", "ops", "runs as", "why"],
        report.loops.map(verdictRow)));
  else
    section.append(
        note("No loop or branch stays whole on one device with a structure that can be compiled."));
  const frames = report.programs.flatMap(
      (row) => row.frames.map(
          (frame) => [frame.signature, frame.name, row.rank, frame.window, frame.nodes]));
  if (frames.length)
    section.append(
        heading("Loops that run as tokens"),
        table(["signature", "frame", "rank", "window", "nodes"], frames));
  const primitives = report.raised.flatMap(
      (outcome) => outcome.primitives.map(
          (primitive) => [outcome.signature, primitive.what, primitive.where, primitive.why]));
  if (primitives.length)
    section.append(
        heading("Not recognised"),
        note(
            "These have no structure that the compiler knows; ",
            "they run as TensorFlow defines their primitives."),
        table(["signature", "", "at", "why"], primitives));
}

function fillCodelets() {
  const section = byId("codelets");
  section.append(heading("Codelets"));
  if (!report.codelets.length)
    return section.append(note("Nothing is compiled: every op runs as a kernel."));
  const timeOf = new Map(times.codelets.map((row) => [row.rank + row.symbol, row.milliseconds]));
  const most = Math.max(...report.codelets.map((row) => row.codeBytes));
  const rows = [...report.codelets].sort((a, b) => b.codeBytes - a.codeBytes);
  section.append(
      note(`${count(rows.length, "codelet")}, ${
          bytesText(rows.reduce(
              (sum, row) => sum + row.codeBytes, 0))} of machine code, the largest first.`),
      table(
          [
            "codelet", devices.length ? "rank" : "", "code", "", "compiled in", "ops", "loops",
            "branches", "nodes", "stands for"
          ],
          rows.map(
              (row) =>
                  [make("code", {}, row.symbol.replace("sluice_codelet_", "")),
                   devices.length ? row.rank : "", bytesText(row.codeBytes),
                   make(
                       "span", {class: "inline-bar"},
                       make("i", {style: `width:${(row.codeBytes / most) * 100}%`})),
                   timeText(timeOf.get(row.rank + row.symbol) || 0), row.ops, row.loops,
                   row.branches, row.nodes,
                   make(
                       "span", {class: "members"},
                       row.members.slice(0, 4).flatMap(
                           (name, i) => [i ? ", " : "", showButton(name, name)]),
                       row.members.length > 4 ? ` and ${row.members.length - 4} more` : "")])));
}

function fillMemory() {
  const section = byId("memory");
  section.append(heading("Memory"));
  if (!report.programs.length)
    return section.append(note("The compilation stopped before there was a program."));
  section.append(
      table(
          [
            devices.length ? "rank" : "", "nodes", "image", "of it constants", "machine code",
            "variables"
          ],
          report.programs.map((row) => {
            const known = row.variables.every((variable) => variable.bytes !== undefined);
            const bytes = row.variables.reduce((sum, variable) => sum + (variable.bytes || 0), 0);
            return [
              devices.length ? row.rank : "", row.nodes, bytesText(row.imageBytes),
              bytesText(row.constantBytes), bytesText(row.codeBytes),
              row.variables.length ? bytesText(bytes) + (known ? "" : " + ?") : "none"
            ];
          })),
      note(
          "Tables, constants and code are in the executable. Values between ops are allocated ",
          "when they are made and freed after their last use; a loop holds those of at most ",
          "its window of iterations."));
  const variables = report.programs.flatMap(
      (row) => row.variables.map(
          (variable) => [variable.name, variable.type, row.rank, bytesText(variable.bytes)]));
  if (variables.length)
    section.append(heading("Variables"), table(["variable", "type", "rank", "bytes"], variables));
}
