// What offers are worth to those who make them, as time passes.

const MOST_LINES = 6;
const hiddenLines = new Set();

function showConcessions() {
  const curves = data.concessions[state.domain] || [];
  byId("concessions").hidden = !curves.length;
  const best = standings(state.domain).map((row) => row.party);
  curves.sort((a, b) => best.indexOf(a[0]) - best.indexOf(b[0]));
  hiddenLines.clear();
  curves.slice(MOST_LINES).forEach(([party]) => hiddenLines.add(party));
  const replayable = sessions.filter((one) => one.replay >= 0 && (state.domain === ALL || one.domain === Number(state.domain)));
  byId("concessions-note").textContent = `Mean worth to itself of what a party last offered, in ${counted(replayable.length, "session")} whose log is on this page; later points are means over the sessions that were still going on.`;
  byId("concessions-legend").replaceChildren(...curves.map(([party]) => el("li", {}, lineButton(party))));
  drawConcessions();
}

function lineButton(party) {
  const button = el("button", {
    type: "button",
    "aria-pressed": String(!hiddenLines.has(party)),
    "--own": partyColour(party),
    onclick: () => {
      if (!hiddenLines.delete(party)) hiddenLines.add(party);
      button.setAttribute("aria-pressed", String(!hiddenLines.has(party)));
      drawConcessions();
    },
  }, partyDot(party), partyName(party));
  return button;
}

const drawConcessions = keepDrawn(byId("concessions-chart"), (width) => {
  const curves = (data.concessions[state.domain] || []).filter(([party]) => !hiddenLines.has(party));
  const chart = frame({
    width,
    height: Math.min(Math.max(width * 0.5, 280), 440),
    x: [0, 1],
    y: span(curves.flatMap(([, points]) => points.map(([, mean]) => mean))),
    xTitle: "time (share of the deadline)",
    yTitle: "own utility",
    label: `Concession curves of ${curves.map(([party]) => partyName(party)).join(", ")}`,
  });
  for (const [party, points] of curves) {
    const line = svg("path", { class: "line", "--own": partyColour(party), d: path(points.map(([time, mean]) => chart.at([time, mean]))) });
    // Colours come again after eight parties; dashes tell those apart.
    if (party >= 8) line.setAttribute("stroke-dasharray", party >= 16 ? "2 5" : "8 5");
    line.append(svg("title", { text: partyName(party) }));
    chart.root.append(line);
  }
  return chart.root;
});
