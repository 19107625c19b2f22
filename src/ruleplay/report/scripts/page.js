"use strict";
// What every page needs: elements made from plain values, and the choice of light or dark.

/** Return an element with attributes (functions become listeners) and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Return the page's colour of a name such as --text. */
function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}

function announceTheme() {
  const button = document.querySelector("#theme");
  if (button) button.textContent = isDark() ? "Light" : "Dark";
  document.dispatchEvent(new Event("themechange"));
}

function chooseTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("ruleplay-theme", theme);
  } catch {
    // A page opened from a file may have no storage: the choice holds until it is closed.
  }
  announceTheme();
}

try {
  const kept = localStorage.getItem("ruleplay-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {
  // No storage, no choice to remember.
}
document.querySelector("#theme")?.addEventListener("click", chooseTheme);
prefersDark.addEventListener("change", announceTheme);
announceTheme();
