// What all parts of the page share: the data, making elements, showing numbers, sortable tables.

const data = JSON.parse(document.getElementById("data").textContent);
const ALL = "";
const state = { domain: ALL };

const byId = (id) => document.getElementById(id);

/** An element; `has` are attributes, listeners ("onclick") and "text", then come its children. */
function el(name, has = {}, ...children) {
  return furnish(document.createElement(name), has, children);
}

function svg(name, has = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", name), has, children);
}

function furnish(node, has, children) {
  for (const [key, value] of Object.entries(has)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) node.style.setProperty(key, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Rows of the file as objects, by the names of their columns. */
const named = (kind, row) => Object.fromEntries(data.columns[kind].map((name, i) => [name, row[i]]));

const DASH = "–";
const isNumber = (value) => typeof value === "number";
const fixed = (value, digits = 3) => (isNumber(value) ? value.toFixed(digits) : DASH);
const whole = (value) => (isNumber(value) ? value.toLocaleString("en") : DASH);
const percent = (value) => (isNumber(value) ? `${Math.round(value * 100)} %` : DASH);
const counted = (count, noun) => `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
/** A value of an issue, without the noise of floats. */
const plain = (value) => (isNumber(value) ? String(Number(value.toPrecision(10))) : String(value));

const partyColour = (party) => `var(--c${party % 8})`;
const seatColour = (seat) => `var(--c${seat % 8})`;
/** Colours come again after eight; then the shape differs. */
const dot = (colour, number = 0) => el("span", { class: `dot ${["", "square", "diamond"][Math.min(number >> 3, 2)]}`.trim(), "--own": colour, "aria-hidden": "true" });

/** Specs without the folders of their files, unless two would be called the same. */
const partyNames = (() => {
  const short = data.parties.map((spec) => spec.replace(/^.*[\\/](?=[^\\/]*\.py:)/, ""));
  return short.map((name, place) => (short.filter((other) => other === name).length > 1 ? data.parties[place] : name));
})();
const partyName = (party) => (party < 0 ? "mediator" : partyNames[party]);

const partyDot = (party) => dot(partyColour(party), party);

/** A spec or a path, which may go on in the next line where one of its parts ends. */
const breakable = (text) => text.split(/(?<=[:,=_/\\])/).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));

/** A party's name with its colour, which do not part at the end of a line; `more` stands behind. */
const partyLabel = (party, ...more) => {
  const name = partyName(party);
  const isLong = name.length > 24;
  return el("span", { class: isLong ? "party long" : "party" }, partyDot(party), el("span", {}, ...(isLong ? breakable(name) : [name]), ...more));
};

const sessions = data.sessions.map((row, place) => ({ ...named("session", row), place }));

/** "boulware (buyer) – linear (seller)". */
const seated = (session) =>
  session.parties.map((party, seat) => `${partyName(party)} (${session.roles[seat]})`).join(" – ");

/**
 * A table that is sorted by its columns' values, whatever the cells show; ties by the `tie` column,
 * and rows without a value last. A column has: key, head, value(row), and perhaps cell(row) for
 * what is shown, help, isText, isFirst.
 */
function sortableTable({ caption, columns, rows, sort, tie, perPage = Infinity, empty }) {
  let order = sort;
  let page = 0;
  const body = el("tbody");
  const heads = columns.map((column) =>
    column.value
      ? el("th", { scope: "col", class: cellClass(column), title: column.help },
          el("button", { type: "button", text: column.head, onclick: () => sortBy(column) }))
      : el("th", { scope: "col", class: `plain ${cellClass(column)}`, text: column.head }),
  );
  const table = el("table", {}, el("caption", { text: caption }), el("thead", {}, el("tr", {}, ...heads)), body);
  const scroll = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
  const pager = el("div", { class: "pager" });
  const whole_ = el("div", {}, scroll, pager);

  function cellClass(column) {
    return [column.isFirst ? "first" : "", column.isText || !column.value ? "" : "number"].join(" ").trim();
  }

  function sortBy(column) {
    const isSame = order.key === column.key;
    order = { key: column.key, down: isSame ? !order.down : !column.isText };
    page = 0;
    show();
  }

  function compare(a, b, column, down) {
    const [x, y] = [column.value(a), column.value(b)];
    const [hasX, hasY] = [x !== null && x !== undefined, y !== null && y !== undefined];
    if (!hasX || !hasY) return hasX === hasY ? 0 : hasX ? -1 : 1;
    const ahead = isNumber(x) && isNumber(y) ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    return down ? -ahead : ahead;
  }

  function show(given = rows) {
    if (given !== rows) page = 0;
    rows = given;
    const column = columns.find((one) => one.key === order.key);
    const last = columns.find((one) => one.key === tie);
    const sorted = [...rows].sort((a, b) => compare(a, b, column, order.down) || compare(a, b, last, false));
    columns.forEach((one, place) => {
      if (one.value) heads[place].setAttribute("aria-sort", one.key !== order.key ? "none" : order.down ? "descending" : "ascending");
    });
    const start = page * perPage || 0;
    const shown = sorted.slice(start, start + perPage);
    body.replaceChildren(...shown.map((row) => el("tr", {}, ...columns.map((one) => cell(one, row)))));
    if (!rows.length) body.append(el("tr", {}, el("td", { class: "empty", colspan: columns.length, text: empty || "Nothing." })));
    showPager(start, shown.length);
  }

  function cell(column, row) {
    const content = column.cell ? column.cell(row) : column.value(row) ?? DASH;
    const tag = column.isFirst ? "th" : "td";
    return el(tag, { class: cellClass(column), scope: column.isFirst ? "row" : null }, ...[content].flat());
  }

  function showPager(start, count) {
    pager.hidden = rows.length <= perPage;
    if (pager.hidden) return;
    const turn = (by) => () => { page += by; show(); scroll.scrollIntoView({ block: "nearest" }); };
    pager.replaceChildren(
      el("button", { type: "button", text: "Previous", disabled: page === 0, onclick: turn(-1) }),
      el("span", { text: `${whole(start + 1)} to ${whole(start + count)} of ${whole(rows.length)}` }),
      el("button", { type: "button", text: "Next", disabled: start + count >= rows.length, onclick: turn(1) }),
    );
  }

  show();
  return { node: whole_, show };
}

/** A labelled choice; `options` are [value, text]. */
function choice(label, options, value, onchange) {
  const select = el("select", { onchange: () => onchange(select.value) }, ...options.map(([key, text]) => el("option", { value: key, text })));
  select.value = value;
  return { node: el("label", {}, label, select), select };
}
