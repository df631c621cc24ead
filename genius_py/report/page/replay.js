// One session, step by step.

const SPEED_MS = 900;
const MOVES = {
  concession: "worse for itself, not for the other",
  selfish: "better for itself, not for the other",
  fortunate: "better for both",
  unfortunate: "worse for the other, not better for itself",
  nice: "better for the other, the same for itself",
  silent: "the same for both",
};
const MOST_VALUES = 8;

// Drawn, since few fonts have these signs.
const ICONS = {
  first: "M3 2h2v12H3zM14 2v12L6 8z",
  back: "M9.6 2.6 11 4 7 8l4 4-1.4 1.4L4.2 8z",
  play: "M4 2v12l9-6z",
  pause: "M4 2h3v12H4zM9 2h3v12H9z",
  on: "M6.4 2.6 5 4l4 4-4 4 1.4 1.4L11.8 8z",
  last: "M2 2v12l8-6zM11 2h2v12h-2z",
};
const icon = (name) => svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

let opened = null;

/** A session's steps with everything that is derived from them, once it is opened. */
function unfolded(session) {
  const space = data.spaces[session.space];
  const replay = data.replays[session.replay];
  const roles = space ? space.roles.length : 0;
  const issues = space ? space.issues : [];
  const bidOf = (place) => {
    if (!space || place === undefined || place < 0) return null;
    const row = space.bids[place];
    return { place, values: row.slice(0, issues.length), worth: row.slice(issues.length) };
  };
  // Where there is no log, the seats are known from the result alone.
  const seats = (replay ? replay.seats : session.parties.map((party, i) => [session.roles[i], session.roles[i], partyName(party), 0]))
    .map(([id, role, party, isMediator], place) => ({ id, role, party, isMediator: Boolean(isMediator), place }));
  let number = 0;
  for (const seat of seats) seat.axis = seat.isMediator ? -1 : number++;
  const last = new Map();
  const steps = (replay ? replay.steps : []).map((row, place) => {
    const step = { ...named("step", row), place, bid: bidOf(row[5]) };
    step.verb = data.verbs[step.verb];
    step.isOffer = Boolean(step.bid) && step.seat >= 0 && /^offer/.test(step.verb);
    if (step.isOffer) {
      step.before = last.get(step.seat) || null;
      last.set(step.seat, step.bid);
    }
    return step;
  });
  return { session, space, roles, issues, seats, steps, agreed: bidOf(session.bid), at: 0, timer: null, axes: [0, Math.min(1, Math.max(0, roles - 1))] };
}

function seatLine(seat, session) {
  const got = seat.axis < 0 ? null : session.utilities[seat.axis];
  const discounted = seat.axis >= 0 && session.discounted ? session.discounted[seat.axis] : null;
  return el("li", { "--own": seatColour(seat.place) },
    el("strong", { text: seat.id }),
    el("span", { class: "muted", text: seat.isMediator ? `${seat.party}, mediates` : seat.role && seat.role !== seat.id ? `${seat.party} as ${seat.role}` : seat.party }),
    seat.isMediator ? "" : el("div", { class: "got", text: fixed(got) }),
    isNumber(discounted) ? el("div", { class: "muted", text: `${fixed(discounted)} as it counts at the end` }) : "");
}

