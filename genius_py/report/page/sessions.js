// Every session that is listed, to be found and opened.

const ENDINGS = { agreement: "agreement", deadline: "deadline passed", walkaway: "walked away", fault: "failed by a fault", ended: "ended by its rules" };
const listState = { party: "", other: "", ending: "", kept: "" };
const replayable = sessions.filter((session) => session.replay >= 0).length;
let sessionTable = null;

const ending = (session) => el("span", { class: `tag ${session.reason}`, text: ENDINGS[session.reason] || session.reason, title: session.detail || null });

/** Who sat where, one a line. */
const whoLink = (session) => el("a", { class: "who-link", href: `#session=${session.place}` },
  ...session.parties.map((party, seat) => partyLabel(party, " ", el("small", { text: session.roles[seat] }))));

const openLink = (session, text) => el("a", { href: `#session=${session.place}`, text });

function sessionColumns() {
  const several = (names) => names.length > 1;
  return [
    { key: "who", head: "Who", isText: true, isFirst: true, value: seated, cell: whoLink },
    several(data.domains) && { key: "domain", head: "Domain", isText: true, value: (row) => data.domains[row.domain], cell: (row) => el("span", { class: "name" }, ...breakable(data.domains[row.domain])) },
    several(data.protocols) && { key: "protocol", head: "Protocol", isText: true, value: (row) => data.protocols[row.protocol] },
    several(data.deadlines) && { key: "deadline", head: "Deadline", isText: true, value: (row) => data.deadlines[row.deadline] },
    { key: "repetition", head: "Repetition", value: (row) => row.repetition + 1 },
    { key: "ending", head: "Ending", isText: true, value: (row) => ENDINGS[row.reason] || row.reason, cell: ending },
    { key: "first", head: "First got", value: (row) => row.utilities[0], cell: (row) => fixed(row.utilities[0]) },
    sessions.some((row) => row.utilities.length > 1) && { key: "second", head: "Second got", value: (row) => row.utilities[1], cell: (row) => fixed(row.utilities[1]) },
    { key: "welfare", head: "Welfare", value: (row) => row.social_welfare, cell: (row) => fixed(row.social_welfare) },
    { key: "nash", head: "To Nash", value: (row) => row.distance_to_nash, cell: (row) => fixed(row.distance_to_nash) },
    { key: "rounds", head: "Rounds", value: (row) => row.rounds, cell: (row) => whole(row.rounds) },
    { key: "faults", head: "Faults", value: (row) => row.faults, cell: (row) => whole(row.faults) },
    { key: "replay", head: "Replay", value: (row) => Number(row.replay >= 0), cell: (row) => (row.replay >= 0 ? openLink(row, "step through") : DASH) },
    // Ties are told apart by the order of the plan.
  ].filter(Boolean);
}

function isListed(session) {
  const { party, other, ending: wanted, kept } = listState;
  if (kept && session.replay < 0) return false;
  if (state.domain !== ALL && session.domain !== Number(state.domain)) return false;
  if (wanted === "faults" ? !session.faults : wanted && session.reason !== wanted) return false;
  const seats = [...session.parties];
  for (const one of [party, other]) {
    if (one === "") continue;
    const seat = seats.indexOf(Number(one));
    if (seat < 0) return false;
    seats.splice(seat, 1);
  }
  return true;
}

function showSessions() {
  const parties = [["", "anybody"], ...data.parties.map((_, place) => [place, partyName(place)])];
  const endings = [...new Set(sessions.map((session) => session.reason))].map((reason) => [reason, ENDINGS[reason] || reason]);
  const set = (key) => (value) => { listState[key] = value; showSessions(); };
  byId("sessions-choices").replaceChildren(
    choice("With", parties, listState.party, set("party")).node,
    choice("and", parties, listState.other, set("other")).node,
    choice("Ending", [["", "any"], ...endings, ["faults", "any, with faults"]], listState.ending, set("ending")).node,
    ...(replayable && replayable < sessions.length ? [choice("Steps", [["", "kept or not"], ["kept", "kept"]], listState.kept, set("kept")).node] : []),
  );
  const rows = sessions.filter(isListed);
  if (sessionTable) sessionTable.show(rows);
  else {
    sessionTable = sortableTable({ caption: "Sessions", columns: sessionColumns(), rows, sort: { key: "repetition", down: false }, tie: "who", perPage: 25, empty: "No session is like that." });
    byId("sessions-table").replaceChildren(sessionTable.node);
  }
  const total = data.totals.sessions;
  const about = [`${counted(rows.length, "session")} of ${whole(sessions.length)}.`];
  if (total > sessions.length) about.push(`These are a sample of all ${whole(total)}, those with faults first; every other figure counts them all.`);
  about.push(replayable === sessions.length ? "Each can be stepped through." : `${whole(replayable)} can be stepped through; of the others the log was not kept, or is left out to keep this page small.`);
  byId("sessions-note").textContent = about.join(" ");
}

function listSessionsOf(party, other) {
  Object.assign(listState, { party: String(party), other: String(other), ending: "", kept: "" });
  showSessions();
  byId("sessions").scrollIntoView();
  byId("sessions-choices").querySelector("select").focus({ preventScroll: true });
}
