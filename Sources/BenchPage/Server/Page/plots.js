/// Plots of yields and speeds.
import {
  FINAL, FIRST_PASS, day, hide, make, moment, percent, put, same, setText, visible, span, speed, yieldOf,
} from "./words.js";
import { draw } from "./page.js";

const shape = (tag, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = visible(text);
  return element;
};
/// A figure with a title, and a picture that is drawn for the width of its box: `paint` gets the picture, and
/// the area inside the axes in pixels.
const plot = (name, paint) => {
  const parts = { box: make("figure", "plot " + name), title: make("figcaption"), picture: shape("svg", { role: "img", "aria-label": "nothing to show yet", preserveAspectRatio: "xMinYMid meet" }), keys: make("p", "keys") };
  put(parts.box, parts.title, parts.picture, parts.keys);
  parts.draw = () => {
    const width = Math.floor(parts.picture.getBoundingClientRect().width), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (!width) return;
    const height = Math.round(11.5 * rem), area = { left: 3.4 * rem, right: width - 0.8 * rem, top: 1.5 * rem, bottom: height - 2.7 * rem, rem };
    parts.picture.setAttribute("viewBox", "0 0 " + width + " " + height);
    parts.picture.replaceChildren();
    paint(parts, area);
  };
  new ResizeObserver(parts.draw).observe(parts.box);
  return parts;
};
/// Axes with their titles; ticks are pairs of a place in pixels and a text.
const axes = (picture, area, vertical, horizontal, words) => {
  const { left, right, top, bottom, rem } = area;
  for (const [y, text] of vertical) put(picture, shape("path", { class: "grid", d: "M" + left + " " + y + "H" + right }), shape("text", { x: left - 0.4 * rem, y: y + 0.25 * rem, "text-anchor": "end" }, text));
  for (const [x, text, anchor] of horizontal) put(picture, shape("path", { class: "axis", d: "M" + x + " " + bottom + "v4" }), shape("text", { x, y: bottom + 1.1 * rem, "text-anchor": anchor || "middle" }, text));
  put(picture, shape("path", { class: "axis", d: "M" + left + " " + top + "V" + bottom + "H" + right }), shape("text", { class: "name", x: 0, y: 0.8 * rem }, words[0]),
    shape("text", { class: "name", x: right, y: bottom + 2.3 * rem, "text-anchor": "end" }, words[1]));
};
/// First-pass and final yield over orders or runs, with the values as a table.
export const yieldPlot = () => {
  let points = [], over = "orders", given = [[], []];
  const SERIES = [["first_pass", "first", "first-pass yield"], ["final", "final", "final yield"]];
  const parts = plot("yields", ({ picture }, area) => {
    const lowest = Math.min(...points.flatMap((p) => SERIES.map(([name]) => p[name].passed / p[name].counted)));
    const floor = lowest < 0.5 ? 0 : Math.min(0.9, Math.floor(lowest * 10) / 10), step = floor >= 0.9 ? 0.02 : floor >= 0.7 ? 0.05 : floor >= 0.5 ? 0.1 : 0.2;
    const y = (share) => area.bottom - (share - floor) / (1 - floor) * (area.bottom - area.top), gap = (area.right - area.left) / points.length;
    // Where gaps are narrow, the last name ends at the right edge instead of being centred, and so is nearer to the name
    // before it.
    const isTight = gap < 4 * area.rem, x = (index) => area.left + gap * (index + 0.5), every = Math.ceil((isTight ? 10 * area.rem - gap / 2 : 6.5 * area.rem) / gap);
    const levels = Array.from({ length: Math.round((1 - floor) / step) + 1 }, (_, i) => floor + i * step);
    axes(picture, area, levels.map((share) => [y(share), Math.round(share * 100) + " %"]), points.flatMap((p, i) => (points.length - 1 - i) % every ? [] : [isTight && i === points.length - 1 ? [area.right, p.name, "end"] : [x(i), p.name]]),
      ["share of units that passed", over + ", the latest at the right"]);
    for (const [name, key] of SERIES) {
      const places = points.map((p, i) => [x(i), y(p[name].passed / p[name].counted)]);
      put(picture, shape("path", { class: "curve " + key, d: "M" + places.map((place) => place.join(" ")).join("L") }));
      places.forEach(([cx, cy], i) => {
        const dot = key === "first" ? shape("circle", { class: "dot " + key, cx, cy, r: 4 }) : shape("rect", { class: "dot " + key, x: cx - 3.5, y: cy - 3.5, width: 7, height: 7 });
        put(picture, put(dot, shape("title", {}, points[i].name + ", " + (key === "first" ? "first pass " : "final ") + yieldOf(points[i][name]))));
      });
    }
  });
  const choice = make("select"), values = make("details"), rows = make("tbody"), head = make("tr");
  choice.setAttribute("aria-label", "Yields over");
  for (const name of ["orders", "runs"]) { const option = make("option", "", "over " + name); option.value = name; put(choice, option); }
  for (const text of ["", "began", "first pass", "final"]) { const th = make("th", "", text || "order or run"); th.scope = "col"; put(head, th); }
  put(values, make("summary", "", "Values and definitions"), make("p", "dim", FIRST_PASS + " " + FINAL), put(make("table"), put(make("thead"), head), rows));
  put(parts.keys, ...SERIES.map(([, key, text]) => { const sign = shape("svg", { viewBox: "0 0 24 10", class: "sign", "aria-hidden": "true" });
    put(sign, shape("path", { class: "curve " + key, d: "M0 5H24" }), key === "first" ? shape("circle", { class: "dot first", cx: 12, cy: 5, r: 4 }) : shape("rect", { class: "dot final", x: 8.5, y: 1.5, width: 7, height: 7 })); return put(make("span"), sign, text); }), choice);
  put(parts.box, values);
  const show = (orders, runs) => {
    given = [orders, runs];
    hide(choice, !runs.length);
    if (!runs.length) over = "orders";
    const all = over === "runs" ? runs.map((r) => ({ ...r, name: day(r.began).slice(5, 16), note: r.order })) : orders.map((o) => ({ ...o, name: o.number }));
    points = all.filter((p) => p.first_pass.counted && p.final.counted).sort((a, b) => (a.began || 0) - (b.began || 0)).slice(-40);
    hide(parts.box, !points.length);
    if (!points.length || same(parts.box, JSON.stringify([over, points]))) return;
    const last = points[points.length - 1];
    setText(parts.title, "Yields over " + over + ": the latest " + percent(last.first_pass.passed / last.first_pass.counted) + " first pass, " + percent(last.final.passed / last.final.counted) + " final");
    parts.picture.setAttribute("aria-label", "Yields over " + points.length + " " + over + "; the values are in the table below");
    rows.replaceChildren(...[...points].reverse().map((p) => put(make("tr"), put(make("td"), make("bdi", "", p.name + (p.note ? ", " + p.note : ""))), put(make("td"), p.began ? moment(p.began) : ""), make("td", "", yieldOf(p.first_pass)), make("td", "", yieldOf(p.final)))));
    parts.draw();
  };
  choice.addEventListener("change", () => { over = choice.value; show(...given); });
  parts.box.hidden = true;
  return { box: parts.box, show };
};

