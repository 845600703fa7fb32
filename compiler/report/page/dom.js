// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements, numbers as text, and the data of the page. Names of nodes only ever become text nodes.
const report = JSON.parse(document.getElementById("facts-data").textContent);
const times = JSON.parse(document.getElementById("times-data").textContent);

const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on"))
      node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}
const make = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const count = (n, word) => `${n.toLocaleString("en")} ${word}${
    n === 1                 ? "" :
        /(h|x)$/.test(word) ? "es" :
                              "s"}`;

function bytesText(n) {
  if (n === null || n === undefined) return "?";
  if (n < 1024) return `${n} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let unit = -1;
  for (; n >= 1024 && unit < units.length - 1; ++unit) n /= 1024;
  return `${n.toFixed(n < 10 ? 1 : 0)} ${units[unit]}`;
}
const timeText = (ms) =>
    (ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`);

// A table with a head; cells that are numbers stand right.
function table(head, rows, attributes) {
  const cell = (value) => make(
      "td", typeof value === "number" ? {class: "number"} : {},
      typeof value === "number" ? value.toLocaleString("en") : value);
  return make(
      "div", {class: "scroll"},
      make(
          "table", attributes || {},
          make("thead", {}, make("tr", {}, head.map((text) => make("th", {scope: "col"}, text)))),
          make("tbody", {}, rows.map((row) => make("tr", {}, row.map(cell))))));
}
const note = (...text) => make("p", {class: "note"}, ...text);
const heading = (text) => make("h2", {}, text);

const devices = report.program.devices;
function deviceName(rank) {
  if (!devices.length) return "this machine";
  const full = devices[rank] ? devices[rank].name : "";
  const task = /task:(\d+)\/device:(\w+:\d+)/.exec(full);
  return task ? `${rank}: task ${task[1]} ${task[2]}` : `${rank}: ${full}`;
}
