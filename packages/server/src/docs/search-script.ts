/**
 * The script of the documentation: shows only the entries that have all words of the search, with links to the first of
 * them (first those with the words at the start of their name, then within it), and lets people copy code. Without it
 * everything is shown.
 */
export const SEARCH_SCRIPT = `
const box = document.getElementById("search");
const found = document.getElementById("found");
const entries = [...document.querySelectorAll(".entry")];
const groups = [...document.querySelectorAll("main > section")];
const links = [...document.querySelectorAll("nav li a")];
const lists = [...document.querySelectorAll("nav ul")];
const results = document.getElementById("results");
const texts = new Map();
const textOf = (entry) => {
  if (!texts.has(entry)) texts.set(entry, (entry.id + " " + entry.textContent).toLowerCase());
  return texts.get(entry);
};
const linkTo = (entry) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = "#" + entry.id;
  link.textContent = entry.querySelector("h3")?.textContent ?? entry.id;
  item.append(link);
  return item;
};
const search = () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const shown = new Set();
  for (const entry of entries) {
    entry.hidden = !words.every((word) => textOf(entry).includes(word));
    if (!entry.hidden) shown.add(entry.id);
  }
  for (const group of groups)
    group.hidden = words.length > 0 && !group.querySelector(".entry:not([hidden])");
  for (const link of links)
    link.parentElement.hidden = words.length > 0 && !shown.has(decodeURIComponent(link.hash.slice(1)));
  for (const list of lists)
    list.hidden = list.previousElementSibling.hidden = !list.querySelector("li:not([hidden])");
  const named = (entry) => words.every((word) => entry.id.toLowerCase().includes(word));
  const isPart = (entry) => words.every((word) => entry.id.toLowerCase().split(".").includes(word));
  const rank = (entry) => named(entry) + isPart(entry);
  const best = entries.filter((entry) => !entry.hidden).sort((a, b) => rank(b) - rank(a)).slice(0, 10);
  results.replaceChildren(...(words.length === 0 ? [] : best.map(linkTo)));
  found.textContent = words.length === 0 ? "" : shown.size + " found";
};
box.parentElement.hidden = false;
box.addEventListener("input", () => {
  search();
  scrollTo(0, 0);
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== box && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    box.focus();
  }
  if (event.key === "Escape" && document.activeElement === box) {
    box.value = "";
    search();
  }
});
addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null || target.closest("[hidden]") === null) return;
  box.value = "";
  search();
  target.scrollIntoView();
});
if (navigator.clipboard !== undefined)
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("pre").textContent);
      button.textContent = "Copied";
    });
    block.append(button);
  }
`;