/// The most that a link of one adapter carries: packets of 251 octets back to back, with 244 bytes of firmware each, take 2468 µs
/// over LE 1M and 1392 µs over LE 2M, with the receiver's empty packets and the spaces between packets.
const CEILINGS = [["LE 1M", 244 / 2468e-6], ["LE 2M", 244 / 1392e-6]];
/// The speed of a run over its time, and the ceiling of its adapters.
export const speedPlot = () => {
  let speeds = [], step = 1, now = 0, adapters = 0, most = 0;
  const ceiling = () => { const [phy, each] = CEILINGS.find(([, each]) => each * adapters >= most) || CEILINGS[1]; return { phy, bytes: each * adapters }; };
  const parts = plot("speed", ({ picture }, area) => {
    const top = ceiling(), isFar = !top.bytes || top.bytes > most * 6, highest = isFar ? most * 1.25 : top.bytes * 1.08, total = Math.max(step * speeds.length, 1);
    const x = (seconds) => area.left + seconds / total * (area.right - area.left), y = (bytes) => area.bottom - bytes / highest * (area.bottom - area.top);
    const nice = (range, count, steps) => { const unit = steps || [1, 2, 5], power = steps ? 1 : 10 ** Math.floor(Math.log10(range / count)); return unit.map((n) => n * power).find((n) => range / n <= count) || (steps ? Math.ceil(range / count / 3600) * 3600 : 10 * power); };
    const high = nice(highest / 1000, 4) * 1000, wide = nice(total, Math.max(2, Math.floor((area.right - area.left) / area.rem / 5)), [5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600]);
    axes(picture, area, Array.from({ length: Math.floor(highest / high) + 1 }, (_, i) => [y(i * high), String(Math.round(i * high / 10) / 100)]),
      Array.from({ length: Math.floor(total / wide) + 1 }, (_, i) => [x(i * wide), span(i * wide)]), ["kB/s, all units together", total >= 3600 ? "time since the run began, h:min" : "time since the run began, min:s"]);
    let line = "";
    speeds.forEach((bytes, i) => { line += (i ? "L" : "M") + x(i * step) + " " + y(bytes) + "H" + x((i + 1) * step); });
    put(picture, shape("path", { class: "under", d: line + "V" + area.bottom + "H" + area.left + "Z" }), shape("path", { class: "curve first", d: line }));
    if (!isFar) put(picture, shape("path", { class: "curve ceiling", d: "M" + area.left + " " + y(top.bytes) + "H" + area.right }));
  });
  const summary = make("summary"), box = put(make("details", "course"), summary, parts.box);
  const show = (bench) => {
    const course = bench.course;
    hide(box, !course);
    if (!course) return;
    const list = Object.keys(course.speeds).map(Number).sort((a, b) => a - b).map((i) => course.speeds[i]);
    adapters = bench.adapters.length;
    now = bench.past ? 0 : bench.figures.bytes_per_second;
    most = Math.max(...list, 1);
    [speeds, step] = [list, course.step];
    const top = ceiling(), peak = "at most " + speed(most), limit = adapters ? "Ceiling of " + adapters + (adapters === 1 ? " adapter" : " adapters") + " over " + top.phy + ": " + speed(top.bytes) : "";
    setText(summary, "Speed over time: " + (bench.past ? "" : speed(now) + " now, ") + peak);
    if (!box.open || same(box, JSON.stringify([list, step, adapters]))) return;
    setText(parts.title, "Speed of all units together");
    parts.picture.setAttribute("aria-label", "Speed over " + span(step * list.length) + ": " + peak + ". " + limit);
    parts.keys.replaceChildren(put(make("span"), shape("svg", { class: "sign", viewBox: "0 0 24 10", "aria-hidden": "true" }), "speed, " + (step === 1 ? "each second" : "averages of " + step + " s")), make("span", "", limit && limit + (top.bytes > most * 6 ? ", above this scale" : "")));
    put(parts.keys.querySelector("svg"), shape("path", { class: "curve first", d: "M0 5H24" }));
    if (limit) { const sign = shape("svg", { class: "sign", viewBox: "0 0 24 10", "aria-hidden": "true" }); put(sign, shape("path", { class: "curve ceiling", d: "M0 5H24" })); parts.keys.lastElementChild.prepend(sign); }
    parts.draw();
  };
  box.addEventListener("toggle", draw);
  return { box, show };
};
