// What each party came to against each other one.

const MEASURES = {
  utility: { name: "mean utility of the row's party", value: (sum) => sum.utility / sum.sessions, show: fixed },
  advantage: { name: "how much more the row's party got", value: (sum, back) => (back ? sum.utility / sum.sessions - back.utility / back.sessions : null), show: (v) => (isNumber(v) ? `${v >= 0 ? "+" : "−"}${fixed(Math.abs(v))}` : DASH) },
  agreement: { name: "share of agreements", value: (sum) => sum.agreements / sum.sessions, show: percent },
  welfare: { name: "mean social welfare", value: (sum) => sum.welfare / sum.sessions, show: fixed },
  rounds: { name: "mean number of rounds", value: (sum) => sum.rounds / sum.sessions, show: (v) => fixed(v, 1) },
};

const MOST_SHOWN = 40;

function showPairs() {
  const measure = MEASURES[byId("pairs-measure").value];
  const met = new Map();
  for (const [party, other, count, utility, agreements, welfare, rounds] of data.meetings[state.domain] || []) {
    met.set(`${party} ${other}`, { sessions: count, utility, agreements, welfare, rounds });
  }
  const value = (party, other) => {
    const sum = met.get(`${party} ${other}`);
    return sum ? measure.value(sum, met.get(`${other} ${party}`)) : null;
  };
  const parties = standings(state.domain).map((row) => row.party);
  const shown = parties.slice(0, MOST_SHOWN);
  const values = shown.flatMap((party) => shown.map((other) => value(party, other))).filter(isNumber);
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const head = el("tr", {}, el("td", {}), ...shown.map((other) => el("th", { scope: "col" }, ...breakable(partyName(other)))));
  const rows = shown.map((party) =>
    el("tr", {}, el("th", { scope: "row", class: "first" }, partyLabel(party)),
      ...shown.map((other) => pairCell(party, other, value(party, other), met.get(`${party} ${other}`), measure, low, high))));
  const caption = `Pairs: ${measure.name}`;
  const parts = [
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", { class: "heat" }, el("caption", { class: "live", text: caption }), el("thead", {}, head), el("tbody", {}, ...rows))),
    el("div", { class: "scale" }, measure.show(low), el("i", { "aria-hidden": "true" }), measure.show(high)),
  ];
  if (parties.length > shown.length) parts.push(el("p", { class: "note", text: `The best ${shown.length} of ${parties.length} parties are shown.` }));
  byId("pairs-map").replaceChildren(...parts);
}

function pairCell(party, other, value, sum, measure, low, high) {
  if (!isNumber(value)) return el("td", { class: "none", text: DASH });
  const share = high > low ? (value - low) / (high - low) : 0.5;
  const text = `${partyName(party)} against ${partyName(other)}: ${measure.show(value)}, ${counted(sum.sessions, "session")}`;
  return el("td", {},
    el("button", {
      type: "button",
      text: measure.show(value),
      title: text,
      "aria-label": `${text}; list them`,
      class: share > 0.66 ? "strong" : null,
      "--share": `${Math.round(4 + 92 * share)}%`,
      onclick: () => listSessionsOf(party, other),
    }));
}

function showComparisons() {
  byId("comparisons").hidden = !data.comparisons.length;
  const rows = data.comparisons.map(([party, other, difference, low, high, blocks, p, effect]) => ({ party, other, difference, low, high, blocks, p, effect }));
  const { node } = sortableTable({
    caption: "On what both were tried: how much more the first got than the second. p is of the signed-rank test, corrected by Holm; the effect is the rank-biserial correlation.",
    columns: [
      { key: "pair", head: "Pair", isText: true, isFirst: true, value: (row) => `${partyName(row.party)} and ${partyName(row.other)}` },
      { key: "difference", head: "Difference", value: (row) => row.difference, cell: (row) => fixed(row.difference) },
      { key: "low", head: "95 % interval", value: (row) => row.low, cell: (row) => (isNumber(row.low) ? `${fixed(row.low)} to ${fixed(row.high)}` : DASH) },
      { key: "p", head: "p", value: (row) => row.p, cell: (row) => (row.p < 0.001 ? "< 0.001" : fixed(row.p)) },
      { key: "effect", head: "Effect", value: (row) => row.effect, cell: (row) => fixed(row.effect, 2) },
      { key: "blocks", head: "Blocks", value: (row) => row.blocks, cell: (row) => whole(row.blocks) },
    ],
    rows,
    sort: { key: "p", down: false },
    tie: "pair",
  });
  byId("comparisons").lastElementChild.replaceChildren(node);
  const mixes = data.equilibria.map(([shares, payoff]) => `${shares.map(([party, share]) => `${percent(share)} ${partyName(party)}`).join(", ")} (utility ${fixed(payoff)})`);
  byId("equilibria").hidden = !mixes.length;
  byId("equilibria").textContent = `Symmetric equilibria of the choice whom to send: ${mixes.join("; ")}.`;
}
