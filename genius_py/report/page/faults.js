// What went wrong, with whom.

function showFaults() {
  const rows = data.faults
    .map(([place, party, seat, round, during, reason, isFatal]) => ({ session: sessions[place], party, seat, round, during, reason, isFatal }))
    .filter((row) => state.domain === ALL || row.session.domain === Number(state.domain));
  const total = data.totals.faults;
  byId("faults-note").textContent = !total
    ? "Nothing went wrong."
    : `${counted(total, "fault")} in all${data.faults.length < total ? `; ${whole(data.faults.length)} of them are listed` : ""}. A fault that is fatal, such as a model that cannot be reached, says nothing about how well anybody negotiates: its session is not scored.`;
  byId("faults-table").hidden = !rows.length;
  const { node } = sortableTable({
    caption: "Faults",
    columns: [
      { key: "party", head: "Party", isText: true, isFirst: true, value: (row) => partyName(row.party), cell: (row) => (row.party < 0 ? partyName(row.party) : partyLabel(row.party)) },
      { key: "reason", head: "What happened", isText: true, value: (row) => row.reason, cell: (row) => el("span", { class: "reason", text: row.reason }) },
      { key: "during", head: "During", isText: true, value: (row) => row.during.replaceAll("_", " ") },
      { key: "round", head: "Round", value: (row) => row.round },
      { key: "fatal", head: "Fatal", isText: true, value: (row) => (row.isFatal ? "yes" : "no") },
      { key: "session", head: "Session", isText: true, value: (row) => seated(row.session), cell: (row) => openLink(row.session, seated(row.session)) },
    ],
    rows,
    sort: { key: "party", down: false },
    tie: "session",
    perPage: 25,
  });
  byId("faults-table").replaceChildren(node);
}
