// Partial updates, keys, type-ahead, lists that grow as you scroll, and server-sent events. Without this script, all forms and links work.
// It runs before the body is parsed, so that it misses no key and no form. `ready` does what needs the body.
"use strict";

let busy = false;

function say(words) {
  const said = document.getElementById("said");
  said.className = "bad";
  said.textContent = words;
}

// Partial updates: every element with data-part in the answer replaces the one with the same id. A list in it keeps its current row, and
// the rows that were loaded as you scrolled.

function put(html, { only = "", row = null } = {}) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const focused = document.activeElement, was = nameOf(focused);
  const marked = document.querySelector("[data-row][aria-current]");
  const following = followers(marked);
  let count = 0;
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    if (!old || (only && !old.matches(only)) || part.parentElement.closest("[data-part]")) continue;
    if (only && old.contains(focused) && focused.matches("input:not([type=range])")) continue;
    const list = old.querySelector("[data-list]"), fresh = part.querySelector("[data-list]");
    if (list?.children.length && fresh) merge(list, fresh, row, part);
    old.replaceWith(document.adoptNode(part));
    count += 1;
  }
  if (!only) {
    const said = page.getElementById("said");
    if (said) document.getElementById("said").replaceWith(document.adoptNode(said));
    else say(page.querySelector("#failed p")?.textContent || "");
    if (page.title) document.title = page.title;
  }
  watchMore();
  if (!count) return count;
  const next = following.find((one) => one.isConnected);
  if (next) mark(next);
  if (document.activeElement !== document.body) return count;
  const again = focused.isConnected ? focused : was && [...document.querySelectorAll("button, select, input[type=range]")].find((one) => nameOf(one) === was);
  (again || (marked && next) || (only ? null : document.querySelector("[data-focus]")))?.focus({ preventScroll: true });
  return count;
}

function nameOf(control) { // the same for a control of the old page and its counterpart on the new one
  return control?.form && !control.closest("[data-row]") && !control.matches("input:not([type=range])") ? `${control.form.action} ${control.name} ${control.value}` : control?.id;
}

function followers(row) { // the current row, then the rows that become current if it disappears, in order
  const found = [];
  for (let one = row; one; one = one.nextElementSibling) found.push(one);
  for (let one = row?.previousElementSibling; one; one = one.previousElementSibling) found.push(one);
  return found;
}

function merge(list, fresh, row, part) {
  const shown = [...fresh.children], first = shown.filter((one) => !one.hasAttribute("data-beyond"));
  const known = new Map([...list.children].map((one) => [one.dataset.row, one]));
  const here = new Set(shown.map((one) => one.dataset.row));
  const more = part.querySelector("[data-more]"), rest = list.closest("[data-part]").querySelector("[data-more]");
  const end = first.findLast((one) => known.has(one.dataset.row));
  let gone = !more || !end; // if false, rows after the last one of the answer stay
  for (let one = list.lastElementChild; one; ) {
    const before = one.previousElementSibling;
    if (end && one.dataset.row === end.dataset.row) gone = true;
    if (!here.has(one.dataset.row) && (gone || one.dataset.row === row)) one.remove();
    one = before;
  }
  for (const one of shown) {
    const old = known.get(one.dataset.row);
    if (old && old.innerHTML !== one.innerHTML) old.replaceChildren(...one.childNodes);
  }
  first.forEach((one, at) => {
    const row = known.get(one.dataset.row) || one;
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] || null);
  });
  if (more && list.children.length > first.length) rest ? more.replaceWith(rest) : more.remove();
  fresh.replaceWith(list);
}

let asked = 0;
async function ask(address, options = {}, how = {}) {
  const mine = ++asked;
  const answer = await fetch(address, { ...options, headers: { "X-Desk": "part", ...options.headers } });
  const html = await answer.text();
  if (how.only && mine !== asked) return false; // a later request shows a newer state
  if (!put(html, how) && !answer.ok && !how.only && !document.getElementById("said").textContent) say(html.slice(0, 300));
  return answer.ok;
}

async function send(form, button) {
  const fields = new URLSearchParams(new FormData(form, button));
  const row = form.closest("[data-row]")?.dataset.row;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    if (form.method === "post") {
      await ask(form.action, { method: "POST", body: fields }, { row });
      if (form.dataset.then) history.replaceState(null, "", form.dataset.then);
    } else {
      const address = `${form.action.split("?")[0]}?${fields}`;
      await ask(address);
      if (form.hasAttribute("data-address")) history.replaceState(null, "", address);
    }
  } catch {
    say("The desk does not answer. Is it still running?");
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-swap]")) return;
  event.preventDefault();
  if (!busy) send(event.target, event.submitter);
});

let pause;
document.addEventListener("input", (event) => {
  const slider = event.target.closest("[data-sets]");
  if (slider) document.getElementById(slider.dataset.sets).value = slider.value;
  const set = event.target.id && document.querySelector(`[data-sets="${CSS.escape(event.target.id)}"]`);
  if (set) set.value = event.target.value;
  const form = event.target.closest("form[data-ask]");
  if (!form) return;
  clearTimeout(pause);
  pause = setTimeout(() => send(form), 60);
});

// Type-ahead: a field with data-names offers the names in that datalist that contain what you typed. Enter takes the marked one.

const OFFERED = 8;
let offer = null; // the field, the list below it, the names in the list, and the index of the marked one

