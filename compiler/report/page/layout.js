// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From layers and orders, which the compiler has found, to coordinates. A box is laid out from the
// inside; what is closed has a fixed size, so opening one only moves what is around it.
const kNodeHeight = 36, kPillHeight = 22, kBoxTitle = 26, kPadding = 14;
const kLayerGap = 30, kItemGap = 18, kBendWidth = 6, kShortest = 46, kLongestLabel = 26;

const pen = document.createElement("canvas").getContext("2d");
function textWidth(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}
const kLabelFont = "600 12px system-ui, sans-serif", kSmallFont = "11px system-ui, sans-serif";
const clip = (text, most = kLongestLabel) =>
    text.length > most ? text.slice(0, most / 2) + "…" + text.slice(1 - most / 2) : text;

// A graph of the report with what can be derived from it once.
class Model {
  constructor(graph) {
    Object.assign(this, graph);
    this.boxes.forEach((box, i) => {
      box.id = "b" + i;
      box.children = [];
      box.links = new Map();
      box.route = new Map(box.routes.map((route) => [route.from + ">" + route.to, route.bends]));
      box.layerOf = new Map();
      box.layers.forEach((layer, y) => layer.items.forEach((item) => box.layerOf.set(item, y)));
      box.depth = i ? this.boxes[box.parent].depth + 1 : 0;
      box.size = 0;
      if (i) this.boxes[box.parent].children.push(box.id);
    });
    this.nodes.forEach((node, i) => {
      node.id = "n" + i;
      node.inputs = [];
      node.outputs = [];
      this.boxes[node.box].children.push(node.id);
      for (let b = node.box;; b = this.boxes[b].parent) {
        ++this.boxes[b].size;
        if (!b) break;
      }
    });
    for (const edge of this.edges) this.addEdge(edge);
  }

  addEdge(edge) {
    this.nodes[edge.from].outputs.push(edge);
    this.nodes[edge.to].inputs.push(edge);
    // The pieces of the edge, one in each box that it passes, from its start to its end.
    const up = [], down = [];
    let fromBox = this.nodes[edge.from].box, from = "n" + edge.from;
    let toBox = this.nodes[edge.to].box, to = "n" + edge.to;
    while (fromBox !== toBox) {
      if (this.boxes[fromBox].depth >= this.boxes[toBox].depth) {
        up.push({box: fromBox, from, to: "below"});
        from = "b" + fromBox;
        fromBox = this.boxes[fromBox].parent;
      } else {
        down.unshift({box: toBox, from: "above", to});
        to = "b" + toBox;
        toBox = this.boxes[toBox].parent;
      }
    }
    edge.pieces = from === to ? [] : [...up, {box: fromBox, from, to}, ...down];
    for (const piece of edge.pieces)
      this.boxes[piece.box].links.set(piece.from + ">" + piece.to, piece);
  }

  thing(id) {
    return id[0] === "n" ? this.nodes[+id.slice(1)] : this.boxes[+id.slice(1)];
  }
  // The boxes around something, the innermost first.
  around(id) {
    const thing = this.thing(id), result = [];
    for (let b = id[0] === "n" ? thing.box : thing.parent;; b = this.boxes[b].parent) {
      result.push(this.boxes[b]);
      if (!b) return result;
    }
  }
}

const shortName = (name) => name.slice(name.lastIndexOf("/") + 1) || name;
const isPill = (node) => /^(flow|wire)\./.test(node.op);

function sizeOf(thing) {
  if (thing.size) {
    // a closed box
    thing.label = clip(thing.kind === "codelet" ? shortName(thing.title) : thing.title);
    thing.small = `${thing.kind} · ${count(thing.size, "op")}`;
    return {
      w: Math.max(
             kShortest, textWidth(thing.label, kLabelFont), textWidth(thing.small, kSmallFont)) +
          36,
      h: 44
    };
  }
  const op = thing.op.slice(thing.op.indexOf(".") + 1);
  if (isPill(thing)) {
    const port = /^flow\.(feed|fetch|target)$/.test(thing.op) && thing.attributes;
    thing.label = clip(port ? `${op} ${port.name}` : op.replace(/_/g, " "));
    return {w: Math.max(kShortest, textWidth(thing.label, kSmallFont) + 22), h: kPillHeight};
  }
  thing.label = clip(shortName(thing.name) || op);
  thing.small = op;
  return {
    w: Math.max(kShortest, textWidth(thing.label, kLabelFont), textWidth(op, kSmallFont)) + 18,
    h: kNodeHeight
  };
}

