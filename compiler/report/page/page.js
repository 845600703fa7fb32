// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the parts together: tabs, search, mouse and keys. The address says what is shown, as in
// #graph?find=while/add or #phases?find=while/add, so that a view can be linked to.
const kTabs = ["graph", "phases", "wires", "loops", "codelets", "memory"];
const views =
    report.graphs.map((graph) => new GraphView(new Model(graph), (id) => showDetails(view, id)));
let view = views[0];

function showTab(name) {
  for (const tab of kTabs) {
    byId(tab).classList.toggle("shown", tab === name);
    byId("tab-" + tab).setAttribute("aria-selected", tab === name);
    byId("tab-" + tab).tabIndex = tab === name ? 0 : -1;
  }
  if (name === "phases") openPhases();
  if (name === "graph" && view && view.world && !view.zoom) view.fit(kReadable);
}

function showView(index) {
  view = views[index];
  if (!view) return;
  byId("signature").value = index;
  view.zoom = 0;
  view.render();
  drawLegend(view.model);
  showDetails(view, view.selected);
  if (byId("graph").classList.contains("shown")) view.fit(kReadable);
}

// Nodes, boxes and constants whose names hold the text; those that begin with it come first.
function search(text) {
  const wanted = text.toLowerCase(), found = [];
  const add = (id, name, what) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at >= 0) found.push({id, name, what, rank: name.toLowerCase() === wanted ? -1 : at});
  };
  if (!wanted || !view) return [];
  for (const node of view.model.nodes) {
    add(node.id, node.name, node.op);
    for (const constant of node.constants || [])
      add(node.id, constant.name, "constant of " + node.name);
  }
  for (const box of view.model.boxes.slice(1)) add(box.id, box.name || box.title, box.kind);
  return found.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length);
}

function findName(name) {
  for (let i = 0; i < views.length; ++i) {
    const index = (views.indexOf(view) + i) % views.length, before = view;
    view = views[index];
    const found = search(name)[0];
    view = before;
    if (!found) continue;
    if (views[index] !== view) showView(index);
    showTab("graph");
    view.select(found.id, true);
    return true;
  }
  return false;
}

function setUpSearch() {
  const input = byId("find"), list = byId("matches");
  let matches = [], active = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const choose = (match) => {
    close();
    view.select(match.id, true);
  };
  const show = () => {
    const kMost = 30;
    list.hidden = !input.value;
    input.setAttribute("aria-expanded", String(!list.hidden));
    list.replaceChildren(
        ...matches.slice(0, kMost).map(
            (match, i) => make(
                "li", {
                  role: "option",
                  "aria-selected": String(i === active),
                  onmousedown: (event) => (event.preventDefault(), choose(match))
                },
                make("b", {}, match.name), " ", make("span", {class: "type"}, match.what))),
        matches.length > kMost ? make(
                                     "li", {class: "note"},
                                     `and ${(matches.length - kMost).toLocaleString("en")} more`) :
                                 "",
        input.value && !matches.length ? make("li", {class: "note"}, "no node of that name") : "");
  };
  input.addEventListener("input", () => {
    matches = search(input.value);
    active = 0;
    show();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step)
      active = Math.max(0, Math.min(Math.min(matches.length, 30) - 1, active + step)), show(),
      event.preventDefault();
    if (event.key === "Enter" && matches[active]) choose(matches[active]);
    if (event.key === "Escape") close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|SELECT/.test(event.target.tagName))
      showTab("graph"), input.focus(), event.preventDefault();
  });
}

function setUpMouse() {
  const canvas = byId("canvas");
  const idAt = (event) => event.target.closest("[data-id]")?.dataset.id;
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => (drag = {
                                           x: event.clientX - view.x,
                                           y: event.clientY - view.y,
                                           moved: false,
                                           id: idAt(event)
                                         }));
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const x = event.clientX - drag.x, y = event.clientY - drag.y;
    if (!drag.moved && Math.abs(x - view.x) + Math.abs(y - view.y) < 4) return;
    if (!drag.moved) canvas.setPointerCapture(event.pointerId);
    drag.moved = true;
    view.moveTo(x, y);
  });
  canvas.addEventListener("pointerup", () => {
    if (drag && !drag.moved) {
      // A closed box is there to be opened.
      if (drag.id && drag.id === view.selected && drag.id[0] === "b" && !view.isOpen(drag.id))
        view.toggle(drag.id);
      else
        view.select(drag.id || null);
    }
    drag = null;
  });
  canvas.addEventListener("dblclick", (event) => {
    const id = idAt(event);
    if (id && id[0] === "b" && view.isOpen(id) && event.target.classList.contains("grip"))
      view.toggle(id);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const area = canvas.getBoundingClientRect();
    view.zoomBy(
        Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 500)), event.clientX - area.left,
        event.clientY - area.top);
  }, {passive: false});
}

