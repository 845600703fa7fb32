// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The panel beside the picture: all that is known of what is selected.
function nameButton(view, id, text) {
  return make("button", {class: "link", onclick: () => view.select(id, true)}, text);
}

const titleOf = (thing) => thing.name || thing.title || thing.op;

function edgeList(view, title, edges, end) {
  if (!edges.length) return [];
  const kMost = 40;
  const entry = (edge) => {
    const other = view.model.nodes[edge[end]];
    return make(
        "li", {}, nameButton(view, other.id, titleOf(other)), " ",
        make(
            "span", {class: "type"},
            edge.kind === "value" ?
                edge.type :
                `${edge.kind}${edge.type === "control" ? "" : " " + edge.type}`));
  };
  return [
    make("h3", {}, title),
    make(
        "ul", {}, edges.slice(0, kMost).map(entry),
        edges.length > kMost ? make("li", {}, `and ${edges.length - kMost} more`) : null)
  ];
}

const facts = (entries) => make(
    "dl", {},
    entries.filter(([, value]) => value !== "" && value !== null && value !== undefined)
        .map(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));

function pathTo(view, id) {
  const boxes = view.model.around(id).slice(0, -1).reverse();
  return boxes.length ?
      make(
          "p", {class: "path"}, "in ",
          boxes.flatMap(
              (box, i) =>
                  [i ? " › " : "", nameButton(view, box.id, `${kMarks[box.kind]} ${box.title}`)])) :
      null;
}

function nodeDetails(view, node) {
  const constants = node.constants || [];
  return [
    make("h2", {}, titleOf(node)),
    pathTo(view, node.id),
    facts([
      ["op", node.op], ["gives", node.types.join(", ")],
      ["device", devices.length ? deviceName(node.rank) : ""], ["place", node.place || ""],
      ...Object.entries(node.attributes || {})
    ]),
    make("button", {onclick: () => showLines(node.name)}, "show its lines"),
    edgeList(view, "takes", node.inputs, "from"),
    constants.length ?
        [
          make("h3", {}, "constants"),
          make(
              "ul", {},
              constants.map(
                  (constant) => make(
                      "li", {}, `operand ${constant.operand}: `, make("b", {}, constant.name), " ",
                      make("span", {class: "type"}, constant.value))))
        ] :
        [],
    edgeList(view, "gives to", node.outputs, "to"),
  ];
}

function boxDetails(view, box) {
  const codelet = report.codelets.find((row) => row.symbol === box.note);
  const timed = times.codelets.find((row) => row.symbol === box.note);
  const verdict = report.loops.find(
      (row) => row.kind === box.kind && row.name === box.name && row.signature === view.model.name);
  return [
    make("h2", {}, `${kMarks[box.kind]} ${titleOf(box)}`),
    pathTo(view, box.id),
    facts([
      ["kind", box.kind], ["ops", box.size.toLocaleString("en")],
      ["runs", box.kind === "loop" ? box.note : ""],
      ["symbol", box.kind === "codelet" ? box.note : ""],
      ["code", codelet ? bytesText(codelet.codeBytes) : ""],
      ["compiled in", timed ? timeText(timed.milliseconds) : ""],
      ["used by", codelet && codelet.nodes > 1 ? count(codelet.nodes, "codelet") : ""],
      ["verdict", verdict ? (verdict.collapsed ? codeText(verdict) : `tokens: ${verdict.why}`) : ""],
      ["carries", verdict && verdict.carried ? verdict.carried.join(", ") : ""]
    ]),
    make("button", {onclick: () => view.toggle(box.id)}, view.isOpen(box.id) ? "close" : "open"),
  ];
}

function showDetails(view, id) {
  const panel = byId("details");
  if (!id || id === "b0") {
    panel.replaceChildren(make(
        "p", {class: "note"},
        "Click a node or box for its details, a closed box once more to open it; ",
        "a double click on its title closes it. Drag moves the picture, the wheel zooms."));
    return;
  }
  const thing = view.model.thing(id);
  panel.replaceChildren(...(id[0] === "n" ? nodeDetails(view, thing) : boxDetails(view, thing))
                            .flat(Infinity)
                            .filter(Boolean));
  panel.scrollTop = 0;
}
