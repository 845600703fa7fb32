// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The picture of one graph: what is open, where it stands, and how one moves in it.
const kShownAtFirst = 110, kMostShown = 3000;
const kReadable = 0.78;  // zoom

class GraphView {
  constructor(model, onSelect) {
    this.model = model;
    this.onSelect = onSelect;
    this.selected = null;
    this.canvas = byId("canvas");
    this.openAtFirst();
  }

  isOpen = (id) => this.open.has(id);
  isVisible = (id) => this.model.around(id).every((box) => this.open.has(box.id));
  // What stands for something in the picture: itself, or the outermost closed box around it.
  shownFor(id) {
    for (const box of this.model.around(id).reverse())
      if (!this.open.has(box.id)) return box.id;
    return id;
  }

  // From the outside, as long as it stays clear; codelets last. Boxes come in the order of their
  // depth.
  openAtFirst() {
    this.open = new Set(["b0"]);
    let shown = this.model.boxes[0].children.length;
    const boxes = this.model.boxes.slice(1), isCodelet = (box) => box.kind === "codelet";
    for (const box of [...boxes.filter((box) => !isCodelet(box)), ...boxes.filter(isCodelet)]) {
      const more = box.children.length - 1;
      if (!this.isVisible(box.id) || shown + more > kShownAtFirst) continue;
      this.open.add(box.id);
      shown += more;
    }
  }
  openAll() {
    let shown = 0;
    this.open = new Set();
    for (const box of this.model.boxes) {
      shown += box.children.length;
      if (shown > kMostShown) break;
      this.open.add(box.id);
    }
    this.render();
    this.fit(kReadable);
  }
  closeAll() {
    this.open = new Set(["b0"]);
    this.render();
    this.fit(kReadable);
  }
  toggle(id) {
    if (id === "b0") return;
    const before = this.place.get(id);
    const screen = before && {x: before.x * this.zoom + this.x, y: before.y * this.zoom + this.y};
    if (!this.open.delete(id)) this.open.add(id);
    this.render();
    // What was clicked stays under the pointer.
    const after = this.place.get(id);
    if (screen && after)
      this.moveTo(screen.x - after.x * this.zoom, screen.y - after.y * this.zoom);
    this.select(id);
  }

  select(id, center) {
    this.selected = id;
    if (id && !this.isVisible(id)) {
      for (const box of this.model.around(id)) this.open.add(box.id);
      this.render();
    }
    if (id && center) this.center(id);
    this.mark();
    this.onSelect(id);
  }

  render() {
    const layout = layOut(this.model, this.model.boxes[0], this.isOpen);
    this.place = new Map();
    this.bends = new Map();
    this.spread("b0", layout, 0, 0);
    this.size = {w: layout.w, h: layout.h};
    this.boxes = draw("g", {class: "boxes"});
    this.lines = draw("g", {class: "lines"});
    this.items = draw("g", {class: "items"});
    for (const id of this.place.keys())
      if (id !== "b0") this.drawItem(id);
    this.drawEdges();
    this.world = draw("g", {}, this.boxes, this.lines, this.items);
    this.canvas.replaceChildren(arrowHeads(), this.world);
    this.mark();
    this.tellShown();
    if (this.zoom) this.moveTo(this.x, this.y);
  }

  // Absolute places: centre and top.
  spread(id, layout, left, top) {
    this.place.set(id, {x: left + layout.w / 2, y: top, w: layout.w, h: layout.h});
    for (const [child, at] of layout.at) {
      if (child[0] === "~") {
        this.bends.set(id + child, {x: left + at.x, top: top + at.y, bottom: top + at.y + at.h});
        continue;
      }
      this.place.set(child, {x: left + at.x, y: top + at.y, w: at.w, h: at.h, rest: at.rest});
      const inner = layout.inner.get(child);
      if (inner) this.spread(child, inner, left + at.x - at.w / 2, top + at.y);
    }
  }