// Tab goes to the picture as a whole; inside n and p step from node to node along the edges.
function setUpKeys() {
  const step = (ends) => {
    const thing = view.selected && view.model.thing(view.selected);
    if (!thing) return view.select(view.model.boxes[0].children[0], true);
    const edges = thing.kind ? [] : thing[ends];
    if (edges.length)
      view.select("n" + (ends === "inputs" ? edges[0].from : edges[0].to), true);
    else if (thing.kind)
      view.select(thing.children[0], true);
  };
  const actions = {
    "+": () => view.zoomBy(1.25),
    "=": () => view.zoomBy(1.25),
    "-": () => view.zoomBy(0.8),
    0: () => view.fit(),
    ArrowLeft: () => view.moveTo(view.x + 60, view.y),
    ArrowRight: () => view.moveTo(view.x - 60, view.y),
    ArrowUp: () => view.moveTo(view.x, view.y + 60),
    ArrowDown: () => view.moveTo(view.x, view.y - 60),
    Enter: () => view.selected && view.selected[0] === "b" && view.toggle(view.selected),
    n: () => step("outputs"),
    p: () => step("inputs"),
    u: () => view.selected && view.select(view.model.around(view.selected)[0].id, true),
    Escape: () => view.select(null),
  };
  byId("canvas").addEventListener("keydown", (event) => {
    if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
  });
  byId("tabs").addEventListener("keydown", (event) => {
    const move = {ArrowRight: 1, ArrowLeft: kTabs.length - 1}[event.key];
    const at = kTabs.findIndex((tab) => byId("tab-" + tab) === event.target);
    if (!move || at < 0) return;
    const next = kTabs[(at + move) % kTabs.length];
    showTab(next);
    byId("tab-" + next).focus();
  });
}

function followAddress() {
  const [tab, rest] = decodeURI(location.hash.slice(1)).split(/\?(.*)/s);
  const wishes = new URLSearchParams((rest || "").replace(/\+/g, "%2B"));
  showTab(kTabs.includes(tab) ? tab : "graph");
  if (!view) return;
  if (wishes.has("signature"))
    showView(Math.max(0, views.findIndex((other) => other.model.name === wishes.get("signature"))));
  if (wishes.get("open") === "all") view.openAll();
  if (wishes.get("open") === "none") view.closeAll();
  if (wishes.has("find") && tab === "phases")
    showLines(wishes.get("find"));
  else if (wishes.has("find") && !findName(wishes.get("find")))
    byId("shown").textContent = `no node '${wishes.get("find")}'`;
}

function start() {
  fillHeader();
  fillPhases();
  fillWires();
  fillLoops();
  fillCodelets();
  fillMemory();
  for (const tab of kTabs) byId("tab-" + tab).addEventListener("click", () => showTab(tab));
  byId("signature")
      .append(...views.map((other, i) => make("option", {value: i}, other.model.name)));
  byId("signature").addEventListener("change", (event) => showView(+event.target.value));
  byId("signature-choice").hidden = views.length < 2;
  byId("zoom-in").addEventListener("click", () => view.zoomBy(1.25));
  byId("zoom-out").addEventListener("click", () => view.zoomBy(0.8));
  byId("fit").addEventListener("click", () => view.fit());
  byId("open-all").addEventListener("click", () => view.openAll());
  byId("close-all").addEventListener("click", () => view.closeAll());
  showTab("graph");
  if (view) {
    showView(0);
    setUpSearch();
    setUpMouse();
    setUpKeys();
  }
  followAddress();
  window.addEventListener("hashchange", followAddress);
  window.addEventListener("beforeprint", openPhases);
}
start();
