// Who did best.

const standings = (domain) => (data.standings[domain] || []).map((row) => named("standing", row));

function interval(standing, [low, high]) {
  if (!isNumber(standing.low) || !isNumber(standing.high)) return DASH;
  const place = (value) => `${(100 * (value - low)) / (high - low || 1)}%`;
  const text = `${fixed(standing.low)} to ${fixed(standing.high)}`;
  const bar = el("i", {});
  bar.style.left = place(standing.low);
  bar.style.width = `${(100 * (standing.high - standing.low)) / (high - low || 1)}%`;
  const mean = el("b", {});
  mean.style.left = place(standing.utility);
  return el("span", { class: "range", role: "img", "aria-label": text, title: text }, bar, mean);
}

function leaderboardColumns(rows) {
  const ends = rows.flatMap((row) => [row.low, row.high, row.utility]).filter(isNumber);
  const room = (Math.max(...ends) - Math.min(...ends)) * 0.06;
  const scale = [Math.min(...ends) - room, Math.max(...ends) + room];
  const figure = (key, head, help, show = fixed) => ({ key, head, help, value: (row) => row[key], cell: (row) => show(row[key]) });
  const columns = [
    { key: "party", head: "Party", isText: true, isFirst: true, value: (row) => partyName(row.party), cell: (row) => partyLabel(row.party) },
    figure("utility", "Mean utility", "Over all scored sessions; no agreement counts as the reservation value"),
    { key: "low", head: "95 % interval", help: "Bootstrap interval of the mean utility, sorted by its lower end", value: (row) => row.low, cell: (row) => interval(row, scale) },
    figure("agreement_rate", "Agreement", "Share of sessions with an agreement", percent),
    figure("agreed_utility", "Utility if agreed", "Mean over agreements alone"),
    figure("discounted_utility", "Discounted", "Mean utility as it counts at the time of the end"),
    figure("social_welfare", "Welfare", "Mean sum of all parties' utilities"),
    figure("fairness", "Fairness", "1 minus the difference between the largest and the smallest utility"),
    figure("distance_to_nash", "To Nash", "Mean distance to the Nash bargaining solution"),
    figure("distance_to_pareto", "To Pareto", "Mean distance to the Pareto frontier"),
    figure("rounds", "Rounds", "Mean number of rounds", (value) => fixed(value, 1)),
    figure("elo", "Elo", "Who got more than whom, as a rating", (value) => fixed(value, 0)),
    { key: "rank_low", head: "Rank", help: "Its rank in 95 % of resamples", value: (row) => row.rank_low, cell: (row) => (row.rank_low === row.rank_high ? whole(row.rank_low) : `${row.rank_low}–${row.rank_high}`) },
    figure("first", "First", "Share of resamples in which it was the best", percent),
    figure("sessions", "Sessions", "Scored sessions", whole),
    figure("faults", "Faults", "Times that it failed", whole),
    figure("unscored", "Unscored", "Sessions that failed for no reason of a strategy", whole),
    figure("refused", "Refused replies", "Share of the language model's replies that did not count: unreadable, or an action that was not possible", percent),
    figure("retries", "Retries", "Turns for which the model was asked once more", whole),
    figure("fallbacks", "Fallback turns", "Turns that a classical party played because two replies did not count", whole),
    figure("unaided_utility", "Utility unaided", "Mean utility over the scored sessions in which no fallback was needed, by whomever"),
    figure("unaided", "Unaided sessions", "Scored sessions in which no fallback was needed, by whomever", whole),
    figure("leaks", "Leaks", "Messages that told the own reservation value", whole),
    figure("tokens", "Tokens", "Read and written by the model", whole),
  ];
  // What nobody has, and what is the same as another column, is left out.
  const isKnown = (column) => rows.some((row) => isNumber(row[column.key]));
  const isNews = (column) =>
    (column.key !== "discounted_utility" || rows.some((row) => row.discounted_utility !== row.utility)) &&
    (!["faults", "unscored"].includes(column.key) || rows.some((row) => row[column.key])) &&
    (!column.key.startsWith("unaided") || rows.some((row) => row.fallbacks));
  return columns.filter((column) => column.key === "party" || (isKnown(column) && isNews(column)));
}

function showLeaderboard() {
  const rows = standings(state.domain);
  const where = state.domain === ALL ? "all domains" : data.domains[state.domain];
  const { node } = sortableTable({
    caption: `Leaderboard, ${where}`,
    columns: leaderboardColumns(rows),
    rows,
    sort: { key: "utility", down: true },
    tie: "party",
  });
  byId("leaderboard-table").replaceChildren(node);
  const about = ["Utility is the mean over all scored sessions; no agreement counts as the reservation value."];
  if (data.intervals && state.domain === ALL) about.push(data.intervals);
  if (data.intervals && state.domain !== ALL) about.push("Intervals are known for all domains together.");
  byId("leaderboard-note").textContent = about.join(" ");
}