  drawItem(id) {
    const thing = this.model.thing(id), at = this.place.get(id), open = this.open.has(id);
    const isBox = id[0] === "b";
    const rect = (extra) => draw("rect", {
      x: -at.w / 2,
      width: at.w,
      height: at.h,
      rx: isBox || !isPill(thing) ? 6 : at.h / 2,
      ...extra
    });
    const text = (y, label, style) =>
        draw("text", {y, class: style, "text-anchor": "middle"}, label);
    const item = draw("g", {
      class: `item ${
          isBox ? "box " + thing.kind + (open ? " open" : " closed") : "node " + familyOf(thing)}`,
      "data-id": id,
      transform: `translate(${at.x},${at.y})`,
      tabindex: -1,
      role: "button",
      "aria-label": isBox ?
          `${thing.kind} ${thing.title}, ${count(thing.size, "op")}, ${open ? "open" : "closed"}` :
          `${thing.op} ${thing.name}`,
    });
    if (isBox && open) {
      item.append(
          rect(),
          draw("rect", {class: "grip", x: -at.w / 2, width: at.w, height: kBoxTitle, rx: 6}),
          draw(
              "text", {x: -at.w / 2 + 10, y: 17, class: "label"},
              `${kMarks[thing.kind]} ${
                  clip(thing.kind === "codelet" ? shortName(thing.title) : thing.title, 48)}`,
              draw("tspan", {class: "small", dx: 8}, boxNote(thing))));
      this.boxes.append(item);
    } else {
      if (isBox) item.append(rect({class: "behind", transform: "translate(4,4)"}));
      item.append(rect());
      if (!thing.small)
        item.append(text(15, thing.label, "small"));
      else
        item.append(
            text(
                at.h / 2 - 3, isBox ? `${kMarks[thing.kind]} ${thing.label}` : thing.label,
                "label"),
            text(at.h / 2 + 11, thing.small, "small"));
      this.items.append(item);
    }
    item.prepend(draw(
        "title", {},
        isBox ? `${thing.kind} ${thing.name || thing.title}` :
                `${thing.name}\n${thing.op} → ${thing.types.join(", ") || "nothing"}`));
  }

  drawEdges() {
    const drawn = new Map();
    for (const edge of this.model.edges) {
      const pieces = edge.pieces.filter(
          (piece) => this.place.has("b" + piece.box) && this.open.has("b" + piece.box));
      if (!pieces.length) continue;
      const from = pieces[0].from, to = pieces[pieces.length - 1].to;
      const key = `${from} ${to} ${edge.kind}`;
      if (drawn.has(key)) {
        drawn.get(key).edges.push(edge);
        continue;
      }
      const line = draw("path", {
        class: "edge " + edge.kind,
        d: this.pathOf(pieces),
        "marker-end": `url(#arrow-${edge.kind})`,
        "data-from": from,
        "data-to": to
      });
      drawn.set(key, {line, edges: [edge]});
      this.lines.append(line);
    }
    for (const {line, edges} of drawn.values())
      line.append(draw(
          "title", {},
          `${edges[0].kind} ${edges.length === 1 ? edges[0].type : count(edges.length, "edge")}`));
  }