function openSession(place, at) {
  closeSession();
  const session = sessions[place];
  if (!session) { location.hash = "sessions"; return; }
  opened = unfolded(session);
  const { seats, steps, space } = opened;
  const hasOffers = steps.some((step) => step.isOffer);
  const facts = [data.domains[session.domain], data.protocols[session.protocol], data.deadlines[session.deadline], `repetition ${session.repetition + 1}`];
  const figures = [`${counted(session.rounds, "round")}, ${counted(session.turns, "turn")}`, `welfare ${fixed(session.social_welfare)}`];
  if (isNumber(session.distance_to_pareto)) figures.push(session.distance_to_pareto < 1e-6 ? "Pareto-optimal" : `${fixed(session.distance_to_pareto)} from the Pareto frontier`);
  if (isNumber(session.distance_to_nash)) figures.push(session.distance_to_nash < 1e-6 ? "the Nash bargaining solution" : `${fixed(session.distance_to_nash)} from Nash`);
  byId("session").replaceChildren(
    el("nav", { class: "pager", "aria-label": "Other sessions" },
      el("a", { href: "#sessions", text: "← All sessions", id: "back" }),
      ...(sessions.length < 2 ? [] : [[-1, "previous"], [1, "next"]]).map(([by, text]) =>
        el("a", { href: `#session=${(place + by + sessions.length) % sessions.length}`, text }))),
    el("div", { class: "session-head" },
      el("h2", { id: "session-title", text: seats.filter((seat) => !seat.isMediator).map((seat) => seat.party).join(" – ") }),
      ending(session), session.detail ? el("span", { class: "muted", text: session.detail }) : ""),
    el("p", { class: "note", text: `${facts.join(" · ")}. ${figures.join(", ")}.` }),
    el("ul", { class: "seats" }, ...seats.map((seat) => seatLine(seat, session))),
    steps.length ? "" : el("p", { class: "note", text: "The log of this session was not kept, or is left out to keep this page small: here is what came of it." }),
    el("div", { class: "replay" },
      el("div", { class: "stack" },
        space && opened.roles > 1 && (space.points || hasOffers) ? spaceCard() : "",
        hasOffers ? el("div", { class: "card" }, el("h3", { text: "Worth to each party of what is offered" }), el("div", { class: "chart", id: "replay-time" })) : "",
        el("div", { class: "card", id: "replay-bids" })),
      steps.length ? el("div", { class: "stack" }, transcript()) : ""),
    ...(steps.length ? controls() : []),
    el("p", { class: "live", id: "replay-live", "aria-live": "polite" }));
  if (byId("replay-space")) opened.drawSpace = keepDrawn(byId("replay-space"), drawReplaySpace);
  if (byId("replay-time")) opened.drawTime = keepDrawn(byId("replay-time"), drawReplayTime);
  fitTranscript();
  goTo(at ?? 0, { quietly: true });
}

function closeSession() {
  if (opened && opened.timer) clearInterval(opened.timer);
  opened = null;
  byId("session").replaceChildren();
}

function spaceCard() {
  const { space, seats, steps } = opened;
  const proposers = seats.filter((seat) => steps.some((step) => step.isOffer && step.seat === seat.place));
  const axes = opened.roles < 3 ? [] : [0, 1].map((axis) =>
    choice(axis ? "upwards" : "to the right", space.roles.map((role, place) => [place, role]), opened.axes[axis], (value) => { opened.axes[axis] = Number(value); opened.drawSpace(); }).node);
  const items = [...proposers.map((seat) => legendItem(svg("path", { class: "spot", "--own": seatColour(seat.place), d: shape(seat.place, 5) }), `offers of ${seat.id}`)), ...spaceLegend(space)];
  if (opened.agreed) items.push(legendItem(svg("circle", { class: "ring", r: 7 }), "agreement"));
  return el("div", { class: "card" },
    el("h3", { text: "Outcome space" }),
    axes.length ? el("div", { class: "choices" }, ...axes) : "",
    el("div", { class: "chart", id: "replay-space" }),
    el("ul", { class: "legend" }, ...items));
}

