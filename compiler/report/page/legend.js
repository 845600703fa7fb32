// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What marks, colours and lines stand for.
const kMarks = {
  loop: "↻",
  branch: "⑂",
  codelet: "▣",
  scope: "▤",
  part: "▤",
  graph: ""
};
function boxNote(box) {
  if (box.kind === "codelet") return box.note.replace("sluice_codelet_", "").slice(0, 8);
  return box.kind === "loop" ? box.note : count(box.size, "op");
}

// Colours stand for devices if there are several, else for kinds of ops.
const kFamilies = {
  nd: "arithmetic",
  flow: "control flow",
  state: "state",
  array: "arrays",
  wire: "messages"
};
function familyOf(node) {
  if (devices.length > 1) return "device" + (node.rank % 8);
  return node.op.split(".")[0];
}

function arrowHeads() {
  return draw(
      "defs", {},
      ["value", "control", "back", "wire"].map(
          (kind) => draw(
              "marker", {
                id: "arrow-" + kind,
                class: "arrow " + kind,
                viewBox: "0 0 8 8",
                refX: 7,
                refY: 4,
                markerWidth: 7,
                markerHeight: 7,
                orient: "auto",
                markerUnits: "userSpaceOnUse"
              },
              draw("path", {d: "M0,0.5L8,4L0,7.5z"}))));
}

function drawLegend(model) {
  const sample = (kind) => draw(
      "svg", {width: 34, height: 10, "aria-hidden": "true"},
      draw("path", {class: "edge " + kind, d: "M1,5H33"}));
  const swatch = (style) => make("span", {class: "swatch " + style});
  const ranks = [...new Set(model.nodes.map((node) => node.rank))].sort((a, b) => a - b);
  const families = [...new Set(model.nodes.map((node) => node.op.split(".")[0]))].sort();
  const colours = devices.length > 1 ?
      ranks.map((rank) => [swatch("device" + (rank % 8)), deviceName(rank)]) :
      families.map((family) => [swatch(family), kFamilies[family] || family]);
  const kinds = new Set(model.edges.map((edge) => edge.kind));
  const lines =
      [
        ["value", "value"], ["control", "control edge"], ["back", "to the next iteration"],
        ["wire", "message"]
      ].filter(([kind]) => kinds.has(kind))
          .map(([kind, text]) => [sample(kind), text]);
  const boxKinds = new Set(model.boxes.slice(1).map((box) => box.kind));
  const boxes =
      [
        ["loop", "loop"], ["branch", "branch"], ["codelet", "codelet: fires as one"],
        ["scope", "name scope"], ["part", "part"]
      ].filter(([kind]) => boxKinds.has(kind))
          .map(([kind, text]) => [swatch("frame " + kind), text]);
  byId("legend").replaceChildren(
      ...[...colours, ...boxes, ...lines].map((entry) => make("span", {}, ...entry)));
}
