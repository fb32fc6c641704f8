// Partial updates, keys, lists that grow as they are scrolled, and server-sent events. Without it, all forms and links work.
// It runs before the page's body is there, so that no key and no form is ever ahead of it: `ready` has what needs the body.
"use strict";

let busy = false;

function say(words) {
  document.getElementById("said").textContent = words;
}

// Partial updates: every element with data-part in the answer takes the place of the one with the same id.

function put(html, only) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const focused = document.activeElement?.id;
  let count = 0;
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    if (!old || (only && !old.matches(only)) || part.parentElement.closest("[data-part]")) continue;
    if (old.contains(document.activeElement) && document.activeElement.matches("input:not([type=range])") && only) continue;
    old.replaceWith(document.adoptNode(part));
    count += 1;
  }
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
  const words = page.getElementById("said")?.textContent || page.querySelector("#failed p")?.textContent || "";
  if (!only) say(words);
  watchMore();
  if (count && !only) current(document.querySelector("[data-row][aria-current]"), false);
  return count;
}

let asked = 0;
async function ask(address, options = {}, only = "") {
  const mine = ++asked;
  const answer = await fetch(address, { ...options, headers: { "X-Desk": "part", ...options.headers } });
  const html = await answer.text();
  if (only && mine !== asked) return; // overtaken: what was asked for later shows the page as it is by now
  if (!put(html, only) && !answer.ok && !only && !document.getElementById("said").textContent) say(html.slice(0, 300));
}

async function send(form, button) {
  const fields = new URLSearchParams(new FormData(form, button));
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    if (form.method === "post") await ask(form.action, { method: "POST", body: fields });
    else {
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
  const form = event.target.closest("form[data-ask]");
  if (!form) return;
  clearTimeout(pause);
  pause = setTimeout(() => send(form), 60);
});

// Keys: data-key names the one that presses a control, or puts the cursor into it. In a list, those of the current row come first.

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

function current(row, focus = true) {
  for (const old of document.querySelectorAll("[data-row][aria-current]")) if (old !== row) old.removeAttribute("aria-current");
  if (!row) return;
  row.setAttribute("aria-current", "true");
  if (focus) row.focus({ preventScroll: true }), row.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
  current(rows[Math.min(Math.max(at + by, 0), rows.length - 1)]);
}

document.addEventListener("focusin", (event) => {
  const row = event.target.closest?.("[data-row]");
  if (row) current(row, false);
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), textarea, select");
  if (event.key === "Escape" && typing) return event.target.blur();
  if (!on || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (document.querySelector("[data-row]") && "jk".includes(event.key)) return event.preventDefault(), step(event.key === "j" ? 1 : -1);
  const name = `[data-key="${CSS.escape(event.key)}"]`;
  const row = document.querySelector("[data-row][aria-current]") || document.querySelector("[data-row]");
  const control = row?.querySelector(name) || [...document.querySelectorAll(name)].find((one) => !one.closest("[data-row]"));
  if (!control || busy) return;
  event.preventDefault();
  if (control.matches("input, select")) control.focus(), control.select?.();
  else control.click();
});

// Lists that grow: a link to more rows is followed as it comes into view.

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) more(entry.target);
}, { rootMargin: "600px" });

function watchMore() {
  for (const link of document.querySelectorAll("a[data-more]")) seen.observe(link);
}

async function more(link) {
  seen.unobserve(link);
  const answer = await fetch(link.href, { headers: { "X-Desk": "part" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = document.getElementById(link.dataset.more), next = page.getElementById(link.dataset.more);
  if (list && next) list.append(...next.children);
  const after = page.querySelector("a[data-more]");
  if (after) link.replaceWith(after);
  else link.remove();
  watchMore();
}

// Events: what is live on the page is asked for again when something has changed. A hidden page does not listen: a browser has six
// connections to a host.

let events;
function listen() {
  events?.close();
  if (document.hidden) return;
  events = new EventSource("/events");
  events.addEventListener("changed", () => { if (!busy) ask(location.href, {}, "[data-live]").catch(() => {}); });
}
document.addEventListener("visibilitychange", () => {
  listen();
  if (!document.hidden && !busy) ask(location.href, {}, "[data-live]").catch(() => {});
});

document.addEventListener("DOMContentLoaded", function ready() {
  showKeys();
  watchMore();
  listen();
  for (const form of document.querySelectorAll("form[data-ask]")) { // with what a browser has put back into its fields
    if ([...form.querySelectorAll("input")].some((field) => field.value !== field.defaultValue)) send(form);
  }
});
