"use strict";
// Pages work without this file; it adds keys, and decisions that are saved without loading the page again.
const items = [...document.querySelectorAll("form.item")];
const toggle = document.getElementById("keys");
const said = document.getElementById("said");
let saving = Promise.resolve();

function keysAreOn() {
  try {
    return localStorage.getItem("keys") !== "off";
  } catch {
    return true;
  }
}

function showToggle() {
  toggle.textContent = keysAreOn() ? "Keys on" : "Keys off";
  toggle.setAttribute("aria-pressed", String(keysAreOn()));
}

function current() {
  return items.indexOf(document.activeElement?.closest("form.item"));
}

function goTo(at) {
  const item = items[Math.min(Math.max(at, 0), items.length - 1)];
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: "start" });
}

function say(text, wrong) {
  said.textContent = text;
  said.classList.toggle("wrong", Boolean(wrong));
}

async function save(item, value) {
  const fields = new URLSearchParams(new FormData(item));
  fields.set("decision", value);
  let told;
  try {
    const answer = await fetch("/review", {
      method: "POST",
      headers: { Accept: "application/json" },
      body: fields,
      // The person may go on to the next page at once.
      keepalive: true,
    });
    told = answer.headers.get("Content-Type").startsWith("application/json")
      ? await answer.json()
      : { error: "the viewer was started again; load the page again." };
  } catch {
    told = { error: "the viewer does not answer; is it still running?" };
  }
  const name = item.querySelector(".number-of").textContent;
  if (told.error) {
    say(`Item ${name} is not saved: ${told.error}`, true);
    return;
  }
  for (const button of item.querySelectorAll("button[name=decision]")) {
    button.setAttribute("aria-pressed", String(button.value === told.decision));
  }
  item.classList.add("decided");
  document.getElementById("open").textContent = told.open.toLocaleString("en");
  say(`Item ${name} saved: ${told.decision}`);
}

// One after the other: of two decisions on one item the later one has to be the last line.
function decide(item, value) {
  saving = saving.then(() => save(item, value));
}

for (const item of items) {
  item.addEventListener("submit", (event) => {
    event.preventDefault();
    decide(item, event.submitter.value);
  });
}

const DECISIONS = { r: "relevant", n: "not relevant", u: "unsure" };

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || !keysAreOn()) {
    return;
  }
  const step = { j: 1, k: -1 }[event.key];
  if (event.key === "/") {
    const field = document.getElementById("find");
    if (field) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  } else if (step && items.length) {
    const at = current();
    if (step === 1 && at === items.length - 1) {
      document.querySelector("a[rel=next]")?.click();
    } else if (step === -1 && at === 0) {
      document.querySelector("a[rel=prev]")?.click();
    } else {
      goTo(at + step);
    }
  } else if (step) {
    document.querySelector(step === 1 ? "a[rel=next]" : "a[rel=prev]")?.click();
  } else if (event.key in DECISIONS && items.length) {
    const at = current();
    if (at === -1) {
      goTo(0);
    } else {
      decide(items[at], DECISIONS[event.key]);
      goTo(at + 1);
    }
  }
});

toggle.hidden = false;
toggle.addEventListener("click", () => {
  try {
    localStorage.setItem("keys", keysAreOn() ? "off" : "on");
  } catch {
    // A browser without storage keeps its keys on.
  }
  showToggle();
});
showToggle();
