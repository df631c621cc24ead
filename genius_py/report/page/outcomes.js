// Where the agreements lie among all that was possible.

const outcomeState = { space: -1, party: "", axes: [0, 1] };

/** Spaces that sessions of the chosen domain share. */
function spacesToShow() {
  const found = new Map();
  for (const session of sessions) {
    if (session.space < 0 || session.roles.length < 2) continue;
    if (state.domain !== ALL && session.domain !== Number(state.domain)) continue;
    const space = data.spaces[session.space];
    const own = found.get(session.space) || { place: session.space, count: 0, name: `${data.domains[session.domain]}: ${space.roles.join(", ")}` };
    own.count += 1;
    found.set(session.space, own);
  }
  return [...found.values()];
}

function setSpace(place) {
  outcomeState.space = place;
  outcomeState.axes = [0, 1];
}

function showOutcomes() {
  const possible = spacesToShow();
  byId("outcomes").hidden = !possible.length;
  if (!possible.length) return;
  if (!possible.some((one) => one.place === outcomeState.space)) setSpace(possible[0].place);
  const there = sessions.filter((session) => session.space === outcomeState.space);
  const parties = [...new Set(there.flatMap((session) => session.parties))].sort((a, b) => a - b);
  if (!parties.includes(Number(outcomeState.party))) outcomeState.party = "";
  const spaceChoice = choice("Space", possible.map((one) => [one.place, `${one.name} (${one.count})`]), outcomeState.space, (value) => { setSpace(Number(value)); showOutcomes(); });
  const partyChoice = choice("Bring out", [["", "nobody"], ...parties.map((party) => [party, partyName(party)])], outcomeState.party, (value) => { outcomeState.party = value; showOutcomes(); });
  spaceChoice.node.hidden = possible.length < 2;
  const space = data.spaces[outcomeState.space];
  const { axes } = outcomeState;
  const axisChoices = space.roles.length < 3 ? [] : ["To the right", "Upwards"].map((label, axis) =>
    choice(label, space.roles.map((role, place) => [place, role]), axes[axis], (value) => { axes[axis] = Number(value); drawOutcomes(); }).node);
  byId("outcomes-choices").replaceChildren(spaceChoice.node, ...axisChoices, partyChoice.node);
  const agreed = there.filter((session) => session.reason === "agreement");
  byId("outcomes-note").textContent = `${counted(agreed.length, "agreement")} of ${counted(there.length, "session")} listed on this page. Choose one to open its session.${space.points ? "" : " The bids cannot be listed, or the rules of the game decide what they are worth."}`;
  const items = spaceLegend(space);
  items.push(legendItem(svg("path", { class: "spot", "--own": "var(--c0)", d: shape(0, 5) }), outcomeState.party === "" ? "agreement" : "agreement of others"));
  if (outcomeState.party !== "") items.push(legendItem(svg("path", { class: "spot", "--own": "var(--c1)", d: shape(2, 5) }), `agreement of ${partyName(Number(outcomeState.party))}`));
  byId("outcomes-legend").replaceChildren(...items);
  drawOutcomes();
}

const drawOutcomes = keepDrawn(byId("outcomes-chart"), (width) => {
  const space = data.spaces[outcomeState.space];
  if (!space) return "";
  const agreed = sessions.filter((session) => session.space === outcomeState.space && session.reason === "agreement");
  const [a, b] = outcomeState.axes;
  const n = space.roles.length;
  const all = (axis) => [space.reservation[axis], ...projected(space.points, n, axis, axis).map(([v]) => v), ...agreed.map((session) => session.utilities[axis])];
  const chart = frame({
    width,
    height: Math.min(Math.max(width * 0.62, 300), 560),
    x: span(all(a)),
    y: span(all(b)),
    xTitle: `utility of ${space.roles[a]}`,
    yTitle: `utility of ${space.roles[b]}`,
    label: `Outcome space of ${space.name} with ${counted(agreed.length, "agreement")}`,
  });
  drawSpace(chart, space, a, b);
  const chosen = Number(outcomeState.party === "" ? -1 : outcomeState.party);
  for (const session of [...agreed].sort((one, other) => one.parties.includes(chosen) - other.parties.includes(chosen))) {
    const isOwn = session.parties.includes(chosen);
    const text = `${seated(session)}: ${session.utilities.map((one) => fixed(one)).join(" and ")}`;
    chart.root.append(marked(shape(isOwn ? 2 : 0, 5.5), chart.at([session.utilities[a], session.utilities[b]]), {
      class: "hit", "--own": isOwn ? "var(--c1)" : "var(--c0)", onclick: () => { location.hash = `session=${session.place}`; },
    }));
    chart.root.lastChild.append(svg("title", { text }));
  }
  drawSolutions(chart, space, a, b);
  return chart.root;
});