function drawReplaySpace(width) {
  const { space, roles, steps, axes: [a, b], session, seats, at } = opened;
  const offers = steps.filter((step) => step.isOffer);
  const worth = (axis) => [space.reservation[axis], ...projected(space.points, roles, axis, axis).map(([v]) => v), ...offers.map((step) => step.bid.worth[axis])];
  const chart = frame({
    width, height: Math.min(Math.max(width * 0.72, 280), 460), x: span(worth(a)), y: span(worth(b)),
    xTitle: `utility of ${space.roles[a]}`, yTitle: `utility of ${space.roles[b]}`,
    label: `Outcome space with the offers up to step ${at + 1}`,
  });
  drawSpace(chart, space, a, b);
  for (const seat of seats) {
    const own = offers.filter((step) => step.seat === seat.place && step.bid.worth.every(isNumber));
    const place = (step) => chart.at([step.bid.worth[a], step.bid.worth[b]]);
    const [done, ahead] = [own.filter((step) => step.place <= at), own.filter((step) => step.place > at)];
    const colour = { "--own": seatColour(seat.place) };
    chart.root.append(svg("path", { class: "line later", ...colour, d: path(own.map(place)) }), svg("path", { class: "line", ...colour, d: path(done.map(place)) }));
    for (const step of ahead) chart.root.append(marked(shape(seat.place, 3.5), place(step), { class: "spot later", ...colour }));
    for (const step of done) chart.root.append(marked(shape(seat.place, 4), place(step), { class: "spot", ...colour }));
  }
  drawSolutions(chart, space, a, b);
  if (opened.agreed) {
    const [x, y] = chart.at([session.utilities[a], session.utilities[b]]);
    chart.root.append(svg("circle", { class: "ring", cx: x, cy: y, r: 10 }));
  }
  const now = steps[at];
  if (now && now.bid && now.bid.worth.every(isNumber)) {
    const colour = { "--own": seatColour(Math.max(0, now.seat)) };
    chart.root.append(marked(shape(Math.max(0, now.seat), 8), chart.at([now.bid.worth[a], now.bid.worth[b]]), { class: "spot", stroke: "var(--surface)", "stroke-width": 2, ...colour }));
  }
  return chart.root;
}

function drawReplayTime(width) {
  const { steps, seats, at, space } = opened;
  const mediators = seats.filter((seat) => seat.isMediator);
  const lines = seats.filter((seat) => !seat.isMediator).map((seat) => ({
    seat,
    // With a mediator it is its proposals that everybody judges.
    points: steps.filter((step) => step.isOffer && (mediators.length ? mediators[0].place : seat.place) === step.seat && isNumber(step.bid.worth[seat.axis]))
      .map((step) => [step.time, step.bid.worth[seat.axis], step.place]),
  }));
  const chart = frame({
    width, height: Math.min(Math.max(width * 0.5, 220), 320), x: [0, 1],
    y: span(lines.flatMap(({ points }) => points.map(([, worth]) => worth))),
    xTitle: "time (share of the deadline)", yTitle: "own utility", label: "What each party's offers are worth to itself, over time",
  });
  for (const { seat, points } of lines) {
    const colour = { "--own": seatColour(seat.place) };
    const place = ([time, worth]) => chart.at([time, worth]);
    chart.root.append(svg("path", { class: "line later", ...colour, d: path(points.map(place)) }), svg("path", { class: "line", ...colour, d: path(points.filter(([, , n]) => n <= at).map(place)) }));
    for (const point of points) chart.root.append(marked(shape(seat.place, 3.2), place(point), { class: point[2] <= at ? "spot" : "spot later", ...colour }));
    const reserve = space ? space.reservation[seat.axis] : null;
    if (isNumber(reserve)) chart.root.append(svg("line", { class: "reserve", stroke: seatColour(seat.place), x1: chart.box.left, x2: width - chart.box.right, y1: chart.sy(reserve), y2: chart.sy(reserve) }));
  }
  if (steps[at]) {
    const x = chart.sx(steps[at].time);
    chart.root.append(svg("line", { class: "now", x1: x, x2: x, y1: chart.box.top, y2: chart.box.height - chart.box.bottom }));
  }
  return chart.root;
}

function transcript() {
  const items = opened.steps.map((step) => {
    const button = el("button", { type: "button", class: "step", onclick: () => goTo(step.place) }, ...stepParts(step));
    step.button = button;
    return el("li", {}, button);
  });
  return el("div", { class: "card transcript" }, el("h3", { text: `What was said and done (${counted(opened.steps.length, "step")})` }), el("ol", { id: "transcript" }, ...items));
}

