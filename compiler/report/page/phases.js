// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases side by side: how many ops of which kind, how long, and the text after two of them.
const panes = [];
let shownNode = null;

const dialectOf = (op) => op.split(".")[0];

function phaseCounts() {
  const dialects = new Map();
  for (const phase of report.phases)
    for (const [op, n] of Object.entries(phase.ops)) {
      if (!dialects.has(dialectOf(op))) dialects.set(dialectOf(op), new Set());
      dialects.get(dialectOf(op)).add(op);
    }
  const sum = (phase, match) =>
      Object.entries(phase.ops).reduce((all, [op, n]) => all + (match(op) ? n : 0), 0);
  const most = Math.max(
      1,
      ...report.phases.flatMap(
          (phase) => [...dialects.keys()].map((d) => sum(phase, (op) => dialectOf(op) === d))));
  const bar = (n) => make(
      "td", {class: "number bar"},
      n ? make("i", {style: `width:${Math.max(1, (n / most) * 100)}%`}) : null,
      n ? n.toLocaleString("en") : "·");
  const row = (label, match, attributes) => make(
      "tr", attributes, make("th", {scope: "row"}, label),
      report.phases.map((phase) => bar(sum(phase, match))));
  const body = make("tbody", {});
  for (const [dialect, ops] of [...dialects].sort()) {
    const inner =
        [...ops].sort().map((op) => row(op, (other) => other === op, {class: "inner", hidden: ""}));
    const button = make(
        "button", {
          class: "link",
          "aria-expanded": "false",
          onclick: () => {
            const open = button.getAttribute("aria-expanded") !== "true";
            button.setAttribute("aria-expanded", open);
            inner.forEach((line) => (line.hidden = !open));
          }
        },
        dialect);
    body.append(row(button, (op) => dialectOf(op) === dialect, {}), ...inner);
  }
  const slowest = Math.max(0.001, ...times.phases.map((phase) => phase.milliseconds));
  body.append(
      row(make("b", {}, "all ops"), () => true, {}),
      make(
          "tr", {class: "times"}, make("th", {scope: "row"}, "time"),
          times.phases.map(
              (phase) => make(
                  "td", {class: "number bar"},
                  make("i", {style: `width:${(phase.milliseconds / slowest) * 100}%`}),
                  timeText(phase.milliseconds)))));
  return make(
      "div", {class: "scroll"},
      make(
          "table", {class: "phases"},
          make(
              "thead", {},
              make(
                  "tr", {}, make("th", {}, "ops of"),
                  report.phases.map(
                      (phase) => make("th", {scope: "col", title: phase.summary}, phase.name)))),
          body));
}

const kWords = /(%[\w#:]+)|(\b[a-z_]+\.[a-z_]+\b)|("[^"]*")|(tensor<[^>]*>|!flow\.token)/g;
function lineElement(text, number, node) {
  const line = make("div", {class: "line", "data-line": number});
  let last = 0;
  for (const match of text.matchAll(kWords)) {
    line.append(
        text.slice(last, match.index),
        make(
            "span",
            {class: match[1] ? "value" :
                 match[2]    ? "op" :
                 match[3]    ? "string" :
                               "type"},
            match[0]));
    last = match.index + match[0].length;
  }
  line.append(text.slice(last));
  if (node >= 0) line.dataset.node = node;
  return line;
}

class Pane {
  constructor(first) {
    this.choice = make(
        "select", {"aria-label": "phase", onchange: () => this.show()},
        report.phases.map((phase, i) => make("option", {value: i}, `after ${phase.name}`)));
    this.choice.value = first;
    this.text = make("div", {
      class: "ir",
      tabindex: 0,
      onclick: (event) => {
        const line = event.target.closest(".line");
        if (line && line.dataset.node) showLines(report.names[line.dataset.node]);
      }
    });
    this.about = make("span", {class: "note"});
    this.element = make(
        "div", {class: "pane"}, make("div", {class: "bar-of-pane"}, this.choice, this.about),
        this.text);
    this.isFilled = false;
  }
  show() {
    const phase = report.phases[this.choice.value];
    this.text.replaceChildren(
        ...phase.lines.map((line, i) => lineElement(line, i + 1, phase.nodes[i])));
    const left = phase.allLines - phase.lines.length;
    this.left = left ? `; the last ${left.toLocaleString("en")} of ${
                           phase.allLines.toLocaleString("en")} lines are left out` :
                       "";
    this.isFilled = true;
    this.mark();
  }
  mark() {
    this.text.querySelectorAll(".hit").forEach((line) => line.classList.remove("hit"));
    const number = shownNode === null ? -1 : report.names.indexOf(shownNode);
    const hits = number < 0 ? [] : [...this.text.querySelectorAll(`[data-node="${number}"]`)];
    hits.forEach((line) => line.classList.add("hit"));
    this.about.textContent =
        (shownNode === null ? "click a line to see its node in both" :
                              `${count(hits.length, "line")} of ${shownNode}`) +
        this.left;
    if (hits.length) this.text.scrollTop = hits[0].offsetTop - 60;
  }
}

function fillPhases() {
  const section = byId("phases");
  if (!report.phases.length) return;
  panes.push(
      new Pane(0),
      new Pane(Math.max(0, report.phases.findIndex((phase) => phase.name === report.graphPhase))));
  section.append(
      heading("Ops and time of each phase"), phaseCounts(),
      note(
          "Click a dialect to see its ops. ",
          "Times are those of the compilation that wrote this page."),
      heading("What two phases made"),
      make("div", {id: "panes"}, panes.map((pane) => pane.element)));
}
// The text is made when it is first looked at.
function openPhases() {
  for (const pane of panes)
    if (!pane.isFilled) pane.show();
}

function showLines(name) {
  shownNode = name;
  showTab("phases");
  for (const pane of panes) pane.mark();
  if (panes.length) panes[0].element.scrollIntoView({block: "nearest"});
}