  pathOf(pieces) {
    const points = [];
    const add = (x, y, direction) => points.push({x, y, direction});
    for (const {box, from, to} of pieces) {
      const model = this.model.boxes[box], frame = this.place.get("b" + box);
      const bends =
          (model.route.get(from + ">" + to) || []).map((bend) => this.bends.get("b" + box + bend));
      const isBack =
          from !== "above" && to !== "below" && model.layerOf.get(from) >= model.layerOf.get(to);
      const start = this.place.get(from), end = this.place.get(to);
      if (from === "above") {
        if (!points.length) add(frame.x, frame.y, 1);
        add(bends.length ? bends[0].x : end.x, frame.y + kBoxTitle, 1);
      } else if (!points.length || !this.open.has(from)) {
        add(start.x, start.y + start.h, 1);
      }
      // Out of the layer straight down, past neighbours that are higher.
      if (from !== "above" && start.rest)
        add(points[points.length - 1].x, start.y + start.h + start.rest, 1);
      for (const bend of bends)
        if (isBack)
          add(bend.x, bend.bottom, -1), add(bend.x, bend.top, -1);
        else
          add(bend.x, bend.top, 1), add(bend.x, bend.bottom, 1);
      if (to === "below")
        add(bends.length ? bends[bends.length - 1].x : start.x, frame.y + frame.h, 1);
      // An open box is entered where its inner line begins, not in its middle.
      else if (!this.open.has(to)) {
        if (end.rest) add(end.x, end.y - end.rest, 1);
        add(end.x, end.y, 1);
      }
    }
    let path = `M${points[0].x},${points[0].y}`;
    for (let i = 1; i < points.length; ++i) {
      const p = points[i - 1], q = points[i];
      const reach = p.direction === q.direction && p.x === q.x ?
          0 :
          Math.max(12, Math.min(60, Math.abs(q.y - p.y) / 2));
      path += reach ?
          `C${p.x},${p.y + p.direction * reach} ${q.x},${q.y - q.direction * reach} ${q.x},${q.y}` :
          `L${q.x},${q.y}`;
    }
    return path;
  }

  // Shows what is selected, and the edges at it.
  mark() {
    const shown = this.selected && this.shownFor(this.selected);
    for (const element of this.canvas.querySelectorAll(".selected, .on"))
      element.classList.remove("selected", "on");
    if (!shown) return;
    const escaped = CSS.escape(shown);
    for (const item of this.canvas.querySelectorAll(`[data-id="${escaped}"]`))
      item.classList.add("selected");
    for (const line of this.canvas.querySelectorAll(
             `[data-from="${escaped}"], [data-to="${escaped}"]`)) {
      line.classList.add("on");
      line.parentNode.append(line);
    }
  }

  tellShown() {
    const boxes =
        this.model.boxes.filter((box) => this.place.has(box.id) && !this.open.has(box.id));
    const hidden = boxes.reduce((sum, box) => sum + box.size, 0);
    const all = this.model.nodes.length;
    byId("shown").textContent =
        `${(all - hidden).toLocaleString("en")} of ${count(all, "op")} drawn` +
        (hidden ? `, ${hidden.toLocaleString("en")} in ${count(boxes.length, "closed box")}` : "") +
        (this.model.constants ?
             `; ${count(this.model.constants, "constant")} not drawn, see their users` :
             "");
  }

  moveTo(x, y) {
    this.x = x;
    this.y = y;
    this.world.setAttribute("transform", `translate(${x},${y}) scale(${this.zoom})`);
  }
  zoomBy(factor, x, y) {
    const area = this.canvas.getBoundingClientRect();
    x ??= area.width / 2;
    y ??= area.height / 2;
    const zoom = Math.min(4, Math.max(0.02, this.zoom * factor)), change = zoom / this.zoom;
    this.zoom = zoom;
    this.moveTo(x - (x - this.x) * change, y - (y - this.y) * change);
  }
  // All of it, or at least `smallest`: then its beginning.
  fit(smallest = 0) {
    const area = this.canvas.getBoundingClientRect();
    const fits = Math.min(1.25, (area.width - 24) / this.size.w, (area.height - 24) / this.size.h);
    this.zoom = Math.max(fits, smallest);
    const w = this.size.w * this.zoom, h = this.size.h * this.zoom;
    this.moveTo((area.width - w) / 2, h < area.height ? (area.height - h) / 2 : 12);
  }
  center(id) {
    const area = this.canvas.getBoundingClientRect(), at = this.place.get(id);
    this.zoom = Math.min(1.4, Math.max(0.8, this.zoom));
    this.moveTo(
        area.width / 2 - at.x * this.zoom,
        area.height / 2 - (at.y + Math.min(at.h, 200) / 2) * this.zoom);
  }
}