function stepParts(step) {
  const seat = opened.seats[step.seat];
  const colour = seat ? seatColour(seat.place) : "var(--muted)";
  const body = el("div", { "--own": colour }, el("div", { class: "who" },
    el("b", {}, seat ? dot(colour) : "", seat ? seat.id : step.verb === "end" ? "the end" : "the rules"),
    step.verb === "end" ? "" : el("span", { text: step.verb }),
    step.move ? el("span", { class: "kind", text: step.move, title: MOVES[step.move] }) : ""));
  if (step.bid) body.append(bidChips(step.bid, step.before), el("div", { class: "worth", text: worthLine(step.bid) }));
  if (step.text) body.append(el("div", { class: `aside${step.verb === "fault" ? " bad" : ""}`, text: step.text }));
  if (step.message) body.append(el("p", { class: "said", text: step.message }));
  return [el("span", { class: "when", text: step.round ? `R${step.round}` : "" }), body];
}

/** The values of a bid; those that differ from the party's offer before are brought out. */
function bidChips(bid, before) {
  const { issues } = opened;
  const isChanged = (i) => !before || before.values[i] !== bid.values[i];
  const order = issues.map((_, i) => i);
  const shown = issues.length <= MOST_VALUES ? order : order.filter(isChanged).slice(0, MOST_VALUES);
  const left = issues.length - shown.length;
  return el("div", { class: "bid" },
    ...shown.map((i) => el("span", { class: isChanged(i) && before ? "changed" : "", text: `${issues[i]}: ${plain(bid.values[i])}` })),
    left ? el("span", { text: `and ${left} more` }) : "");
}

const worthLine = (bid) => `worth ${opened.space.roles.map((role, i) => `${fixed(bid.worth[i])} to ${role}`).join(", ")}`;

function showBids() {
  const { issues, seats, steps, at, agreed, space } = opened;
  const box = byId("replay-bids");
  const columns = seats.map((seat) => {
    const own = steps.filter((step) => step.isOffer && step.seat === seat.place && step.place <= at);
    return { name: seat.id, colour: seatColour(seat.place), bid: own.length ? own[own.length - 1].bid : null, before: own.length > 1 ? own[own.length - 2].bid : null };
  }).filter((column) => column.bid);
  const isOver = !steps.length || at === steps.length - 1;
  if (agreed && isOver) columns.push({ name: "agreed", colour: "var(--text)", bid: agreed, before: null });
  box.hidden = !space || !columns.length;
  if (box.hidden) return;
  const cells = (values) => columns.map((column) => {
    const value = values(column.bid);
    const isChanged = column.before && values(column.before) !== value;
    const isSame = columns.length > 1 && columns.every((one) => values(one.bid) === value);
    return el("td", { class: `${isChanged ? "changed" : ""} ${isSame ? "same" : ""}`.trim(), "--own": column.colour, title: isChanged ? `before: ${plain(values(column.before))}` : null, text: plain(value) });
  });
  const rows = issues.map((issue, i) => el("tr", {}, el("th", { scope: "row", text: issue }), ...cells((bid) => bid.values[i])));
  const worths = space.roles.map((role, i) => el("tr", {}, el("th", { scope: "row", class: "muted", text: `worth to ${role}` }), ...columns.map((column) => el("td", { text: fixed(column.bid.worth[i]) }))));
  box.replaceChildren(el("h3", { text: steps.length ? "On the table" : "The agreement" }),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Latest offers" },
      el("table", { class: "bids" },
        el("thead", {}, el("tr", {}, el("th", { class: "plain", scope: "col", text: "issue" }), ...columns.map((column) => el("th", { class: "plain", scope: "col" }, dot(column.colour), column.name)))),
        el("tbody", {}, ...rows, ...worths))));
}