function offerNames(field) {
  closeNames();
  field.removeAttribute("list"); // no second list by the browser
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  const typed = field.value.trim().toLowerCase();
  const names = [...document.getElementById(field.dataset.names).options].map((one) => one.value);
  const found = names.filter((name) => name.toLowerCase().includes(typed));
  found.sort((a, b) => b.toLowerCase().startsWith(typed) - a.toLowerCase().startsWith(typed));
  if (!found.length) return;
  const list = document.createElement("ul");
  list.id = "offered";
  list.className = "offered";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Names that match");
  for (const [at, name] of found.slice(0, OFFERED).entries()) {
    const line = document.createElement("li");
    line.id = `offered-${at}`;
    line.setAttribute("role", "option");
    line.textContent = name;
    list.append(line);
  }
  field.after(list);
  field.setAttribute("aria-expanded", "true");
  field.setAttribute("aria-controls", "offered");
  offer = { field, list, names: found.slice(0, OFFERED), at: -1 };
  if (typed && !field.hasAttribute("data-new")) markName(0);
}

function markName(at) {
  offer.at = (at + offer.names.length) % offer.names.length;
  for (const [k, line] of [...offer.list.children].entries()) line.setAttribute("aria-selected", k === offer.at);
  offer.field.setAttribute("aria-activedescendant", `offered-${offer.at}`);
  offer.list.children[offer.at].scrollIntoView({ block: "nearest" });
}

function closeNames() {
  offer?.list.remove();
  for (const name of ["aria-activedescendant", "aria-controls"]) offer?.field.removeAttribute(name);
  offer?.field.setAttribute("aria-expanded", "false");
  offer = null;
}

document.addEventListener("focusin", (event) => { if (event.target.matches("[data-names]")) offerNames(event.target); });
document.addEventListener("focusout", (event) => { if (event.target === offer?.field) closeNames(); });
document.addEventListener("input", (event) => { if (event.target.matches("[data-names]")) offerNames(event.target); });
document.addEventListener("mousedown", (event) => {
  const line = event.target.closest?.("#offered li");
  if (!line) return;
  event.preventDefault();
  offer.field.value = line.textContent;
  offer.field.form.requestSubmit();
});
document.addEventListener("keydown", (event) => {
  if (event.target !== offer?.field) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") event.preventDefault(), markName(offer.at < 0 && event.key === "ArrowUp" ? -1 : offer.at + (event.key === "ArrowDown" ? 1 : -1));
  else if (event.key === "Enter" && offer.at >= 0) offer.field.value = offer.names[offer.at], closeNames();
});

// Keys: data-key lists the keys that click a control, or focus it. In a list, the controls of the current row come first.

let on = localStorage.getItem("keys") !== "off";

function showKeys() {
  const button = document.getElementById("keys");
  button.setAttribute("aria-pressed", on);
  button.textContent = on ? "Keys on" : "Keys off";
  document.body.classList.toggle("no-keys", !on);
}
document.addEventListener("click", (event) => {
  if (!event.target.closest("#keys")) return;
  on = !on;
  localStorage.setItem("keys", on ? "on" : "off");
  showKeys();
});

function mark(row) {
  for (const old of document.querySelectorAll("[data-row][aria-current]")) if (old !== row) old.removeAttribute("aria-current");
  row?.setAttribute("aria-current", "true");
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
  const row = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
  mark(row);
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

document.addEventListener("focusin", (event) => {
  const row = event.target.closest?.("[data-row]");
  if (row) mark(row);
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), textarea, select");
  if (event.key === "Escape" && typing) return event.target.blur();
  if (!on || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const name = `[data-key~="${CSS.escape(event.key)}"]`;
  const row = document.querySelector("[data-row][aria-current]");
  const control = row?.querySelector(name) || [...document.querySelectorAll(name)].find((one) => !one.closest("[data-row]"));
  if (!control && document.querySelector("[data-row]") && "jk".includes(event.key)) return event.preventDefault(), step(event.key === "j" ? 1 : -1);
  if (!control || busy) return;
  event.preventDefault();
  if (control.matches("input, select, textarea")) control.focus(), control.select?.();
  else control.click();
});

// Lists that grow: a link to more rows is followed when it comes into view.

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) more(entry.target);
}, { rootMargin: "600px" });

function watchMore() {
  for (const link of document.querySelectorAll("a[data-more]")) seen.observe(link);
  const rows = document.querySelectorAll("[data-row]");
  if (rows.length && ![...rows].some((row) => row.hasAttribute("aria-current"))) mark(rows[0]); // the row that a key acts on is always marked
}

async function more(link) {
  seen.unobserve(link);
  const list = document.getElementById(link.dataset.more), address = new URL(link.href);
  address.searchParams.set("after", list.lastElementChild?.dataset.row ?? ""); // the link may name a row that is gone
  const answer = await fetch(address, { headers: { "X-Desk": "part" } }).catch(() => null);
  if (!answer?.ok || !link.isConnected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const known = new Set([...list.children].map((one) => one.dataset.row));
  const next = page.getElementById(link.dataset.more), after = page.querySelector("a[data-more]");
  if (next) list.append(...[...next.children].filter((one) => !known.has(one.dataset.row)));
  if (after) link.replaceWith(after);
  else link.remove();
  watchMore();
}

// Events: parts with data-live are loaded again after a change. A hidden page does not listen, because a browser has only six
// connections to a host.

function refresh() {
  if (!busy) ask(location.href, {}, { only: "[data-live]" }).catch(() => {});
}

let events;
function listen() {
  events?.close();
  if (document.hidden) return;
  events = new EventSource("/events");
  events.addEventListener("changed", refresh);
}
document.addEventListener("visibilitychange", () => {
  listen();
  if (!document.hidden) refresh();
});

document.addEventListener("DOMContentLoaded", function ready() {
  showKeys();
  watchMore();
  listen();
  for (const form of document.querySelectorAll("form[data-ask]")) { // the browser may have restored values in its fields
    if ([...form.querySelectorAll("input[name]")].some((field) => field.value !== field.defaultValue)) send(form);
  }
});
