/// Views with rows, and what a row opens.
import { arrange, byId, enable, hide, make, mark, makeButton, put, setText } from "./words.js";
import { signInAgain, errorText } from "./server.js";

/// A table whose rows have keys. A row keeps its element while its key stays, and an unchanged cell is not touched.
const table = (headings) => {
  const body = make("tbody"), head = make("tr"), elements = new Map();
  for (const text of headings) { const th = make("th", "", text); th.scope = "col"; put(head, th); }
  /// A row opens by a click anywhere in it, and by the button in its first cell.
  const row = () => {
    const element = put(make("tr"), ...headings.map((text) => { const td = make("td"); td.dataset.h = text; return td; }));
    element.opener = makeButton("", () => {}, "opener");
    element.opener.setAttribute("aria-haspopup", "dialog");
    put(element.firstElementChild, element.opener);
    element.addEventListener("click", (event) => { if (!event.target.closest(".do") && !String(getSelection())) element.open(); });
    return element;
  };
  const show = (rows) => {
    const keys = new Set(rows.map((r) => r.key));
    for (const key of elements.keys()) if (!keys.has(key)) elements.delete(key);
    arrange(body, rows.map(({ key, cells, open }) => {
      if (!elements.has(key)) elements.set(key, row());
      const element = elements.get(key);
      element.open = open;
      setText(element.opener, cells[0]);
      cells.forEach((cell, i) => {
        if (i === 0) return;
        const node = cell instanceof Node ? cell : make("bdi", "", cell), td = element.children[i], was = td.firstChild;
        if (was !== node && !(was && was.isEqualNode(node))) td.replaceChildren(node);
      });
      return element;
    }));
  };
  return { element: put(make("table"), put(make("thead"), head), body), show };
};
/// A view of rows that are loaded when the view is opened, and again while it is visible and the page is live.
export const sheets = new Map();
export const sheet = (name, title, tools, headings, none, load, forget = () => {}) => {
  const box = make("div", "sheet"), flaw = make("p", "flaw"), empty = make("p", "note", none), rows = table(headings);
  flaw.setAttribute("role", "alert");
  put(byId("view-" + name), put(box, make("h1", "", title), tools, flaw, empty, rows.element));
  let turn = 0, asked = 0, isAsking = false;
  const show = (list) => { hide(empty, list.length > 0); hide(rows.element, !list.length); rows.show(list); };
  const self = {
    isOld: false,
    fill: async () => {
      const mine = turn += 1;
      [asked, isAsking, self.isOld] = [Date.now(), true, false];
      let list = null, error = null;
      try { list = await load(); } catch (caught) { error = caught; }
      // Only the latest request is used.
      if (mine !== turn) return;
      isAsking = false;
      if (error && error.status === 401) signInAgain();
      setText(flaw, error ? error.message + (error.next ? ": " + error.next : "") : "");
      hide(flaw, !error);
      if (list) show(list);
    },
    refresh: () => { if (!isAsking && Date.now() - asked > (self.isOld ? 3000 : 15000)) self.fill(); },
    clear: () => { turn += 1; isAsking = false; rows.show([]); forget(); },
  };
  for (const element of [flaw, empty, rows.element]) element.hidden = true;
  sheets.set(name, self);
  return self;
};

// ---- What a row opens ----------------------------------------------------------------------------------------------
export const showEntry = (title, kind, facts, ...more) => {
  const dialog = byId("entry"), heading = make("h2", kind ? "s-" + kind : "", title), list = make("dl");
  heading.id = "entry-title";
  if (kind) { setText(heading, ""); put(heading, mark(kind), make("bdi", "", title)); }
  for (const [name, value] of facts) {
    if (value === undefined || value === null || value === "") continue;
    put(list, make("dt", "", name), put(make("dd"), value instanceof Node ? value : make("bdi", "", value)));
  }
  const focused = dialog.open && document.activeElement ? document.activeElement.textContent : null;
  dialog.replaceChildren(heading, list, ...more.filter(Boolean), put(make("div", "row"), make("span", "grow"), makeButton("Close", () => dialog.close())));
  if (!dialog.open) dialog.showModal();
  else if (focused) { const again = [...dialog.querySelectorAll("button")].find((b) => b.textContent === focused); if (again) again.focus(); }
};
/// The reasons why units do not run their firmware, each with its next step.
export const troublesOf = (list) => {
  if (!list || !list.length) return null;
  const box = put(make("section", "troubles"), make("h3", "", "Failures by reason"));
  for (const one of list) {
    put(box, put(make("p"), make("b", "", one.units + (one.units === 1 ? " unit: " : " units: ")), make("bdi", "", one.cause || one.code), one.cause && " ", one.cause && make("code", "dim", one.code)),
      one.next_step && make("p", "next", one.next_step));
  }
  return box;
};
/// Asks for texts and numbers. `action` gets them by name, and throws if they are refused.
export const askFor = (title, text, fields, yes, action) => {
  const dialog = byId("ask"), heading = make("h2", "", title), form = make("form"), flaw = make("p", "flaw"), inputs = {};
  heading.id = "ask-title";
  flaw.setAttribute("role", "alert");
  for (const { name, label, kind, value, least, hint, choices } of fields) {
    const input = make(choices ? "select" : "input");
    if (choices) for (const one of choices) { const option = make("option", "", one.name); option.value = one.id; put(input, option); }
    else { input.type = kind || "text"; input.autocomplete = "off"; if (kind === "number") { input.min = least; input.step = 1; } else input.maxLength = 200; }
    if (value !== undefined) input.value = value;
    input.required = true;
    input.name = name;
    inputs[name] = input;
    put(form, put(make("label", "", label), input, hint && make("small", "dim", hint)));
  }
  const go = make("button", "main", yes);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === "number" ? Number(inputs[name].value) : inputs[name].value.trim()]));
    enable(go, false);
    setText(flaw, "");
    try { await action(values); dialog.close(); } catch (error) { setText(flaw, errorText(error)); enable(go, true); }
  });
  put(form, flaw, put(make("div", "row"), go, makeButton("Cancel", () => dialog.close())));
  dialog.replaceChildren(heading, make("p", "", text), form);
  dialog.showModal();
  Object.values(inputs)[0].focus();
};
