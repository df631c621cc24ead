// The page as a whole: its head, which domain is shown, and what the address says.

const PARTS = [["leaderboard", "Leaderboard"], ["pairs", "Pairs"], ["outcomes", "Outcomes"], ["concessions", "Concession"], ["sessions", "Sessions"], ["faults", "Faults"]];

function showHead() {
  const { totals } = data;
  byId("title").textContent = data.title;
  const few = (names, noun) => (names.length <= 4 ? names.join(", ") : counted(names.length, noun));
  byId("subtitle").textContent = [few(data.domains, "domain"), few(data.protocols, "protocol"), few(data.deadlines, "deadline")].join(" · ");
  const scored = totals.sessions - totals.unscored;
  const tiles = [["Sessions", whole(totals.sessions)], ["Agreements", whole(totals.agreements), scored ? percent(totals.agreements / scored) : ""], ["Faults", whole(totals.faults)]];
  if (totals.unscored) tiles.push(["Unscored", whole(totals.unscored)]);
  const best = standings(ALL)[0];
  if (data.parties.length > 1 && isNumber(best.utility)) tiles.push(["Best mean utility", fixed(best.utility), partyName(best.party)]);
  byId("totals").replaceChildren(...tiles.map(([name, value, more]) => el("div", {}, el("dt", { text: name }), el("dd", {}, value, " ", more ? el("small", { text: more }) : ""))));
  byId("about").lastElementChild.replaceChildren(...data.about.flatMap(([name, text]) => [el("dt", { text: name.replaceAll("_", " ") }), el("dd", { text })]));
}

function showOverview() {
  showLeaderboard();
  showPairs();
  showOutcomes();
  showConcessions();
  showSessions();
  showFaults();
  byId("parts").replaceChildren(...PARTS.filter(([id]) => !byId(id).hidden).map(([id, text]) => el("li", {}, el("a", { href: `#${id}`, text }))));
}

// Colours: as the system has them, or as chosen here.
const THEMES = [["", "◐", "as the system has them"], ["light", "☀", "light"], ["dark", "☾", "dark"]];
function showTheme(name) {
  const [key, sign, text] = THEMES.find(([one]) => one === name) || THEMES[0];
  if (key) document.documentElement.dataset.theme = key;
  else delete document.documentElement.dataset.theme;
  byId("theme").textContent = sign;
  byId("theme").setAttribute("aria-label", `Colours: ${text}`);
  byId("theme").title = `Colours: ${text}`;
}
byId("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || "";
  const [next] = THEMES[(THEMES.findIndex(([one]) => one === now) + 1) % THEMES.length];
  showTheme(next);
  // A page that is opened from a file may have no store.
  try { localStorage.setItem("genius-py colours", next); } catch { /* forgotten then */ }
});
let kept = "";
try { kept = localStorage.getItem("genius-py colours") || ""; } catch { /* none */ }
showTheme(kept);

/** "#session=12&step=5" opens a session; anything else is a part of the overview. */
function follow() {
  // A page of a single session opens with it.
  const hash = location.hash.slice(1) || (sessions.length === 1 ? "session=0" : "");
  const address = new URLSearchParams(hash);
  const isSession = address.has("session");
  byId("overview").hidden = isSession;
  byId("session").hidden = !isSession;
  document.body.classList.toggle("reading", isSession);
  if (isSession) {
    openSession(Number(address.get("session")), address.has("step") ? Number(address.get("step")) - 1 : 0);
    window.scrollTo({ top: 0, behavior: "instant" });
    byId("session").focus({ preventScroll: true });
    return;
  }
  const wasOpen = opened;
  closeSession();
  const target = location.hash.length > 1 && byId(location.hash.slice(1));
  if (target && wasOpen) target.scrollIntoView({ behavior: "instant" });
}

byId("domain").append(el("option", { value: ALL, text: "all" }), ...data.domains.map((name, place) => el("option", { value: place, text: name })));
byId("domain-choice").hidden = data.domains.length < 2;
byId("domain").addEventListener("change", () => { state.domain = byId("domain").value; showOverview(); });
byId("pairs-measure").append(...Object.entries(MEASURES).map(([key, { name }]) => el("option", { value: key, text: name })));
byId("pairs-measure").addEventListener("change", showPairs);
byId("pairs").hidden = data.parties.length < 2;
showHead();
showComparisons();
showOverview();
window.addEventListener("hashchange", follow);
follow();