// Places in order, as near as can be to what each wants, that keep their distance: neighbours that
// want to pass each other share the mean of their wishes.
function settle(wanted, weights, halves, gap) {
  const blocks = [], offsets = [];
  let offset = 0;
  for (let i = 0; i < wanted.length; ++i) {
    if (i) offset += halves[i - 1] + gap[i] + halves[i];
    offsets.push(offset);
    let block = {mean: wanted[i] - offset, weight: weights[i], size: 1};
    while (blocks.length && blocks[blocks.length - 1].mean > block.mean) {
      const last = blocks.pop(), weight = last.weight + block.weight;
      block = {
        mean: (last.mean * last.weight + block.mean * block.weight) / weight,
        weight,
        size: last.size + block.size
      };
    }
    blocks.push(block);
  }
  const places = [];
  for (const block of blocks)
    for (let i = 0; i < block.size; ++i) places.push(block.mean + offsets[places.length]);
  return places;
}

function neighboursIn(box) {
  const above = new Map(), below = new Map();
  const join = (up, down) => {
    (below.get(up) || below.set(up, []).get(up)).push(down);
    (above.get(down) || above.set(down, []).get(down)).push(up);
  };
  for (const [key, link] of box.links) {
    let path = [link.from, ...(box.route.get(key) || []), link.to].filter(
        (id) => id !== "above" && id !== "below");
    if (box.layerOf.get(link.from) >= box.layerOf.get(link.to)) path = path.slice(1, -1).reverse();
    for (let i = 1; i < path.length; ++i) join(path[i - 1], path[i]);
  }
  return {above, below};
}

// Relative places of what is in an open box: {w, h, at: id → {x, y, w, h}}.
function layOut(model, box, isOpen) {
  const at = new Map(), inner = new Map();
  for (const id of box.children) {
    const thing = model.thing(id);
    if (id[0] === "b" && isOpen(id)) inner.set(id, layOut(model, thing, isOpen));
    at.set(id, {...(inner.get(id) || sizeOf(thing))});
  }
  let y = box.id === "b0" ? kPadding : kBoxTitle + kPadding;
  const layers = box.layers.map((layer) => layer.items);
  for (const layer of layers) {
    let h = 0;
    for (const id of layer) {
      if (id[0] === "~") at.set(id, {w: kBendWidth, h: 0});
      h = Math.max(h, at.get(id).h);
    }
    for (const id of layer) {
      const place = at.get(id);
      if (id[0] === "~") place.h = h;
      place.y = y + (h - place.h) / 2;
      place.rest = (h - place.h) / 2;  // of its layer, above and below it
    }
    y += h + kLayerGap + Math.min(24, layer.length * 2);
  }
  placeAcross(layers, at, neighboursIn(box));
  let left = Infinity, right = -Infinity;
  for (const place of at.values()) {
    left = Math.min(left, place.x - place.w / 2);
    right = Math.max(right, place.x + place.w / 2);
  }
  const title = textWidth(box.title, kLabelFont) + textWidth(boxNote(box), kSmallFont) + 60;
  const missing = Math.max(0, Math.min(title, 360) - (right - left)) / 2;
  for (const place of at.values()) place.x += kPadding - left + missing;
  return {w: right - left + 2 * (kPadding + missing), h: y - kLayerGap + kPadding, at, inner};
}

function placeAcross(layers, at, {above, below}) {
  const gapsOf = (layer) =>
      layer.map((id, i) => (i && id[0] === "~" && layer[i - 1][0] === "~" ? 6 : kItemGap));
  for (const layer of layers) {
    let x = 0;
    for (const id of layer) {
      at.get(id).x = x + at.get(id).w / 2;
      x += at.get(id).w + kItemGap;
    }
    for (const id of layer) at.get(id).x -= x / 2;
  }
  for (let sweep = 0; sweep < 10; ++sweep) {
    const order = sweep % 2 ? [...layers].reverse() : layers;
    for (const layer of order) {
      const wanted = [], weights = [], halves = [];
      for (const id of layer) {
        const near = sweep > 7 ? [...(above.get(id) || []), ...(below.get(id) || [])] :
                                 (sweep % 2 ? below : above).get(id) || [];
        const own = at.get(id);
        wanted.push(
            near.length ? near.reduce((sum, other) => sum + at.get(other).x, 0) / near.length :
                          own.x);
        weights.push((near.length ? 1 : 0.2) * (id[0] === "~" ? 4 : 1));
        halves.push(own.w / 2);
      }
      settle(wanted, weights, halves, gapsOf(layer)).forEach((x, i) => (at.get(layer[i]).x = x));
    }
  }
}
