// Charts as SVG, drawn for the width that they have.

/** Calls draw(width) now and whenever the width changes; returns what draws it anew. */
function keepDrawn(box, draw) {
  let width = 0;
  const again = () => { if (width) box.replaceChildren(draw(width)); };
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now && now !== width) { width = now; again(); }
  }).observe(box);
  return again;
}

/** An empty chart: `x` and `y` are [low, high]; `at` gives the place of a point. */
function frame({ width, height, x, y, xTitle, yTitle, label }) {
  const margin = { left: 48, right: 14, top: 12, bottom: 44 };
  const scale = ([low, high], from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);
  const sx = scale(x, margin.left, width - margin.right);
  const sy = scale(y, height - margin.bottom, margin.top);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const tick of ticks(x, width < 420 ? 4 : 6)) {
    root.append(
      svg("line", { class: "grid", x1: sx(tick), x2: sx(tick), y1: margin.top, y2: height - margin.bottom }),
      svg("text", { x: sx(tick), y: height - margin.bottom + 18, "text-anchor": "middle", text: plain(tick) }),
    );
  }
  for (const tick of ticks(y, 6)) {
    root.append(
      svg("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: sy(tick), y2: sy(tick) }),
      svg("text", { x: margin.left - 8, y: sy(tick) + 4, "text-anchor": "end", text: plain(tick) }),
    );
  }
  const middle = (height - margin.bottom + margin.top) / 2;
  root.append(
    svg("text", { class: "axis", x: width - margin.right, y: height - 8, "text-anchor": "end", text: xTitle }),
    svg("text", { class: "axis", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})`, text: yTitle }),
  );
  return { root, sx, sy, at: ([a, b]) => [sx(a), sy(b)], box: { ...margin, width, height } };
}

/** Round numbers in a range, about so many. */
function ticks([low, high], wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) found.push(Number((n * step).toPrecision(12)));
  return found;
}

/** The range of the numbers, with [0, 1] when they lie in it. */
function span(numbers) {
  const known = numbers.filter(isNumber);
  let low = Infinity;
  let high = -Infinity;
  for (const number of known) { low = Math.min(low, number); high = Math.max(high, number); }
  if (low > high) return [0, 1];
  if (low >= 0 && high <= 1) return [0, 1];
  const room = (high - low || 1) * 0.04;
  return [low - room, high + room];
}

const dots = (points) => points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

const SHAPES = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  (r) => `M${-r * 0.9} ${-r * 0.9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}Z`,
  (r) => `M0 ${-r * 1.15}L${r * 1.1} ${r * 0.85}H${-r * 1.1}Z`,
  (r) => `M0 ${-r * 1.25}L${r * 1.25} 0L0 ${r * 1.25}L${-r * 1.25} 0Z`,
];
/** Seats differ by shape too, for those who see no difference in colour. */
const shape = (number, radius) => SHAPES[number % SHAPES.length](radius);
const star = (r) => Array.from({ length: 10 }, (_, i) => {
  const [angle, length] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 ? r * 0.42 : r];
  return `${i ? "L" : "M"}${(Math.cos(angle) * length).toFixed(2)} ${(Math.sin(angle) * length).toFixed(2)}`;
}).join("") + "Z";
const marked = (d, [x, y], has) => svg("path", { d, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, ...has });

const legendItem = (mark, text) => el("li", {}, svg("svg", { viewBox: "-14 -8 28 16", "aria-hidden": "true" }, mark), text);

/** Pairs of a flat list of points, as the axes `a` and `b` of points with so many roles. */
function projected(flat, roles, a, b) {
  const found = [];
  for (let i = 0; flat && i < flat.length; i += roles) found.push([flat[i + a], flat[i + b]]);
  return found;
}

/** The outcome space that sessions lie in: bids, frontier, solutions and reservation values. */
function drawSpace(chart, space, a, b) {
  const { root, at, sx, sy, box } = chart;
  const n = space.roles.length;
  root.append(svg("path", { class: "cloud", d: dots(projected(space.points, n, a, b).map(at)) }));
  const frontier = projected(space.frontier, n, a, b).map(at);
  // With more than two roles the frontier is a surface: its points are no line.
  root.append(n === 2 ? svg("path", { class: "frontier", d: path(frontier) }) : svg("path", { class: "frontier-dots", d: dots(frontier) }));
  if (isNumber(space.reservation[a])) root.append(svg("line", { class: "reserve", x1: sx(space.reservation[a]), x2: sx(space.reservation[a]), y1: box.top, y2: box.height - box.bottom }));
  if (isNumber(space.reservation[b])) root.append(svg("line", { class: "reserve", x1: box.left, x2: box.width - box.right, y1: sy(space.reservation[b]), y2: sy(space.reservation[b]) }));
}

function drawSolutions(chart, space, a, b) {
  const { nash, kalai_smorodinsky: kalai } = space.solutions;
  if (kalai) chart.root.append(marked(shape(3, 5), chart.at([kalai[a], kalai[b]]), { class: "star" }));
  if (nash) chart.root.append(marked(star(9), chart.at([nash[a], nash[b]]), { class: "star" }));
}

function spaceLegend(space) {
  const found = [];
  const frontierName = space.is_exact ? "Pareto frontier" : "Pareto frontier (approximate)";
  if (space.points) {
    found.push(
      legendItem(svg("path", { class: "cloud", d: "M-8 3h0M0 -2h0M8 3h0" }), space.is_listed ? `bids (${space.size})` : `some of ${space.size} bids`),
      space.roles.length === 2
        ? legendItem(svg("path", { class: "frontier", d: "M-12 -5L12 5" }), frontierName)
        : legendItem(svg("path", { class: "frontier-dots", d: "M-8 3h0M0 -2h0M8 3h0" }), frontierName),
    );
    if (space.solutions.nash) found.push(legendItem(svg("path", { class: "star", d: star(8) }), "Nash"));
    if (space.solutions.kalai_smorodinsky) found.push(legendItem(svg("path", { class: "star", d: shape(3, 5) }), "Kalai-Smorodinsky"));
  }
  found.push(legendItem(svg("line", { class: "reserve", x1: -13, x2: 13, y1: 0, y2: 0 }), "no agreement"));
  return found;
}