function controls() {
  const { steps } = opened;
  const button = (id, label, sign, onclick) => el("button", { type: "button", id, "aria-label": label, title: label, onclick }, icon(sign));
  return [
    el("p", { class: "keys" }, el("kbd", { text: "←" }), " ", el("kbd", { text: "→" }), " step, ", el("kbd", { text: "Home" }), " ", el("kbd", { text: "End" }), " first and last, ", el("kbd", { text: "Space" }), " play, ", el("kbd", { text: "Esc" }), " back to all sessions"),
    el("div", { class: "controls", role: "group", "aria-label": "Steps" },
      button("step-first", "First step", "first", () => goTo(0)),
      button("step-back", "Step back", "back", () => goTo(opened.at - 1)),
      button("step-play", "Play", "play", togglePlay),
      button("step-on", "Step on", "on", () => goTo(opened.at + 1)),
      button("step-last", "Last step", "last", () => goTo(steps.length - 1)),
      el("input", { type: "range", id: "step-range", min: 0, max: steps.length - 1, value: 0, "aria-label": "Step", oninput: (event) => goTo(Number(event.target.value)) }),
      el("output", { id: "step-count", for: "step-range" })),
  ];
}

function goTo(place, { quietly = false } = {}) {
  const { steps } = opened;
  if (steps.length) {
    opened.at = Math.min(Math.max(place, 0), steps.length - 1);
    const { at } = opened;
    if (at === steps.length - 1) stopPlaying();
    for (const step of steps) {
      step.button.classList.toggle("ahead", step.place > at);
      if (step.place === at) step.button.setAttribute("aria-current", "step");
      else step.button.removeAttribute("aria-current");
    }
    keepInView(steps[at].button);
    byId("step-range").value = at;
    byId("step-count").textContent = `step ${at + 1} of ${steps.length}`;
    byId("step-first").disabled = byId("step-back").disabled = at === 0;
    byId("step-on").disabled = byId("step-last").disabled = at === steps.length - 1;
    if (!quietly) {
      history.replaceState(null, "", `#session=${opened.session.place}&step=${at + 1}`);
      byId("replay-live").textContent = steps[at].button.textContent;
    }
  }
  showBids();
  if (opened.drawSpace) opened.drawSpace();
  if (opened.drawTime) opened.drawTime();
}

/** Beside the pictures, the list ends above the buttons, whatever stands above it. */
function fitTranscript() {
  const list = document.querySelector(".transcript");
  if (!list) return;
  const bar = document.querySelector(".controls").offsetHeight;
  const above = list.getBoundingClientRect().top + window.scrollY;
  list.style.setProperty("--taken", `${Math.round(above + bar)}px`);
}
window.addEventListener("resize", () => {
  if (!opened || !opened.steps.length) return;
  fitTranscript();
  keepInView(opened.steps[opened.at].button);
});

/** Scrolls the list alone: the page stays where the reader has it. */
function keepInView(item) {
  const list = byId("transcript");
  const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top - 8;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 8;
}

function stopPlaying() {
  if (!opened || !opened.timer) return;
  clearInterval(opened.timer);
  opened.timer = null;
  showPlaying();
}

function togglePlay() {
  if (opened.timer) { stopPlaying(); return; }
  if (opened.at === opened.steps.length - 1) goTo(0);
  opened.timer = setInterval(() => goTo(opened.at + 1), SPEED_MS);
  showPlaying();
}

function showPlaying() {
  const button = byId("step-play");
  const label = opened.timer ? "Pause" : "Play";
  button.replaceChildren(icon(opened.timer ? "pause" : "play"));
  button.setAttribute("aria-label", label);
  button.title = label;
}

document.addEventListener("keydown", (event) => {
  if (!opened || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") { location.hash = "sessions"; return; }
  if (!opened.steps.length || event.target.matches("select, input, textarea")) return;
  const moves = {
    ArrowRight: () => goTo(opened.at + 1),
    ArrowLeft: () => goTo(opened.at - 1),
    Home: () => goTo(0),
    End: () => goTo(opened.steps.length - 1),
  };
  // A focused button or link has its own meaning for the space bar.
  if (!event.target.closest("button, a, summary")) moves[" "] = togglePlay;
  if (moves[event.key]) {
    event.preventDefault();
    moves[event.key]();
  }
});
